import { TokenRequest } from '../../../contract/main/get-token.ts';
import { checkCredentials } from '../../domain/partners/check-credentials.ts';
import type { ClientDirectory, KnownClient } from '../../domain/partners/client-directory.ts';
import type { ClientNetworks } from '../../domain/partners/client-networks.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import { type GuessThrottle, networkOf, type Throttled } from '../../platform/guess-throttle.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';
import { type Answer, type AnyCaller, type Contract, type Endpoint, endpoint, limitRate } from '../contract.ts';
import { done, notDone, wordMainProblem } from '../done-envelope.ts';
import type { Incoming } from '../incoming.ts';
import { withKindOf } from '../mistaken-secret.ts';
import { ProblemError } from '../problem.ts';
import { issueAccessToken } from './access-token.ts';

export interface TokenParts {
  clients: ClientDirectory;
  keys: TokenKeyDirectory;
  keyring: Keyring;
  throttle: GuessThrottle;
  networks: ClientNetworks;
  rateLimit: RateLimit;
  clock: Clock;
  lifetimeSeconds: number;
}

/** The token call: who it is, stands in its body. */
export const tokenContract: Contract<AnyCaller> = {
  name: 'main',
  prefix: '/api/v1/token',
  word: wordMainProblem,
  needsAddress: true,
  isAnonymous: true,
  authenticate: async () => ({ accountNo: null }),
};

/** `POST /api/v1/token/getToken`: ClientId and CheckValue become an access token. */
export function tokenEndpoints(parts: TokenParts): Endpoint<AnyCaller>[] {
  return [
    endpoint({
      path: '/getToken',
      body: TokenRequest,
      async handle(_caller, { ClientId: clientId, CheckValue: checkValue }, request) {
        const answer = await getToken(parts, { clientId, checkValue }, request);
        return { ...answer, headers: { 'cache-control': 'no-store' } };
      },
    }),
  ];
}

async function getToken(parts: TokenParts, given: { clientId: string; checkValue: string }, request: Incoming): Promise<Answer> {
  const { clients, keys, keyring, throttle, networks, rateLimit, clock, lifetimeSeconds } = parts;
  const guess = { name: given.clientId, address: request.ip };
  const verdict = await throttle.judge(guess, performance.now());
  if (verdict !== null) throw tooManyGuesses(verdict);
  // As of this moment for everybody: a new client or CheckValue works at once, and who does not exist waits as long as who does.
  const [client, key] = await Promise.all([clients.findNow(given.clientId), keys.toSignWith()]);

  // Many guesses may have waited for the same look: each is counted before it is evaluated.
  const begun = throttle.begin(guess, performance.now());
  if (begun.kind === 'throttled') throw tooManyGuesses(begun);
  const check = checkCredentials(keyring, client, given, clock.now());
  request.call.accountNo = client?.account.accountNo ?? null;
  if (!client || check === 'wrong') {
    const reason = client ? `the CheckValue of client ${client.clientId} does not match` : 'ClientId is not registered';
    request.call.reason = withKindOf(given.checkValue, 'check_value', reason);
    return notDone('invalid ClientId or CheckValue', 200);
  }
  begun.succeeded();
  networks.note(client.clientId, networkOf(request.ip));
  limitRate(rateLimit, client.account.accountNo);
  if (check === 'right_but_disabled') {
    request.call.reason = reasonOfDisabled(client);
    return notDone('this client is disabled', 200);
  }

  request.call.isAuthenticated = true;
  request.call.usedKey = { kind: 'client', name: client.clientId };
  const token = await issueAccessToken(key, client.clientId, issuedAt(client, clock.now()), lifetimeSeconds);
  return done({ access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds });
}

/** Where the clock of the database is ahead of ours: a token from before the last disabling would be dead from the start. */
function issuedAt({ tokensFrom }: KnownClient, now: Date): Date {
  return tokensFrom !== null && tokensFrom > now ? tokensFrom : now;
}

function tooManyGuesses({ retryAfterSeconds }: Throttled): ProblemError {
  return new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: 'too many wrong CheckValues' });
}

function reasonOfDisabled({ clientId, enabled }: KnownClient): string {
  return enabled ? `the account of client ${clientId} is disabled` : `client ${clientId} is disabled`;
}
