import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * One-time codes by RFC 6238, with the parameters that every authenticator app supports: SHA-1, 6 digits, 30 seconds.
 */
export const stepSeconds = 30;
const digits = 6;
/** RFC 4226 recommends 160 bits. */
const secretBytes = 20;
/** A phone may be half a minute fast or slow. */
const stepsEitherWay = 1;
const codeForm = /^[0-9]{6}$/;
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function generateTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

export function codeAt(secret: Uint8Array, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.at(-1)! & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, '0');
}

export function stepOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000 / stepSeconds);
}

/** The step whose code was given; null: it is the code of no step around this instant. */
export function matchingStep(secret: Uint8Array, code: string, instant: Date): number | null {
  if (!codeForm.test(code)) return null;
  const current = stepOf(instant);
  const given = Buffer.from(code);
  let matching: number | null = null;
  for (let step = current - stepsEitherWay; step <= current + stepsEitherWay; step++) {
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), given)) matching = step;
  }
  return matching;
}

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => base32Letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The address that an authenticator app reads from a QR code. */
export function enrolmentUri(secret: Uint8Array, { issuer, username }: { issuer: string; username: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const query = `secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
  return `otpauth://totp/${label}?${query}`;
}
