import { type Command, InvalidArgumentError, Option } from 'commander';
import { Instant } from '../contract/values.ts';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { callbackStatuses } from '../server/domain/callbacks/callback.ts';
import {
  accountOfEvent,
  type CallbackInFull,
  callbackIdsOfEvents,
  findCallbackIds,
  findCallbacks,
} from '../server/domain/callbacks/callback-search-queries.ts';
import { redeliverInBatches } from '../server/domain/callbacks/redeliver-callbacks.ts';
import { accountIdsOf } from '../server/domain/partners/partner-queries.ts';
import type { Database } from '../server/platform/database.ts';
import type { Condition, Page, Search } from '../server/platform/keyset-search.ts';
import { checkedBy } from './checked-option.ts';
import { limitOption } from './limit-option.ts';
import { listenCommand } from './listen-for-callbacks.ts';
import { storeCommand, wordTable } from './store-command.ts';

/** `lading callbacks`: what partners were told, or still are to be told. */
export function callbacksCommand() {
  const group = makeCommand('callbacks').description('list, inspect and send again what partners are told; or receive it');
  group.addCommand(listCommand());
  group.addCommand(showCommand());
  group.addCommand(redeliverCommand());
  group.addCommand(listenCommand());
  return group;
}

interface Selection {
  account?: string;
  status?: string;
  event?: string;
  document?: string;
  from?: string;
  to?: string;
}

function withSelection(command: Command): Command {
  return command
    .option('--account <account_no>', 'of this account only')
    .addOption(new Option('--status <status>', 'of this status only').choices(callbackStatuses))
    .option('--event <event>', 'of this kind only, such as order.shipped')
    .option('--document <number>', "of this document only: the partner's number")
    .option('--from <time>', 'written at this time or later, such as 2026-11-15T09:00:00+08:00', checkedBy(Instant))
    .option('--to <time>', 'written before this time', checkedBy(Instant));
}

function filtersOf({ status, event, document, from, to }: Selection): Record<string, Condition> {
  const during = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
  return {
    ...(status === undefined ? {} : { status: { anyOf: [status] } }),
    ...(event === undefined ? {} : { event: { anyOf: [event] } }),
    ...(document === undefined ? {} : { document_no: { anyOf: [document] } }),
    ...(Object.keys(during).length === 0 ? {} : { created_at: during }),
  };
}

async function accountsOf(database: Database, accountNo: string | undefined): Promise<number[]> {
  const accountIds = await database.read((sql) => accountIdsOf(sql, accountNo ?? null));
  if (accountNo !== undefined && accountIds.length === 0) throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
  return accountIds;
}

const listedDefault = 50;
const listedMax = 500;

function listCommand() {
  const command = storeCommand(
    'list',
    'list callbacks, the newest first',
    async (store, _config, options: Selection & { limit: number }) => {
      const pageSize = options.limit;
      const accountIds = await accountsOf(store.database, options.account);
      const rows = await newestOf(store.database, { accountIds, filters: filtersOf(options) }, pageSize);
      return { json: rows.map(answerOf), words: wordTable(rows.map(lineOf), 'there is no such callback') };
    },
  );
  return withSelection(command).addOption(limitOption(listedDefault, listedMax));
}

/** A page may hold fewer than asked for although others follow. */
async function newestOf(database: Database, search: Pick<Search, 'accountIds' | 'filters'>, limit: number): Promise<CallbackInFull[]> {
  const found: CallbackInFull[] = [];
  let after: Search['after'] = null;
  do {
    const page: Page<CallbackInFull> = await database.read((sql) =>
      findCallbacks(sql, { ...search, sort: null, pageSize: limit - found.length, after }),
    );
    found.push(...page.rows);
    after = page.next;
  } while (after !== null && found.length < limit);
  return found;
}

function lineOf({ event_id, event, document_no, sequence, status, attempts, next_attempt_at, created_at }: CallbackInFull) {
  const last = attempts.at(-1);
  return {
    event_id,
    event,
    document_no,
    seq: sequence,
    status,
    tries: attempts.length,
    last: last ? (last.http_status ?? last.error) : null,
    next_try: status === 'pending' ? next_attempt_at : null,
    written: created_at,
  };
}

function answerOf({ callback_id: _, bytes: __, attempts, ...callback }: CallbackInFull) {
  return { ...callback, attempts: attempts.map(({ callback_id: ___, ...attempt }) => attempt) };
}

