import { codesOfMessages } from '../contract/errors/codes.ts';
import { errorCatalogue } from '../reference/error-catalogue.ts';
import type { CataloguedMessage, ContractName } from '../reference/errors/catalogued-message.ts';
import { codes } from '../reference/errors/codes.ts';
import { messageTable, shownMessage } from '../reference/errors/message-tables.ts';
import { logisticsReference } from '../reference/logistics/endpoints.ts';
import { mainReference } from '../reference/main/endpoints.ts';
import { warehouseReference } from '../reference/warehouse/endpoints.ts';
import { generateErrorCodes } from './generate-error-codes.ts';

const references = { warehouse: warehouseReference, main: mainReference, logistics: logisticsReference };
const contracts = Object.keys(references) as ContractName[];

/** Generates docs/errors.md from the error catalogue. */
export function generateErrorCatalogue(): string {
  return `${[introduction, generateErrorCodes(), ...contracts.map(renderContract), renderCommon()].join('\n\n')}\n`;
}

const introduction = `
# Errors

All codes and messages that you can receive, with their causes and fixes. The tests of the service check every error response against this list.

- Base decisions on the HTTP status, on the [codes in \`errors\`](#codes-of-errors) and, in the warehouse API, on the \`code\` of the response. Messages are for people; only the messages that the reference lists as guaranteed never change.
- \`<...>\` marks a part that varies between requests.
- A response with a status from 400 to 499 means that nothing was changed. After a 5xx, or without a response, send the same request again: [Idempotency and retries](idempotency-and-retries.md) explains why that is safe.

## When you cannot find the reason

Every response has the header \`trace-id\`; in the warehouse API, the body also contains it as \`trace_id\`. Log it with every response that is not a success: the [client](quickstart.md) includes it in each error
as \`trace_id\`.

Send it to the operator and ask them to run \`lading doctor <trace id>\`. It shows what the response does not: which header was missing, how far the clock was off, or which common signing mistake was made. The operator needs
neither your secret nor the body. Trace ids are kept for 30 days, unless the operator has set another period.
`.trim();

function renderContract(contract: ContractName): string {
  const { name, endpoints } = references[contract];
  const own = errorCatalogue.filter(
    (entry) => entry.contracts.includes(contract) && (!isCommon(entry) || entry.operations),
  );
  const ofAny = own.filter(({ operations }) => operations === undefined);
  const tables = new Map<string, string[]>();
  for (const { operationId, path, summary } of endpoints) {
    const entries = own.filter(({ operations }) => operations?.includes(operationId));
    if (entries.length > 0)
      tables.set(statusTable(entries), [...(tables.get(statusTable(entries)) ?? []), `\`${path}\`: ${summary}`]);
  }
  const ofEach = [...tables].flatMap(([table, paths]) => [headingOf(paths), table]);
  return [`## ${name}`, codeTable(contract), `### All endpoints of the ${name}`, statusTable(ofAny), ...ofEach].join(
    '\n\n',
  );
}

/** Endpoints with the same messages share a heading. */
function headingOf(paths: string[]): string {
  return paths.length === 1 ? `### ${paths[0]}` : `### ${paths.map((path) => path.split(':', 1)[0]).join(', ')}`;
}

function isCommon({ contracts: its }: CataloguedMessage): boolean {
  return its.length === contracts.length;
}

function codeTable(contract: ContractName): string {
  const rows = codes[contract].map(({ status, code, meaning, todo }) =>
    contract === 'warehouse'
      ? `| ${status} | \`${code}\` | ${meaning} | ${todo} |`
      : `| ${status} | ${meaning} | ${todo} |`,
  );
  const head =
    contract === 'warehouse'
      ? ['| HTTP | code | meaning | what to do |', '|---|---|---|---|']
      : ['| HTTP | meaning | what to do |', '|---|---|---|'];
  return [...head, ...rows].join('\n');
}

function statusTable(entries: CataloguedMessage[]): string {
  const inOrder = entries.toSorted((one, other) => one.status - other.status);
  const rows = inOrder.map(
    (entry) =>
      `| ${entry.status} | \`${shownMessage(entry)}\` | ${linkedCode(entry)} | ${entry.cause} | ${entry.fix} |`,
  );
  return ['| HTTP | message | code in `errors` | cause | fix |', '|---|---|---|---|---|', ...rows].join('\n');
}

function linkedCode({ error }: CataloguedMessage): string {
  const code = codesOfMessages[error];
  return `[\`${code}\`](#${code})`;
}

function renderCommon(): string {
  const common = errorCatalogue.filter((entry) => isCommon(entry) && !entry.operations);
  const about = (what: CataloguedMessage['about']) => common.filter((entry) => entry.about === what);
  return `
## All three contracts

### The HTTP request

${statusTable(about('request'))}

### A body that cannot be read

HTTP 400. Positions count from 0.

${messageTable(about('body'))}

### Fields

HTTP 400. The message starts with the path of the field: \`details[0].qty must be >= 1\`. In the list of errors, the path is in \`path\`, and the message starts after it.

${messageTable(about('field'))}
`.trim();
}
