import { TokenRequest } from '../../../contract/main/get-token.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { checkCredentials } from '../../domain/partners/check-credentials.ts';
import type { ClientDirectory, KnownClient } from '../../domain/partners/client-directory.ts';
import type { ClientNetworks } from '../../domain/partners/client-networks.ts';
import { isWeakMachineSecret } from '../../domain/partners/password-rules.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import { done, mainFormat, notDone } from '../../http/done-envelope.ts';
import { type AnyCaller, type Contract, type Endpoint, type EndpointResponse, endpoint } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import { limitRate } from '../../http/mount-contract.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { type BruteForceLimiter, networkOf, type Throttled } from '../../platform/limits/brute-force-limiter.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.ts';
import { withSecretKind } from '../wrong-secret-kind.ts';
import { issueAccessToken } from './access-token.ts';

export interface TokenParts {
  clients: ClientDirectory;
  keys: TokenKeyDirectory;
  keyring: Keyring;
  bruteForceLimiter: BruteForceLimiter;
  networks: ClientNetworks;
  rateLimit: RateLimit;
  clock: Clock;
  lifetimeSeconds: number;
}

/** The contract of the token endpoint, whose credentials are in the body. */
export const tokenContract: Contract<AnyCaller> = {
  name: 'main',
  prefix: '/api/v1/token',
  ...mainFormat,
  needsAddress: true,
  isAnonymous: true,
  authenticate: async () => ({ accountNo: null }),
};

/** `POST /api/v1/token/getToken`: exchanges ClientId and CheckValue for an access token. */
export function tokenEndpoints(parts: TokenParts): Endpoint<AnyCaller>[] {
  return [
    endpoint({
      path: '/getToken',
      body: TokenRequest,
      async handle(_caller, { ClientId: clientId, CheckValue: checkValue }, request) {
        return await getToken(parts, { clientId, checkValue }, request);
      },
    }),
  ];
}

async function getToken(
  parts: TokenParts,
  given: { clientId: string; checkValue: string },
  request: Incoming,
): Promise<EndpointResponse> {
  const { clients, keys, keyring, bruteForceLimiter, networks, rateLimit, clock, lifetimeSeconds } = parts;
  const guess = { name: given.clientId, address: request.ip };
  const verdict = await bruteForceLimiter.judge(guess, performance.now());
  if (verdict !== null) throw tooManyGuesses(verdict);
  // Always reads the database: new clients and CheckValues work immediately, and the response time does not reveal
  // whether a client exists.
  const [client, key] = await Promise.all([clients.findNow(given.clientId), keys.toSignWith()]);

  // Many attempts may have waited for the same query: each is counted before it is evaluated.
  const begun = bruteForceLimiter.begin(guess, performance.now());
  if (begun.kind === 'throttled') throw tooManyGuesses(begun);
  const check = checkCredentials(keyring, client, given, clock.now());
  request.record.accountNo = client?.account.accountNo ?? null;
  if (!client || check === 'wrong') {
    const why = client ? reason('check_value_mismatch', { client: client.clientId }) : reason('client_not_registered');
    return {
      ...notDone(errorMessage('invalid_client'), 200),
      reason: withSecretKind(given.checkValue, 'check_value', why),
    };
  }
  begun.succeeded();
  networks.note(client.clientId, networkOf(request.ip));
  limitRate(rateLimit, client.account.accountNo);
  if (check === 'right_but_disabled')
    return { ...notDone(errorMessage('client_off'), 200), reason: reasonOfDisabled(client) };

  request.record.isAuthenticated = true;
  request.record.usedKey = { kind: 'client', name: client.clientId, isWeak: isWeakMachineSecret(given.checkValue) };
  const token = await issueAccessToken(key, client.clientId, issuedAt(client, clock.now()), lifetimeSeconds);
  const retval = { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds };
  return { ...done(retval), environment: client.account.environment };
}

/**
 * Corrects for a database clock that is ahead of ours: a token dated before the last disabling would be invalid from
 * the start.
 */
function issuedAt({ tokensFrom }: KnownClient, now: Date): Date {
  return tokensFrom !== null && tokensFrom > now ? tokensFrom : now;
}

function tooManyGuesses({ retryAfterSeconds }: Throttled): ProblemError {
  return new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: reason('too_many_check_values') });
}

function reasonOfDisabled({ clientId, enabled }: KnownClient): Message {
  return reason(enabled ? 'client_account_disabled' : 'client_disabled', { client: clientId });
}
