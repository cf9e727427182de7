import { Readable } from 'node:stream';
import { type TProperties, Type } from 'typebox';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { exportFile, exportLists } from '../../../contract/console/exports.ts';
import { exportColumnTitles, exportListTitles } from '../../../messages/export-texts.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { beginAction, finishAction, type OperatorAction } from '../../domain/operators/action-queries.ts';
import { roleSuffices } from '../../domain/operators/operator.ts';
import { keepSeenPosition } from '../../domain/operators/session-queries.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { Incoming } from '../../http/incoming.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { csvByteOrderMark, csvLine } from '../../platform/csv.ts';
import { makeNormalizer } from '../../platform/json/normalize.ts';
import { makeChecker } from '../../platform/json/schema.ts';
import { makeCourteousPace } from '../../platform/limits/courteous-pace.ts';
import type { SharedCounts } from '../../platform/limits/shared-counts.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { type Cell, type SheetColumn, writeWorkbook } from '../../platform/xlsx.ts';
import { type ConsoleCaller, type ConsoleEndpoint, refuseBeforeEnrolment, roleMissing } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type ExportColumn, sayIn } from './export-columns.ts';
import { framed } from './export-frames.ts';
import { type ExportedList, type ExportParts, exportedLists } from './export-lists.ts';
import { fileTypes } from './file-types.ts';
import { refuseRestricted } from './own-warehouses.ts';

/** A page of an export. Larger pages are not faster, and others wait longer for the process. */
const rowsAtOnce = 250;
/** Per node: exports read many pages and must not slow down the lists of others. */
const exportsAtOnceMax = 4;

type Body = BodyOf<typeof exportFile>;

interface Wanted {
  list: ExportedList;
  endpoint: ConsoleEndpoint;
  filters: Record<string, unknown>;
  parts: ExportParts;
}

/**
 * `POST /console/api/exports/file`: a list as a file, read page by page as the client receives it. No transaction spans
 * two pages. The reading ends when the client disconnects.
 */
export function exportFileEndpoint(
  parts: ConsoleParts,
  lists: ConsoleEndpoint[],
  counts: SharedCounts,
): Endpoint<ConsoleCaller> {
  const ofNode = counts.level('exports');
  let underWay = 0;
  const read = makeReader(lists);
  return endpoint({
    path: exportFile.path,
    body: exportFile.body,
    admit({ session }: ConsoleCaller) {
      refuseBeforeEnrolment(session);
      if (!roleSuffices(session.role, 'staff')) throw roleMissing('staff', session);
    },
    async handle(caller: ConsoleCaller, body, request) {
      const wanted = read(caller, body);
      if (underWay + ofNode.others() >= exportsAtOnceMax)
        throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds: 10, reason: reason('too_many_exports') });
      ofNode.set(++underWay);
      try {
        const file = await openFile(parts, caller, wanted, body, request);
        file.once('close', () => ofNode.set(--underWay));
        return { body: file, headers: headersOf(body, parts.clock.now()) };
      } catch (error) {
        ofNode.set(--underWay);
        throw error;
      }
    },
  });
}

function headersOf({ list, format, progress }: Body, now: Date): Record<string, string> {
  const stamp = taipeiInstant(now).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return {
    'content-type': progress ? 'application/octet-stream' : fileTypes[format],
    'content-disposition': `attachment; filename="${list}-${stamp}.${format}"`,
  };
}

/** The request with the filters as the list's own call takes them; a wrong one is refused before anything is read. */
function makeReader(endpoints: ConsoleEndpoint[]) {
  const readers = new Map(
    exportLists.map((name) => {
      const { call } = exportedLists[name];
      const {
        page_size: _size,
        cursor: _cursor,
        before: _before,
        ...fields
      } = (call.body as unknown as { properties: TProperties }).properties;
      const schema = Type.Object(fields, { additionalProperties: false });
      const found = endpoints.find((one) => one.call.path === call.path)!;
      return [name, { endpoint: found, normalize: makeNormalizer(schema), check: makeChecker(schema) }];
    }),
  );
  return ({ session }: ConsoleCaller, { list: name, filters, lines = false, recipients = false }: Body): Wanted => {
    const list = exportedLists[name];
    const { endpoint: own, normalize, check } = readers.get(name)!;
    if (!roleSuffices(session.role, own.role)) throw roleMissing(own.role, session);
    if (own.warehouses === undefined) refuseRestricted(session);
    if (recipients && !roleSuffices(session.role, 'admin')) throw roleMissing('admin', session);
    const given = { lines, recipients };
    for (const part of ['lines', 'recipients'] as const)
      if (given[part] && !list.offers.includes(part)) throw mistakeAt(part, rejection('not_in_this_list'));
    const checked = check(normalize(filters));
    if (checked.kind === 'mistakes')
      throw new ProblemError({
        kind: 'invalid',
        mistakes: checked.mistakes.map((mistake) => ({ ...mistake, path: ['filters', ...mistake.path] })),
      });
    return { list, endpoint: own, filters: checked.value as Record<string, unknown>, parts: given };
  };
}

