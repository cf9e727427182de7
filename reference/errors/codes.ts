import type { ContractName } from './catalogued-message.ts';

/** The meaning of a status or code, independent of the message, and how a program should react. */
export interface CataloguedCode {
  status: number;
  /** Only the warehouse API has codes. */
  code?: string;
  meaning: string;
  todo: string;
}

const retryLater = 'Send the same request again after the time given in `Retry-After`.';
const fixRequest = 'Fix the request before retrying; an identical request will be rejected again.';
const askOperator = 'Contact the operator; until then, the request will be rejected again.';

const doneStatuses: CataloguedCode[] = [
  { status: 404, meaning: 'The path does not exist.', todo: fixRequest },
  { status: 405, meaning: 'The method is not allowed; `Allow` names the right one.', todo: fixRequest },
  { status: 408, meaning: 'The request did not arrive in time.', todo: 'Send the same request again.' },
  { status: 413, meaning: 'The body is larger than 1 MiB.', todo: 'Send less per request.' },
  { status: 415, meaning: 'The body is not JSON in UTF-8, or is compressed.', todo: fixRequest },
  { status: 429, meaning: 'Too many requests.', todo: retryLater },
  { status: 431, meaning: 'The headers are too large.', todo: fixRequest },
  {
    status: 500,
    meaning: 'An error on our side; the request may or may not have taken effect.',
    todo: 'Send the same request again, and report the trace id.',
  },
  { status: 503, meaning: 'The service is busy, or its database is unavailable.', todo: retryLater },
];

export const codes: Record<ContractName, CataloguedCode[]> = {
  warehouse: [
    { status: 200, code: 'LST-TPW-2000', meaning: 'Success, now or in an earlier request.', todo: 'Nothing.' },
    {
      status: 200,
      code: 'LST-TPW-6001',
      meaning: 'In a result of `outbound/cancel`: this order can no longer be cancelled; the warehouse has it.',
      todo: 'Let the order proceed; announce a return if it comes back.',
    },
    {
      status: 400,
      code: 'LST-TPW-2001',
      meaning: 'The inbound document already exists: the original was accepted.',
      todo: 'Treat it as a success.',
    },
    {
      status: 400,
      code: 'PARAM_INVALID',
      meaning: 'The request was rejected and nothing was changed; `data.errors` lists all errors.',
      todo: fixRequest,
    },
    {
      status: 401,
      code: 'LST-TPW-4001',
      meaning: 'Authentication failed.',
      todo: 'Fix the signature; create a new one for every attempt.',
    },
    ...doneStatuses
      .filter(({ status }) => ![408, 431].includes(status))
      .flatMap(({ status, meaning, todo }) =>
        status === 503
          ? [
              {
                status,
                code: 'LST-TPW-5030',
                meaning: 'The integration is disabled, for everyone or for this account.',
                todo: askOperator,
              },
              { status, code: 'LST-TPW-5031', meaning, todo },
            ]
          : [{ status, code: { 429: 'LST-TPW-4290', 500: 'LST-TPW-5000' }[status] ?? 'PARAM_INVALID', meaning, todo }],
      ),
  ],
  main: [
    {
      status: 200,
      meaning: '`done: true`: success, now or in an earlier request. Some operations return one result per entry.',
      todo: 'Check the result of each entry.',
    },
    { status: 200, meaning: '`done: false`, token endpoint only: no token was issued.', todo: 'Fix the credentials.' },
    {
      status: 400,
      meaning: 'The request was rejected and nothing was changed; `errors` lists all errors, and `msg` names up to 5.',
      todo: fixRequest,
    },
    {
      status: 401,
      meaning: 'The access token is missing or not valid.',
      todo: 'Get a new token and retry once; then give up.',
    },
    { status: 403, meaning: 'The client lacks the permission named in `msg`.', todo: askOperator },
    { status: 409, meaning: 'The number was already used with a different body.', todo: 'Use a new number.' },
    ...doneStatuses,
  ].toSorted((one, other) => one.status - other.status),
  logistics: [
    { status: 200, meaning: 'Accepted, now or in an earlier request.', todo: 'Nothing.' },
    {
      status: 400,
      meaning: 'The request was rejected and nothing was changed; `retval.errors` lists all errors.',
      todo: fixRequest,
    },
    { status: 401, meaning: 'The API key is missing or not valid.', todo: askOperator },
    { status: 409, meaning: 'The number was already used with a different body.', todo: 'Use a new number.' },
    ...doneStatuses,
  ].toSorted((one, other) => one.status - other.status),
};
