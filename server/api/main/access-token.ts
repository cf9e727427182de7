import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { TokenKey } from '../../domain/partners/token-key.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import { newTraceId } from '../../platform/ids.ts';

/** What a token of ours says, once it is verified. */
export interface AccessClaims {
  clientId: string;
  kid: string;
  issuedAtSeconds: number;
  expiresAtSeconds: number;
}

export type TokenReading =
  | { kind: 'verified'; claims: AccessClaims }
  | { kind: 'expired'; clientId: string }
  /** Not a token of ours by its form. */
  | { kind: 'malformed'; reason: string }
  | { kind: 'invalid'; reason: string };

/** The same on all nodes, whatever their addresses. */
const issuer = 'lading';
const audience = 'lading:main-api';
export const algorithm = 'ES256';
const type = 'at+jwt';
const tokenLengthMax = 4096;
const signatureBytes = 64;

export async function issueAccessToken(key: TokenKey, clientId: string, now: Date, lifetimeSeconds: number): Promise<string> {
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

/** The key is looked up among our own by its kid; nothing else in a header is followed. */
export async function readAccessToken(token: string, keys: TokenKeyDirectory, now: Date): Promise<TokenReading> {
  const form = formOf(token);
  if (form.kind !== 'token') return form;
  const key = await keys.find(form.kid);
  if (!key) return { kind: 'invalid', reason: 'the token is signed with a key that is not ours or has ended' };

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
    return refusalOf(error);
  }
}

export function isExpired({ expiresAtSeconds }: AccessClaims, now: Date): boolean {
  return expiresAtSeconds <= secondsOf(now);
}

/** A token has whole seconds: one of the very second in which its client was disabled is let through when that is enabled again. */
export function isIssuedBefore({ issuedAtSeconds }: AccessClaims, instant: Date | null): boolean {
  return instant !== null && issuedAtSeconds < secondsOf(instant);
}

type Form = { kind: 'token'; kid: string } | Extract<TokenReading, { kind: 'malformed' | 'invalid' }>;

/** Three parts, a header with what ours have and nothing more, and all of it in the one way in which base64url writes it. */
function formOf(token: string): Form {
  if (token.length > tokenLengthMax) return { kind: 'malformed', reason: `the token is longer than ${tokenLengthMax} characters` };
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return { kind: 'malformed', reason: 'the token is not three parts in base64url' };
  const header = headerOf(token);
  if (!header) return { kind: 'malformed', reason: 'the header of the token cannot be read' };
  if (header.alg !== algorithm) return { kind: 'invalid', reason: `the algorithm of the token is not ${algorithm}` };
  if (typeof header.kid !== 'string') return { kind: 'invalid', reason: 'the token names no key' };
  if (Object.keys(header).length !== 3) return { kind: 'invalid', reason: 'the header of the token says more than ours do' };
  if (!isWhole(token)) return { kind: 'malformed', reason: 'the token was cut off or changed on its way' };
  return { kind: 'token', kid: header.kid };
}

/** Bits that mean nothing could be changed in the text of a token without changing the token. */
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
  if (typeof sub !== 'string') return { kind: 'invalid', reason: 'the token says sub in a form that ours do not' };
  return { kind: 'verified', claims: { clientId: sub, kid, issuedAtSeconds: iat!, expiresAtSeconds: exp! } };
}

function refusalOf(error: unknown): TokenReading {
  if (error instanceof errors.JWTExpired) return { kind: 'expired', clientId: String(error.payload.sub) };
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return { kind: 'invalid', reason: 'the signature of the token does not match' };
  if (error instanceof errors.JWTClaimValidationFailed) return { kind: 'invalid', reason: `the token fails in ${error.claim}` };
  if (error instanceof errors.JOSEError) return { kind: 'invalid', reason: `the token cannot be verified (${error.code})` };
  throw error;
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
