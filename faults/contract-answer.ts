import { formatMessage } from '../messages/format-message.ts';
import { logisticsReference } from '../reference/logistics/endpoints.ts';
import { mainReference } from '../reference/main/endpoints.ts';
import { warehouseReference } from '../reference/warehouse/endpoints.ts';
import { formatPath, makeChecker } from '../server/platform/json/schema.ts';

/** A response of any of the three contracts. */
export interface ContractAnswer {
  status: 200 | 400;
  /** The code of the warehouse contract; otherwise empty. */
  code: string;
  message: string;
  data: unknown;
}

export type ReadAnswer =
  | { end: 'done' | 'refused'; answer: ContractAnswer }
  | { end: 'busy'; retryAfterSeconds: number }
  | { end: 'strange'; status: number; what: string };

const contracts = [
  { basePath: '/warehouse/v1', reference: warehouseReference },
  { basePath: '', reference: mainReference },
  { basePath: '/logistics', reference: logisticsReference },
];

/** All response formats of the contracts. */
const checkers = new Map(
  contracts.flatMap(({ basePath, reference }) =>
    reference.endpoints.flatMap(({ path, answers }) =>
      answers.map(({ status, schema }) => [`${status} ${basePath}${path}`, makeChecker(schema)] as const),
    ),
  ),
);

/** `isOlderAllowed`: responses of an older version may lack details that were added later. */
export function readAnswer(
  path: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  isOlderAllowed = false,
): ReadAnswer {
  const envelope = parsed(text);
  const checked = checkers.get(`${status} ${path}`)?.(envelope);
  const isOfContract = checked?.kind === 'valid' || (isOlderAllowed && checked !== undefined && isEnvelope(envelope));
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN);
  if (isOfContract && (status === 200 || status === 400)) {
    return { end: status === 200 ? 'done' : 'refused', answer: { status, ...contentOf(envelope as Envelope) } };
  }
  if (isOfContract && (status === 503 || status === 429) && retryAfterSeconds > 0)
    return { end: 'busy', retryAfterSeconds };
  const mistakes =
    checked?.kind === 'mistakes'
      ? checked.mistakes.map((one) => `${formatPath(one.path)} ${formatMessage(one.message)}, `)
      : [];
  return { end: 'strange', status, what: `${status} ${mistakes.join('')}${text}` };
}

/** undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Envelope = { code: string; message: string; data: unknown } | { msg: string; retval: unknown };

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && ('message' in body || 'msg' in body);
}

function contentOf(envelope: Envelope): Omit<ContractAnswer, 'status'> {
  if ('msg' in envelope) return { code: '', message: envelope.msg, data: envelope.retval };
  return { code: envelope.code, message: envelope.message, data: envelope.data };
}
