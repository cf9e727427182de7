import { type Command, InvalidArgumentError, Option } from 'commander';
import { Instant } from '../contract/values.ts';
import { formatStored } from '../messages/format-message.ts';
import { type CallbackKey, callbackStatuses } from '../server/domain/callbacks/callback.ts';
import {
  type CallbackInFull,
  findCallbackKeys,
  findCallbacks,
  findKeysOfEvents,
  type SelectedCallback,
} from '../server/domain/callbacks/callback-search-queries.ts';
import { redeliverInBatches } from '../server/domain/callbacks/redeliver-callbacks.ts';
import { maskCallbacks } from '../server/domain/orders/mask-callbacks.ts';
import { accountIdsOf } from '../server/domain/partners/partner-queries.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import type { Condition, Page, Search } from '../server/platform/postgres/keyset-search.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { checkedBy } from './checked-option.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { limitOption } from './limit-option.ts';
import { listenCommand } from './listen-for-callbacks.ts';
import { formatTime } from './look.ts';
import { storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';
import { testCommand } from './test-callback.ts';

/** `lading callbacks`: delivered and pending callbacks. */
export function callbacksCommand() {
  const group = makeCommand('callbacks').description('list, inspect, redeliver, try and receive callbacks');
  group.addCommand(listCommand());
  group.addCommand(showCommand());
  group.addCommand(redeliverCommand());
  group.addCommand(testCommand());
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
    .option('--account <account_no>', 'only callbacks of this account')
    .addOption(new Option('--status <status>', 'only callbacks with this status').choices(callbackStatuses))
    .option('--event <event>', 'only callbacks with this event, such as order.shipped')
    .option('--document <number>', "only callbacks of the document with this partner's number")
    .option(
      '--from <time>',
      'only callbacks created at this time or later, such as 2026-11-15T09:00:00+08:00',
      checkedBy(Instant),
    )
    .option('--to <time>', 'only callbacks created before this time', checkedBy(Instant));
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
  const accountIds = await database.read(noAccounts, (sql) => accountIdsOf(sql, accountNo ?? null));
  if (accountNo !== undefined && accountIds.length === 0)
    throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
  return accountIds;
}

const listedDefault = 50;
const listedMax = 500;

function listCommand() {
  const command = storeCommand(
    'list',
    'list callbacks, newest first',
    async (store, _config, options: Selection & { limit: number }) => {
      const pageSize = options.limit;
      const accountIds = await accountsOf(store.database, options.account);
      const found = await newestOf(store.database, { accountIds, filters: filtersOf(options) }, pageSize);
      const rows = await store.database.read(accountIds, (sql) => maskCallbacks(sql, found));
      return { json: rows.map(answerOf), text: formatTable(rows.map(lineOf), 'no callbacks found') };
    },
  );
  return withSelection(command).addOption(limitOption(listedDefault, listedMax));
}

/** Reads several pages if necessary: a page may have fewer rows than requested even if more follow. */
async function newestOf(
  database: Database,
  search: Pick<Search, 'accountIds' | 'filters'>,
  limit: number,
): Promise<CallbackInFull[]> {
  const found: CallbackInFull[] = [];
  let after: Search['after'] = null;
  do {
    const page: Page<CallbackInFull> = await database.read(search.accountIds, (sql) =>
      findCallbacks(sql, { ...search, sort: null, pageSize: limit - found.length, after }),
    );
    found.push(...page.rows);
    after = page.next;
  } while (after !== null && found.length < limit);
  return found;
}

function lineOf({
  event_id,
  event,
  document_no,
  sequence,
  status,
  attempts,
  next_attempt_at,
  created_at,
}: CallbackInFull) {
  const last = attempts.at(-1);
  return {
    event_id,
    event,
    document_no,
    seq: sequence,
    status,
    tries: attempts.length,
    last: last ? (last.http_status ?? formatStored(last.error)) : null,
    next: status === 'pending' ? next_attempt_at : null,
    created: created_at,
  };
}

function answerOf({
  account_id: _,
  callback_id: __,
  document_id: _id,
  bytes: ___,
  attempts,
  ...callback
}: CallbackInFull) {
  return {
    ...callback,
    attempts: attempts.map(({ callback_id: ____, ...attempt }) => ({ ...attempt, error: formatStored(attempt.error) })),
  };
}

function showCommand() {
  return storeCommand(
    'show',
    'show one callback with its body, attempts and responses; recipients are masked',
    async (store, _config, eventId: string) => {
      const callback = await findOne(store.database, eventId);
      if (!callback) throw new Failure(exitCodes.refused, 'there is no callback with this event ID');
      return { json: answerOf(callback), text: formatCallback(callback) };
    },
  ).argument('<event-id>', 'event ID, as shown in the list', eventIdOf);
}

function eventIdOf(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError('must be an event_id.');
  return text.toLowerCase();
}

async function findOne(database: Database, eventId: string): Promise<CallbackInFull | undefined> {
  const [key] = await database.read(noAccounts, (sql) => findKeysOfEvents(sql, [eventId]));
  if (key === undefined) return undefined;
  const search = {
    accountIds: [key.accountId],
    filters: { event_id: { anyOf: [eventId] } },
    sort: null,
    pageSize: 1,
    after: null,
  };
  const [callback] = await database.read(search.accountIds, async (sql) =>
    maskCallbacks(sql, (await findCallbacks(sql, search)).rows),
  );
  return callback;
}

function formatCallback(callback: CallbackInFull): string {
  const { event_id, event, document_type, document_no, sequence, status, next_attempt_at, attempts, body } = callback;
  const facts: [string, unknown][] = [
    ['event', `${event} (${event_id})`],
    ['document', `${document_type} ${document_no}, callback ${sequence} of this document`],
    ['happened', formatTime(callback.occurred_at)],
    ['to', callback.url],
    [
      'status',
      status === 'pending'
        ? `pending, next attempt ${next_attempt_at === null ? 'after the previous callback' : formatTime(next_attempt_at)}`
        : status,
    ],
  ];
  const lines = attempts.map(({ at, duration_ms, http_status, error, address, response }, index) => {
    const answer = response ? `\n     ${response.trimEnd().replaceAll('\n', '\n     ')}` : '';
    return `  ${index + 1}. ${formatTime(at)}  ${http_status ?? formatStored(error)}  (${address ?? 'not connected'}, ${duration_ms} ms)${answer}`;
  });
  return [
    ...facts.map(([label, value]) => `${label.padEnd(10)}${value}`),
    callback.body_erased_at === null ? 'body' : `body, erased on ${formatTime(callback.body_erased_at)}`,
    JSON.stringify(JSON.parse(body), null, 2).replace(/^/gm, '  '),
    lines.length > 0 ? 'attempts' : 'not attempted yet',
    ...lines,
  ].join('\n');
}

const redeliveredMax = 1_000_000;

function redeliverCommand() {
  const command = storeCommand(
    'redeliver',
    'redeliver callbacks: those with these event IDs, or all that match the options',
    async (store, _config, eventIds: string[], options: Selection & { dryRun?: boolean }) => {
      const callbacks =
        eventIds.length > 0
          ? await keysOfEvents(store.database, eventIds, options)
          : await keysOfAll(store.database, options);
      const erased = callbacks.filter(({ isErased }) => isErased).length;
      const count = options.dryRun ? callbacks.length - erased : await redeliverAll(store.database, callbacks);
      const text = `${count} callback${count === 1 ? '' : 's'} ${options.dryRun ? 'would be' : 'will be'} redelivered`;
      const left = erased === 0 ? '' : `; ${erased} cannot be, because the body was erased with the recipient`;
      return { json: { count, erased, dry_run: options.dryRun ?? false }, text: text + left };
    },
  ).argument('[event-ids...]', 'event IDs, as shown in the list', (text: string, before: string[] = []) => [
    ...before,
    eventIdOf(text),
  ]);
  return withSelection(command).option('--dry-run', 'only count them');
}

async function keysOfEvents(database: Database, eventIds: string[], options: Selection): Promise<SelectedCallback[]> {
  const isFiltered = Object.keys(filtersOf(options)).length > 0 || options.account !== undefined;
  if (isFiltered)
    throw new Failure(exitCodes.wrongUsage, 'select callbacks either by event IDs or by options, not both');
  const found = await database.read(noAccounts, (sql) => findKeysOfEvents(sql, eventIds));
  const known = new Set(found.map(({ eventId }) => eventId));
  const unknown = eventIds.filter((eventId) => !known.has(eventId));
  if (unknown.length > 0)
    throw new Failure(
      exitCodes.refused,
      'there are no callbacks with these event IDs; nothing was redelivered:',
      unknown,
    );
  return found;
}

async function keysOfAll(database: Database, options: Selection): Promise<SelectedCallback[]> {
  const filters = filtersOf(options);
  if (Object.keys(filters).length === 0)
    throw new Failure(exitCodes.wrongUsage, 'select callbacks by event IDs or by options such as --status failed');
  const accountIds = await accountsOf(database, options.account);
  return await database.read(accountIds, (sql) => findCallbackKeys(sql, { accountIds, filters }, redeliveredMax));
}

async function redeliverAll(database: Database, callbacks: CallbackKey[]): Promise<number> {
  const { count: redelivered } = await redeliverInBatches(database, callbacks, (count) => {
    if (callbacks.length > progressFrom) process.stderr.write(`${count} of ${callbacks.length}\n`);
  });
  return redelivered;
}

const progressFrom = 5000;