function showCommand() {
  return storeCommand('show', 'show one callback, what was sent and what was answered', async (store, _config, eventId: string) => {
    const callback = await findOne(store.database, eventId);
    if (!callback) throw new Failure(exitCodes.refused, 'there is no callback of this event');
    return { json: answerOf(callback), words: wordCallback(callback) };
  }).argument('<event-id>', 'as the list shows it', eventIdOf);
}

function eventIdOf(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError('must be an event_id.');
  return text.toLowerCase();
}

async function findOne(database: Database, eventId: string): Promise<CallbackInFull | undefined> {
  const accountId = await database.read((sql) => accountOfEvent(sql, eventId));
  if (accountId === null) return undefined;
  const search = { accountIds: [accountId], filters: { event_id: { anyOf: [eventId] } }, sort: null, pageSize: 1, after: null };
  return (await database.read((sql) => findCallbacks(sql, search))).rows[0];
}

function wordCallback(callback: CallbackInFull): string {
  const { event_id, event, document_type, document_no, sequence, url, status, next_attempt_at, occurred_at, attempts, body } = callback;
  const facts: [string, unknown][] = [
    ['event', `${event} (${event_id})`],
    ['document', `${document_type} ${document_no}, callback ${sequence} of it`],
    ['happened', occurred_at],
    ['to', url],
    ['status', status === 'pending' ? `pending, next try ${next_attempt_at ?? 'after the one before it'}` : status],
  ];
  const tries = attempts.map(({ at, duration_ms, http_status, error, address, response }, index) => {
    const answer = response ? `\n     ${response.trimEnd().replaceAll('\n', '\n     ')}` : '';
    return `  ${index + 1}. ${at}  ${http_status ?? error}  (${address ?? 'not dialled'}, ${duration_ms} ms)${answer}`;
  });
  return [
    ...facts.map(([label, value]) => `${label.padEnd(10)}${value}`),
    'body',
    JSON.stringify(JSON.parse(body), null, 2).replace(/^/gm, '  '),
    tries.length > 0 ? 'tries' : 'not tried yet',
    ...tries,
  ].join('\n');
}

const redeliveredMax = 1_000_000;

function redeliverCommand() {
  const command = storeCommand(
    'redeliver',
    'send callbacks again: those of these events, or all that fit the options',
    async (store, _config, eventIds: string[], options: Selection & { dryRun?: boolean }) => {
      const callbackIds =
        eventIds.length > 0 ? await idsOfEvents(store.database, eventIds, options) : await idsOfAll(store.database, options);
      const count = options.dryRun ? callbackIds.length : await redeliverAll(store.database, callbackIds);
      const words = `${count} callback${count === 1 ? '' : 's'} ${options.dryRun ? 'would be' : 'will be'} sent again`;
      return { json: { count, dry_run: options.dryRun ?? false }, words };
    },
  ).argument('[event-ids...]', 'as the list shows them', (text: string, before: string[] = []) => [...before, eventIdOf(text)]);
  return withSelection(command).option('--dry-run', 'only count them');
}

async function idsOfEvents(database: Database, eventIds: string[], options: Selection): Promise<number[]> {
  const isFiltered = Object.keys(filtersOf(options)).length > 0 || options.account !== undefined;
  if (isFiltered) throw new Failure(exitCodes.wrongUsage, 'say which by event ids or by options, not by both');
  const found = await database.read((sql) => callbackIdsOfEvents(sql, eventIds));
  const unknown = eventIds.filter((eventId) => !found.has(eventId));
  if (unknown.length > 0) throw new Failure(exitCodes.refused, 'there is no callback of these events; nothing was sent again:', unknown);
  return [...found.values()];
}

async function idsOfAll(database: Database, options: Selection): Promise<number[]> {
  const filters = filtersOf(options);
  if (Object.keys(filters).length === 0)
    throw new Failure(exitCodes.wrongUsage, 'say which: event ids, or options such as --status failed');
  const accountIds = await accountsOf(database, options.account);
  return await database.read((sql) => findCallbackIds(sql, { accountIds, filters }, redeliveredMax));
}

async function redeliverAll(database: Database, callbackIds: number[]): Promise<number> {
  const { count: redelivered } = await redeliverInBatches(database, callbackIds, (count) => {
    if (callbackIds.length > progressFrom) process.stderr.write(`${count} of ${callbackIds.length}\n`);
  });
  return redelivered;
}

const progressFrom = 5000;
