import { hash, type KeyObject } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;

interface Pads {
  inner: Buffer;
  outer: Buffer;
}
const padsOf = new WeakMap<KeyObject, Pads>();

/**
 * HMAC-SHA256 of the concatenated parts, computed with two digests (RFC 2104). The object that createHmac creates for
 * each message costs several times as much as the digests, and every signed request needs an HMAC.
 */
export function hmacSha256(key: KeyObject, parts: Uint8Array[]): Buffer {
  const { inner, outer } = padsOf.get(key) ?? makePads(key);
  const innerDigest = hash('sha256', Buffer.concat([inner, ...parts]), 'buffer');
  return hash('sha256', Buffer.concat([outer, innerDigest], blockBytes + digestBytes), 'buffer');
}

function makePads(key: KeyObject): Pads {
  const secret = key.export();
  const block = Buffer.alloc(blockBytes);
  (secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret).copy(block);
  const pads = {
    inner: Buffer.from(block.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(block.map((byte) => byte ^ 0x5c)),
  };
  padsOf.set(key, pads);
  return pads;
}
