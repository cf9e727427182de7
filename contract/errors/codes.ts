import type { ContractName } from './catalogued-message.ts';

/** What an answer means before its message is read, and what a program should do then. */
export interface CataloguedCode {
  status: number;
  /** Of the warehouse API; the others have none. */
  code?: string;
  meaning: string;
  todo: string;
}

const again = 'Send the same again after `Retry-After`.';
const mend = 'Mend the request; the same again is refused again.';
const settle = 'Ask the operator; the same again is refused again.';

const doneStatuses: CataloguedCode[] = [
  { status: 404, meaning: 'There is no such path.', todo: mend },
  { status: 405, meaning: 'Another method is right; `Allow` names it.', todo: mend },
  { status: 408, meaning: 'The request did not arrive in time.', todo: 'Send the same again.' },
  { status: 413, meaning: 'The body is larger than 1 MiB.', todo: 'Send less at once.' },
  { status: 415, meaning: 'The body is not JSON in UTF-8, or is compressed.', todo: mend },
  { status: 429, meaning: 'Too many requests.', todo: again },
  { status: 431, meaning: 'The headers are too large.', todo: mend },
  {
    status: 500,
    meaning: 'A mistake of ours; whether it took effect is not certain.',
    todo: 'Send the same again, and report the trace id.',
  },
  { status: 503, meaning: 'The service is busy, or its database out of reach.', todo: again },
];

export const codes: Record<ContractName, CataloguedCode[]> = {
  warehouse: [
    { status: 200, code: 'LST-TPW-2000', meaning: 'It was done, now or before.', todo: 'Nothing.' },
    {
      ...{ status: 200, code: 'LST-TPW-6001', meaning: 'In an entry of `outbound/cancel`: this order has reached the warehouse.' },
      todo: 'Let it go on; send a return when it comes back.',
    },
    {
      ...{ status: 400, code: 'LST-TPW-2001', meaning: 'The inbound document is known: the original was accepted.' },
      todo: 'Take it for a success.',
    },
    { status: 400, code: 'PARAM_INVALID', meaning: 'Refused, and nothing was changed; `data.errors` lists all mistakes.', todo: mend },
    {
      status: 401,
      code: 'LST-TPW-4001',
      meaning: 'It cannot be said who is calling.',
      todo: 'Mend the signature; sign anew for every try.',
    },
    ...doneStatuses
      .filter(({ status }) => ![408, 431].includes(status))
      .flatMap(({ status, meaning, todo }) =>
        status === 503
          ? [
              { status, code: 'LST-TPW-5030', meaning: 'The integration is not enabled, as a whole or for this account.', todo: settle },
              { status, code: 'LST-TPW-5031', meaning, todo },
            ]
          : [{ status, code: { 429: 'LST-TPW-4290', 500: 'LST-TPW-5000' }[status] ?? 'PARAM_INVALID', meaning, todo }],
      ),
  ],
  main: [
    {
      status: 200,
      meaning: '`done: true`: it was done, now or before. Some operations answer each entry for itself.',
      todo: 'Look at each entry.',
    },
    { status: 200, meaning: '`done: false`, of the token call only: no token.', todo: 'Mend the credentials.' },
    { status: 400, meaning: 'Refused, and nothing was changed; `msg` names up to 5 mistakes.', todo: mend },
    { status: 401, meaning: 'No access token that is good at this moment.', todo: 'Get a new token and try once more; then give up.' },
    { status: 403, meaning: 'The client lacks the permission that `msg` names.', todo: settle },
    { status: 409, meaning: 'The number was used before with another body.', todo: 'Use a new number.' },
    ...doneStatuses,
  ].toSorted((one, other) => one.status - other.status),
  logistics: [
    { status: 200, meaning: 'Accepted, or known already.', todo: 'Nothing.' },
    { status: 400, meaning: 'Refused, and nothing was changed; `retval.errors` lists all mistakes.', todo: mend },
    { status: 401, meaning: 'No API key that is good at this moment.', todo: settle },
    { status: 409, meaning: 'The number was used before with another body.', todo: 'Use a new number.' },
    ...doneStatuses,
  ].toSorted((one, other) => one.status - other.status),
};
