import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';
import type { Incoming } from '../incoming.ts';
import { type CookieForm, readCookie } from './session-cookie.ts';

/**
 * Marks a browser in which an operator has signed in before. It opens nothing: it only keeps guesses that others make at the operator's name from
 * throttling this browser. Signed, so that every node knows it and nobody else can make one.
 */
export interface DeviceCookie {
  /** The device, where the cookie is ours and was made for this operator; null otherwise. */
  read(request: Incoming, username: string): string | null;
  set(username: string): string;
}

const idBytes = 12;
const knownForSeconds = 180 * 86_400;

export function makeDeviceCookie(keyring: Keyring, { prefix, attributes }: CookieForm, nowMs: () => number): DeviceCookie {
  const name = `${prefix}lading-device`;
  const proofOf = (username: string, id: string, until: string, keyId: string) =>
    keyring.digest(`${username}\0${id}\0${until}`, 'console device', keyId);

  return {
    read(request, username) {
      const [, keyId, id, until, proof] = /^(\w+)\.([\w-]+)\.(\d+)\.([\w-]+)$/.exec(readCookie(request, name) ?? '') ?? [];
      if (proof === undefined || !keyring.keyIds.includes(keyId!) || Number(until) * 1000 < nowMs()) return null;
      const given = Buffer.from(proof, 'base64url');
      const expected = proofOf(username, id!, until!, keyId!);
      return given.length === expected.length && timingSafeEqual(given, expected) ? id! : null;
    },
    set(username) {
      const id = randomBytes(idBytes).toString('base64url');
      const until = String(Math.floor(nowMs() / 1000) + knownForSeconds);
      const proof = proofOf(username, id, until, keyring.currentKeyId).toString('base64url');
      return `${name}=${keyring.currentKeyId}.${id}.${until}.${proof}; ${attributes}; Max-Age=${knownForSeconds}`;
    },
  };
}
