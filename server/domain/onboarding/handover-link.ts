import { createHash, randomBytes } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';
import type { IssuedSecret } from '../partners/apply-outcome.ts';

export const linkLanguages = ['en', 'zh-TW'] as const;
export type LinkLanguage = (typeof linkLanguages)[number];

/** `waiting`: it can be opened. */
export type LinkState = 'waiting' | 'opened' | 'expired' | 'revoked';

/** What is sealed. The token is kept only as long as the secrets, so that a repeated request can show the link again. */
interface LinkContent {
  token: string;
  secrets: IssuedSecret[];
}

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

export function makeLinkToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

export function isLinkToken(text: string): boolean {
  return tokenForm.test(text);
}

/** A token has 256 random bits, so its digest needs no key. */
export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function sealLink(keyring: Keyring, linkId: string, content: LinkContent): { sealed: Buffer; keyId: string } {
  return keyring.seal(JSON.stringify(content), contextOf(linkId));
}

export function openSealedLink(
  keyring: Keyring,
  { linkId, sealed, masterKeyId }: { linkId: string; sealed: Buffer; masterKeyId: string },
): LinkContent {
  return JSON.parse(keyring.open(sealed, masterKeyId, contextOf(linkId)));
}

function contextOf(linkId: string): string {
  return `handover_link:${linkId}`;
}
