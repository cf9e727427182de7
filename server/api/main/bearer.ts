import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { ClientDirectory, KnownClient } from '../../domain/partners/client-directory.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import { makeLruCache } from '../../platform/limits/lru-cache.ts';
import { withSecretKind } from '../wrong-secret-kind.ts';
import { type AccessClaims, isExpired, isIssuedBefore, readAccessToken, type TokenReading } from './access-token.ts';
import type { CheckBearer } from './main-contract.ts';

/**
 * Verified tokens are cached: verifying a signature takes longer than all other checks, and each token is used for an
 * hour.
 */
const verifiedMax = 20_000;

const messages = {
  missing: errorMessage('authorization_missing'),
  noBearer: errorMessage('authorization_not_bearer'),
  malformed: errorMessage('access_token_malformed'),
  invalid: errorMessage('access_token_invalid'),
  expired: errorMessage('access_token_expired'),
  disabled: errorMessage('client_off_since'),
};

/**
 * Authenticates the client of a token. The key, the client and the expiry can change, so they are checked in memory on
 * every request.
 */
export function makeBearerCheck(options: {
  keys: TokenKeyDirectory;
  clients: ClientDirectory;
  clock: Clock;
}): CheckBearer {
  const { keys, clients, clock } = options;
  const verified = makeLruCache<AccessClaims>(verifiedMax);

  async function read(token: string, now: Date): Promise<TokenReading> {
    const claims = verified.get(token);
    if (!claims) {
      const reading = await readAccessToken(token, keys, now);
      if (reading.kind === 'verified') verified.set(token, reading.claims);
      return reading;
    }
    if (!(await keys.find(claims.kid))) return { kind: 'invalid', reason: reason('token_key_ended') };
    return isExpired(claims, now) ? { kind: 'expired', clientId: claims.clientId } : { kind: 'verified', claims };
  }

  /** Reads a rejected client again from the database, because it may have just been enabled. */
  async function findClient(claims: AccessClaims): Promise<KnownClient | null> {
    const known = await clients.find(claims.clientId);
    return known && rejectionOfClient(known, claims) === null ? known : await clients.findNow(claims.clientId);
  }

  return async (request) => {
    const token = tokenOf(request);
    const reading = await read(token, clock.now());
    if (reading.kind === 'expired') {
      // Shows the operator whose token it was.
      request.record.accountNo = (await clients.find(reading.clientId))?.account.accountNo ?? null;
      throw refused(reason('token_expired'), messages.expired);
    }
    if (reading.kind !== 'verified')
      throw refused(withSecretKind(token, 'access_token', reading.reason), messages[reading.kind]);

    const client = await findClient(reading.claims);
    if (!client) throw refused(reason('token_client_unknown'), messages.invalid);
    const { clientId, account, permissions } = client;
    request.record.accountNo = account.accountNo;
    const rejection = rejectionOfClient(client, reading.claims);
    if (rejection) throw rejection;
    request.record.usedKey = { kind: 'client', name: clientId };
    return { clientId, accountNo: account.accountNo, environment: account.environment, account, permissions };
  };
}

/** Splits the case-insensitive scheme from the token, whatever the token looks like. */
function tokenOf(request: Incoming): string {
  const { authorization } = request.headers;
  if (!authorization) throw withoutToken(reason('header_absent', { name: 'Authorization' }), messages.missing);
  const [, token] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  if (/^bearer *$/i.test(authorization)) throw withoutToken(reason('no_token'), messages.noBearer);
  if (token === undefined) {
    throw refused(withSecretKind(authorization, 'access_token', reason('no_bearer')), messages.noBearer);
  }
  return token;
}

function rejectionOfClient(client: KnownClient, claims: AccessClaims): ProblemError | null {
  if (!client.enabled) return refused(reason('client_disabled', { client: client.clientId }), messages.disabled);
  if (!client.account.enabled)
    return refused(reason('client_account_disabled', { client: client.clientId }), messages.disabled);
  if (isIssuedBefore(claims, client.tokensFrom)) return refused(reason('token_before_disabling'), messages.invalid);
  return null;
}

function withoutToken(why: Message, toldThem: Message): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason: why, callerMessage: toldThem, hasNoCredentials: true });
}

function refused(why: Message, toldThem: Message): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason: why, callerMessage: toldThem });
}