/** The audit log has an entry before anything is sent; its outcome is added at the end. */
async function openFile(
  { database, reads, directory, clock }: ConsoleParts,
  caller: ConsoleCaller,
  { list, endpoint: own, filters, parts }: Wanted,
  body: Body,
  request: Incoming,
): Promise<Readable> {
  const { session } = caller;
  const pages = pagesOf(caller, list, own, filters, request);
  // The first page shows whether the list takes the filters, while an error can still be sent.
  const first = await pages.next();
  const details = { format: body.format, ...parts, ...withoutPersons(filters) };
  const action = actionOf(caller, request, `list ${body.list}`, details);
  const actionId = await database.transaction(noAccounts, (tx) => beginAction(tx, action));
  const say = sayIn(body.language);
  const columns = list.columnsOf(parts) as ExportColumn<unknown>[];
  const progress = { rows: 0 };

  async function* rows(): AsyncGenerator<Cell[][]> {
    let isWhole = false;
    const pace = makeCourteousPace();
    try {
      for (let page = first; !page.done; page = await pages.next()) {
        const found = await list.rowsOf(page.value as never, { reads: caller.reads, directory, parts });
        progress.rows += found.length;
        if (found.length > 0) yield found.map((row) => columns.map(({ cell }) => cell(row, say) ?? null));
        await pace();
      }
      isWhole = true;
    } finally {
      const outcome = `${isWhole ? 'exported' : 'stopped after'} ${progress.rows}`;
      const shown = reads.textOf(caller.seen);
      const finish = async (tx: Tx) => {
        await finishAction(tx, actionId, outcome);
        if (shown !== null) await keepSeenPosition(tx, session.sessionId, shown);
      };
      await database.transaction(noAccounts, finish).catch(() => {});
    }
  }

  const index = body.language === 'en' ? 0 : 1;
  const titled = columns.map(({ title, kind }) => ({ title: exportColumnTitles[title][index], kind }));
  const file =
    body.format === 'csv'
      ? writeCsv(titled, rows())
      : writeWorkbook({
          name: exportListTitles[body.list][index],
          columns: titled,
          pages: rows(),
          at: clock.now(),
        });
  return body.progress ? framed(file, progress) : file;
}

function actionOf(
  { session: { username, role } }: ConsoleCaller,
  { ip: address, id: traceId }: Incoming,
  subject: string,
  details: Record<string, unknown>,
): OperatorAction {
  return { username, role, action: exportFile.path.slice(1), subject, accountNo: null, details, address, traceId };
}

async function* pagesOf(
  caller: ConsoleCaller,
  { nextPage }: ExportedList,
  { handle }: ConsoleEndpoint,
  filters: Record<string, unknown>,
  request: Incoming,
): AsyncGenerator<unknown> {
  let next: Record<string, unknown> | null = {};
  do {
    const answer: unknown = await handle(caller, { ...filters, page_size: rowsAtOnce, ...next } as never, request);
    yield answer;
    next = nextPage(answer as never);
  } while (next !== null);
}

function writeCsv(columns: SheetColumn[], pages: AsyncGenerator<Cell[][]>): Readable {
  async function* lines() {
    yield csvByteOrderMark + csvLine(columns.map(({ title }) => title));
    for await (const page of pages) yield page.map((row) => csvLine(row.map(toCsv))).join('');
  }
  const toCsv = (value: Cell, index: number): Cell =>
    typeof value === 'string' && columns[index]!.kind === 'time' ? value.slice(0, 19).replace('T', ' ') : value;
  return Readable.from(lines(), { objectMode: false });
}

/** Filters that are about a person. The audit log says that they were used, not for whom. */
const aboutPersons = /recipient|consignee|phone|customer/;

function withoutPersons(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, aboutPersons.test(name) ? '***' : value]),
  );
}
