import type { ErrorCode } from '../../messages/errors.ts';
import { allContracts, type CataloguedMessage, type ContractName, textsOf } from './catalogued-message.ts';

const main = ['main'] as const;
const doneEnvelope = ['main', 'logistics'] as const;

const rows: [status: number, error: ErrorCode, contracts?: readonly ContractName[]][] = [
  [200, 'invalid_client', main],
  [200, 'client_off', main],
  [400, 'path_unreadable'],
  [400, 'host_missing'],
  [400, 'host_twice'],
  [400, 'request_unreadable'],
  [400, 'not_http'],
  [400, 'expect_pipelined'],
  [401, 'authentication_failed_warehouse', ['warehouse']],
  [401, 'authentication_failed_logistics', ['logistics']],
  [401, 'authentication_failed_main', main],
  [401, 'authorization_twice', doneEnvelope],
  [401, 'authorization_missing', main],
  [401, 'authorization_not_bearer', main],
  [401, 'access_token_malformed', main],
  [401, 'access_token_invalid', main],
  [401, 'access_token_expired', main],
  [401, 'client_off_since', main],
  [403, 'permission_missing', main],
  [404, 'no_such_path'],
  [404, 'no_such_path_similar'],
  [405, 'wrong_method'],
  [408, 'request_timed_out'],
  [413, 'too_large'],
  [415, 'wrong_content_type'],
  [415, 'content_encoding'],
  [429, 'too_many_requests'],
  [431, 'headers_too_large'],
  [500, 'internal_error'],
  [503, 'not_enabled', ['warehouse']],
  [503, 'service_busy'],
  [503, 'database_out_of_reach'],
];

/** Errors of the HTTP request itself: routing, authentication, limits and failures of the service. */
export const requestMessages: CataloguedMessage[] = rows.map(([status, error, contracts = allContracts]) => ({
  contracts,
  status,
  ...textsOf(error),
  about: 'request',
  ...(status === 200 ? { operations: ['getToken'] } : {}),
}));
