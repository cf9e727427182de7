import { allContracts, type CataloguedMessage, type ContractName } from './catalogued-message.ts';

type Row = [status: number, message: string, cause: string, cure: string, contracts?: readonly ContractName[]];

const askOperator = 'Ask the operator, with the trace id: the reason is in the request log.';
const sendAgain = 'Send the same again after `Retry-After`; it is safe, whatever became of the first try.';
const newToken = 'Get a new token and send the request once more.';
const main = ['main'] as const;
const doneEnvelope = ['main', 'logistics'] as const;

const rows: Row[] = [
  [
    200,
    'invalid ClientId or CheckValue',
    'There is no such `ClientId`, or the `CheckValue` is not its own. Which of the two is not told.',
    'Copy both anew from what the operator gave you; mind spaces and line breaks at the end. Too many wrong tries are answered with 429.',
    main,
  ],
  [
    200,
    'this client is disabled',
    'The credentials are right, but the client or its account is disabled.',
    'Ask the operator to enable it.',
    main,
  ],
  [400, 'the path cannot be read', 'The path has a `%` that does not begin a valid escape.', 'Send the path as the reference writes it.'],
  [400, 'the header host is missing', 'An HTTP/1.1 request has no `Host` header.', 'Use an HTTP library, which sends it.'],
  [400, 'the header host came twice', 'There are two `Host` headers.', 'Send it once; look at what a proxy adds.'],
  [
    400,
    'the request could not be read',
    'The body is not as long as `Content-Length` says, or is framed wrongly.',
    'Let your HTTP library set the length; do not set it by hand.',
  ],
  [
    400,
    'this is not a valid HTTP request',
    'The bytes are no HTTP/1.1; perhaps TLS was spoken to a port without it. Always answered as `{done, msg, retval}`.',
    'Look at the address, its scheme (http or https) and its port.',
  ],
  [
    400,
    'Expect: 100-continue was sent before the previous response was complete',
    'Requests were pipelined, and one of them waits for `100 Continue`. The connection is closed. Always answered as `{done, msg, retval}`.',
    'Wait for the previous response before sending such a request, or leave out the header `Expect`.',
  ],
  [
    401,
    'authentication failed',
    'A header of the signature is missing or came twice, the account is not registered, the timestamp is more than 300 s off, or the signature does not match the body. Which of these is not told.',
    'Sign the exact bytes that you send, followed by the timestamp in Unix seconds, with the secret of this account; sign anew for every try. If it still fails, ask the operator with the trace id.',
    ['warehouse'],
  ],
  [
    401,
    'authentication failed',
    'There is no `Authorization` header, the API key is not one of ours, or it, or its account, is disabled. Which of these is not told.',
    `Send the key itself as \`Authorization: <API_KEY>\`. ${askOperator}`,
    ['logistics'],
  ],
  [
    401,
    'authentication failed',
    'One of the headers `sign`, `timestamp` and `account-no`, which this API does not need, came twice.',
    'Leave them out; look at what a proxy adds.',
    main,
  ],
  [
    401,
    'the header authorization came twice',
    'There are two `Authorization` headers.',
    'Send it once; look at what a proxy adds.',
    doneEnvelope,
  ],
  [
    401,
    'the header Authorization is missing; it must be: Bearer <access token>',
    'There is no `Authorization` header.',
    'Send `Authorization: Bearer ` and the token of the token call.',
    main,
  ],
  [
    401,
    'the header Authorization must be: Bearer <access token>',
    'The header does not begin with `Bearer `, or nothing follows.',
    'Put `Bearer ` and one space before the token.',
    main,
  ],
  [
    401,
    'the access token is malformed',
    'What follows `Bearer ` is no whole token: cut off, quoted, or something else.',
    'Send `access_token` as it came, without quotes or line breaks.',
    main,
  ],
  [
    401,
    'the access token is not valid',
    'The token is not one of this service, its key has ended, or its client was disabled after it was issued.',
    `${newToken} If that is refused too, look whether the token comes from this address.`,
    main,
  ],
  [
    401,
    'the access token has expired',
    'The token is older than its `expires_in`.',
    `${newToken} Renew it shortly before it expires.`,
    main,
  ],
  [401, 'this client is disabled', 'The client or its account was disabled.', 'A new token does not help. Ask the operator.', main],
  [
    403,
    'this client lacks the permission <permission>',
    'The client may not do this.',
    'Ask the operator for the permission that is named; a new token is not needed.',
    main,
  ],
  [
    404,
    'no such path',
    'There is no such path. Paths are compared exactly: case, and no slash at the end.',
    'Compare with the reference; mind the base path.',
  ],
  [
    405,
    'this path takes <methods> only',
    'The method is another one; a redirect may have made a GET of a POST.',
    'Use the method in `Allow`. Call the address itself, not one that redirects.',
  ],
  [
    408,
    'the request took too long to arrive',
    'The headers did not come within 10 s, or the whole request not within 15 s. Always answered as `{done, msg, retval}`.',
    'Send the same again; look at the connection.',
  ],
  [
    413,
    'the body is larger than <bytes> bytes',
    'The body is larger than 1 MiB, or than 4 KiB at the token call.',
    'Send less at once: split lists over several calls.',
  ],
  [
    415,
    'the content type must be application/json',
    'The header `content-type` is missing, another type, or another character set than UTF-8.',
    'Send `content-type: application/json`.',
  ],
  [415, 'a content encoding is not supported', 'There is a `content-encoding`, such as gzip.', 'Send the body uncompressed.'],
  [
    429,
    'too many requests; try again in <seconds> s',
    'The account sends more requests per second than the operator allows it, or more searches at once than are served; at the token call, too many wrong guesses.',
    'Nothing was done. Wait as long as `Retry-After` says, then send the same again; send fewer at once, keep tokens.',
  ],
  [
    431,
    'the headers are too large',
    'All headers together are larger than 16 KiB. Always answered as `{done, msg, retval}`.',
    'Send only the headers that are needed.',
  ],
  [
    500,
    'internal error',
    'A mistake of ours. Whether the request took effect is not certain.',
    'Send the same again: numbers make it safe. Report the trace id to the operator.',
  ],
  [
    503,
    'this integration is not enabled',
    'The warehouse API is switched off, as a whole or for this account, or the account is disabled.',
    'Trying again does not help. Ask the operator to enable it.',
    ['warehouse'],
  ],
  [503, 'the service is busy; try again shortly', 'More requests are in flight than the service takes on.', sendAgain],
  [503, 'the database is out of reach; try again shortly', 'The database did not answer in time, or is being switched over.', sendAgain],
];

/** What can be wrong with a request before or beside its business. */
export const requestMessages: CataloguedMessage[] = rows.map(([status, message, cause, cure, contracts = allContracts]) => ({
  ...{ contracts, status, message, cause, cure },
  about: 'request',
  ...(status === 200 ? { operations: ['getToken'] } : {}),
}));
