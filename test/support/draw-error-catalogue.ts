import { errorCatalogue } from '../../contract/error-catalogue.ts';
import type { CataloguedMessage, ContractName } from '../../contract/errors/catalogued-message.ts';
import { codes } from '../../contract/errors/codes.ts';
import { messageTable, shownMessage } from '../../contract/errors/message-tables.ts';
import { logisticsReference } from '../../contract/logistics/reference.ts';
import { mainReference } from '../../contract/main/reference.ts';
import { warehouseReference } from '../../contract/warehouse/reference.ts';

const references = { warehouse: warehouseReference, main: mainReference, logistics: logisticsReference };
const contracts = Object.keys(references) as ContractName[];

/** docs/errors.md: the error catalogue as a page. */
export function drawErrorCatalogue(): string {
  return `${[introduction, ...contracts.map(drawContract), drawCommon()].join('\n\n')}\n`;
}

const introduction = `
# Errors

Every code and every message that you can get, why, and what helps. The tests of the service hold each refusal that they bring about against this list.

- Decide by the HTTP status, and in the warehouse API by \`code\`. Messages are for people; only those that the reference calls fixed are fixed to the letter.
- \`<...>\` stands for what differs from call to call.
- Below HTTP 500 a refusal has changed nothing. After a 5xx, or no answer, send the same again: [Idempotency and retries](idempotency-and-retries.md) says why that is safe.

## When you cannot find the reason

Every answer has the header \`trace-id\`, in the warehouse API also as \`trace_id\` in the body. Log it with every answer that is not a success: the [client](quickstart.md) has it in each error
as \`trace_id\`.

Send it to the operator and ask for \`lading doctor <trace id>\`. It tells what the answer could not: which header was missing, how far the clock was off, which of the usual mistakes in signing fits. The operator needs
neither your secret nor the body. Trace ids are kept for 30 days, unless the operator has set another time.
`.trim();

function drawContract(contract: ContractName): string {
  const { name, endpoints } = references[contract];
  const own = errorCatalogue.filter((entry) => entry.contracts.includes(contract) && (!isCommon(entry) || entry.operations));
  const ofAny = own.filter(({ operations }) => operations === undefined);
  const tables = new Map<string, string[]>();
  for (const { operationId, path, summary } of endpoints) {
    const entries = own.filter(({ operations }) => operations?.includes(operationId));
    if (entries.length > 0) tables.set(statusTable(entries), [...(tables.get(statusTable(entries)) ?? []), `\`${path}\`: ${summary}`]);
  }
  const ofEach = [...tables].flatMap(([table, paths]) => [headingOf(paths), table]);
  return [`## ${name}`, codeTable(contract), `### Any call of the ${name}`, statusTable(ofAny), ...ofEach].join('\n\n');
}

/** Endpoints that say the same stand together. */
function headingOf(paths: string[]): string {
  return paths.length === 1 ? `### ${paths[0]}` : `### ${paths.map((path) => path.split(':', 1)[0]).join(', ')}`;
}

function isCommon({ contracts: its }: CataloguedMessage): boolean {
  return its.length === contracts.length;
}

function codeTable(contract: ContractName): string {
  const rows = codes[contract].map(({ status, code, meaning, todo }) =>
    contract === 'warehouse' ? `| ${status} | \`${code}\` | ${meaning} | ${todo} |` : `| ${status} | ${meaning} | ${todo} |`,
  );
  const head =
    contract === 'warehouse'
      ? ['| HTTP | code | meaning | what to do |', '|---|---|---|---|']
      : ['| HTTP | meaning | what to do |', '|---|---|---|'];
  return [...head, ...rows].join('\n');
}

function statusTable(entries: CataloguedMessage[]): string {
  const inOrder = entries.toSorted((one, other) => one.status - other.status);
  const rows = inOrder.map((entry) => `| ${entry.status} | \`${shownMessage(entry)}\` | ${entry.cause} | ${entry.cure} |`);
  return ['| HTTP | message | why | what helps |', '|---|---|---|---|', ...rows].join('\n');
}

function drawCommon(): string {
  const common = errorCatalogue.filter((entry) => isCommon(entry) && !entry.operations);
  const about = (what: CataloguedMessage['about']) => common.filter((entry) => entry.about === what);
  return `
## All three contracts

### The request as such

${statusTable(about('request'))}

### A body that cannot be read

HTTP 400. Positions count from 0.

${messageTable(about('body'))}

### Fields

HTTP 400. The path of the field comes first: \`details[0].qty must be >= 1\`. Where a list of errors comes with the answer, each has its \`path\` and its \`message\`.

${messageTable(about('field'))}
`.trim();
}
