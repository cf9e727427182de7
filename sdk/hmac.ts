/** Not `Uint8Array<ArrayBuffer>`: TypeScript before 5.7 could not read the types of the package. */
export type Bytes = Uint8Array;

/** HMAC-SHA256 by WebCrypto, which browsers, Workers, Deno, Bun and Node have. */
export async function hmac(key: Bytes, ...parts: (string | Uint8Array)[]): Promise<Bytes> {
  if (!globalThis.crypto?.subtle)
    throw new TypeError('crypto.subtle is missing; a browser has it only on pages with https or on localhost');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key as BufferSource, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, joined(parts) as BufferSource));
}

interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: Bytes): NodeHmac;
}
interface NodeHmac {
  update(part: string | Uint8Array): NodeHmac;
  digest(): Bytes;
}

/** The same without a promise. Only Node, Deno and Bun can do that. `caller` is the function that has an async twin. */
export function hmacSync(caller: string, key: Bytes, ...parts: (string | Uint8Array)[]): Bytes {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const node = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (!node) throw new TypeError(`${caller} needs node:crypto, which is missing here: use await ${caller}Async(...)`);
  const digest = node.createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

export function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Throws a DOMException if the text is not base64. */
export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function joined(parts: (string | Uint8Array)[]): Bytes {
  const all = parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part));
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of all) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
