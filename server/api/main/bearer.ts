import type { ClientDirectory, KnownClient } from '../../domain/partners/client-directory.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import { makeRecentMap } from '../../platform/recent-map.ts';
import type { Incoming } from '../incoming.ts';
import { withKindOf } from '../mistaken-secret.ts';
import { ProblemError } from '../problem.ts';
import { type AccessClaims, isExpired, isIssuedBefore, readAccessToken, type TokenReading } from './access-token.ts';
import type { CheckBearer } from './main-contract.ts';

/** A signature takes longer to verify than all the rest, and the same token comes again and again for an hour. */
const verifiedMax = 20_000;

const told = {
  missing: 'the header Authorization is missing; it must be: Bearer <access token>',
  noBearer: 'the header Authorization must be: Bearer <access token>',
  malformed: 'the access token is malformed',
  invalid: 'the access token is not valid',
  expired: 'the access token has expired',
  disabled: 'this client is disabled',
};

/** Who calls with this token. What can change meanwhile, the key, the client and the time, is looked at on every call, in memory. */
export function makeBearerCheck(options: { keys: TokenKeyDirectory; clients: ClientDirectory; clock: Clock }): CheckBearer {
  const { keys, clients, clock } = options;
  const verified = makeRecentMap<AccessClaims>(verifiedMax);

  async function read(token: string, now: Date): Promise<TokenReading> {
    const claims = verified.get(token);
    if (!claims) {
      const reading = await readAccessToken(token, keys, now);
      if (reading.kind === 'verified') verified.set(token, reading.claims);
      return reading;
    }
    if (!(await keys.find(claims.kid))) return { kind: 'invalid', reason: 'the key of the token has ended' };
    return isExpired(claims, now) ? { kind: 'expired', clientId: claims.clientId } : { kind: 'verified', claims };
  }

  /** One that would be refused may have been let in just now. */
  async function findClient(claims: AccessClaims): Promise<KnownClient | null> {
    const known = await clients.find(claims.clientId);
    return known && refusalOfClient(known, claims) === null ? known : await clients.findNow(claims.clientId);
  }

  return async (request) => {
    const token = tokenOf(request);
    const reading = await read(token, clock.now());
    if (reading.kind === 'expired') {
      // So that the operator sees whose it was.
      request.call.accountNo = (await clients.find(reading.clientId))?.account.accountNo ?? null;
      throw refused('the token has expired', told.expired);
    }
    if (reading.kind !== 'verified') throw refused(withKindOf(token, 'access_token', reading.reason), told[reading.kind]);

    const client = await findClient(reading.claims);
    if (!client) throw refused('the client of the token does not exist', told.invalid);
    const { clientId, account, permissions } = client;
    request.call.accountNo = account.accountNo;
    const refusal = refusalOfClient(client, reading.claims);
    if (refusal) throw refusal;
    request.call.usedKey = { kind: 'client', name: clientId };
    return { clientId, accountNo: account.accountNo, account, permissions };
  };
}

/** The scheme in any case, then the token, whatever it looks like. */
function tokenOf(request: Incoming): string {
  const { authorization } = request.headers;
  if (!authorization) throw withoutToken('header Authorization is missing', told.missing);
  const [, token] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  if (/^bearer *$/i.test(authorization)) throw withoutToken('no token follows Bearer in header Authorization', told.noBearer);
  if (token === undefined) {
    throw refused(withKindOf(authorization, 'access_token', 'header Authorization does not begin with Bearer'), told.noBearer);
  }
  return token;
}

function refusalOfClient(client: KnownClient, claims: AccessClaims): ProblemError | null {
  if (!client.enabled) return refused(`client ${client.clientId} is disabled`, told.disabled);
  if (!client.account.enabled) return refused(`the account of client ${client.clientId} is disabled`, told.disabled);
  if (isIssuedBefore(claims, client.tokensFrom)) return refused('the token is older than the disabling of its client', told.invalid);
  return null;
}

function withoutToken(reason: string, toldThem: string): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason, told: toldThem, hasNoCredentials: true });
}

function refused(reason: string, toldThem: string): ProblemError {
  return new ProblemError({ kind: 'unauthorized', reason, told: toldThem });
}
