import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { TokenKey } from '../../domain/partners/token-key.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import { newTraceId } from '../../platform/ids.ts';

/** The claims of a verified token. */
export interface AccessClaims {
  clientId: string;
  kid: string;
  issuedAtSeconds: number;
  expiresAtSeconds: number;
}

export type TokenReading =
  | { kind: 'verified'; claims: AccessClaims }
  | { kind: 'expired'; clientId: string }
  /** The format is not that of our tokens. */
  | { kind: 'malformed'; reason: Message }
  | { kind: 'invalid'; reason: Message };

/** The same on all nodes, independent of their URLs. */
const issuer = 'lading';
const audience = 'lading:main-api';
export const algorithm = 'ES256';
const type = 'at+jwt';
const tokenLengthMax = 4096;
const signatureBytes = 64;

export async function issueAccessToken(
  key: TokenKey,
  clientId: string,
  now: Date,
  lifetimeSeconds: number,
): Promise<string> {
  const issuedAtSeconds = secondsOf(now);
  return await new SignJWT()
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + lifetimeSeconds)
    .setJti(newTraceId(now.getTime()))
    .sign(key.privateKey);
}

/** Looks up the key among our own by its kid; no other header field is used. */
export async function readAccessToken(token: string, keys: TokenKeyDirectory, now: Date): Promise<TokenReading> {
  const form = formOf(token);
  if (form.kind !== 'token') return form;
  const key = await keys.find(form.kid);
  if (!key) return { kind: 'invalid', reason: reason('token_key_unknown') };

  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [algorithm],
      typ: type,
      issuer,
      audience,
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      clockTolerance: 0,
      currentDate: now,
    });
    return claimsOf(payload, form.kid);
  } catch (error) {
    return rejectionOf(error);
  }
}

export function isExpired({ expiresAtSeconds }: AccessClaims, now: Date): boolean {
  return expiresAtSeconds <= secondsOf(now);
}

/**
 * Tokens have a resolution of one second: a token issued in the same second in which its client was disabled is valid
 * again once the client is enabled.
 */
export function isIssuedBefore({ issuedAtSeconds }: AccessClaims, instant: Date | null): boolean {
  return instant !== null && issuedAtSeconds < secondsOf(instant);
}

type Form = { kind: 'token'; kid: string } | Extract<TokenReading, { kind: 'malformed' | 'invalid' }>;

/** Checks for three parts, a header with exactly our fields, and canonical base64url. */
function formOf(token: string): Form {
  if (token.length > tokenLengthMax)
    return { kind: 'malformed', reason: reason('token_too_long', { max: tokenLengthMax }) };
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { kind: 'malformed', reason: reason('token_not_three_parts') };
  const header = headerOf(token);
  if (!header) return { kind: 'malformed', reason: reason('token_header_unreadable') };
  if (header.alg !== algorithm) return { kind: 'invalid', reason: reason('token_algorithm', { algorithm }) };
  if (typeof header.kid !== 'string') return { kind: 'invalid', reason: reason('token_without_key') };
  if (Object.keys(header).length !== 3) return { kind: 'invalid', reason: reason('token_header_extra') };
  if (!isWhole(token)) return { kind: 'malformed', reason: reason('token_damaged') };
  return { kind: 'token', kid: header.kid };
}

/** Rejects non-canonical base64url, where unused bits could be changed without changing the decoded token. */
function isWhole(token: string): boolean {
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  return parts[2]!.length === signatureBytes && parts.map((part) => part.toString('base64url')).join('.') === token;
}

function headerOf(token: string): Record<string, unknown> | null {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return null;
  }
}

function claimsOf({ sub, iat, exp }: JWTPayload, kid: string): TokenReading {
  if (typeof sub !== 'string') return { kind: 'invalid', reason: reason('token_subject') };
  return { kind: 'verified', claims: { clientId: sub, kid, issuedAtSeconds: iat!, expiresAtSeconds: exp! } };
}

function rejectionOf(error: unknown): TokenReading {
  if (error instanceof errors.JWTExpired) return { kind: 'expired', clientId: String(error.payload.sub) };
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return { kind: 'invalid', reason: reason('token_signature') };
  if (error instanceof errors.JWTClaimValidationFailed)
    return { kind: 'invalid', reason: reason('token_claim', { claim: error.claim }) };
  if (error instanceof errors.JOSEError)
    return { kind: 'invalid', reason: reason('token_unverifiable', { error: error.code }) };
  throw error;
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
