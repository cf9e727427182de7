import {
  type CallbackListRow,
  callbackDetail,
  callbackRedeliver,
  callbackRedeliverCount,
  callbackRedeliverFiltered,
  callbackRedeliverFilteredMax,
  callbackSearch,
  callbackTest,
  type ReceiverRow,
  receiverList,
  receiverPause,
  receiverResume,
  receiversListedMax,
} from '../../../contract/console/callbacks.ts';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { readMessage } from '../../../messages/message.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { callbackStatuses, type Lane, receiverIdOf } from '../../domain/callbacks/callback.ts';
import {
  type CallbackHistory,
  findCallbackHistory,
  findListedCallbacks,
  type ListedCallback,
} from '../../domain/callbacks/callback-list-queries.ts';
import { findKeysOfIds } from '../../domain/callbacks/callback-search-queries.ts';
import { headersOfOneTry, lastingHeaders } from '../../domain/callbacks/callback-signature.ts';
import { pauseReceiver, resumeReceiver } from '../../domain/callbacks/pause-receiver.ts';
import {
  countFailed,
  countWaiting,
  type FoundReceiver,
  findReceivers,
} from '../../domain/callbacks/receiver-queries.ts';
import { countSelection, redeliverSelection } from '../../domain/callbacks/redeliver-selection.ts';
import { maskCallbacks } from '../../domain/orders/mask-callbacks.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { ProblemError } from '../../http/problem.ts';
import { distinct } from '../../platform/distinct.ts';
import { pick } from '../../platform/pick.ts';
import type { Condition } from '../../platform/postgres/keyset-search.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { type AuditedAction, type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import {
  type AccountNoOf,
  accountIdsOf,
  accountNosOf,
  listPage,
  mistakeAt,
  sortBy,
  wholeDays,
} from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Callbacks and their receivers. */
export function callbackEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    callbacksSearchCall(parts),
    callbacksDetailCall(parts),
    callbacksRedeliverCall(parts),
    callbacksRedeliverCountCall(parts),
    callbacksRedeliverFilteredCall(parts),
    callbacksTestCall(parts),
    receiversListCall(parts),
    receiversPauseCall(parts),
    receiversResumeCall(parts),
  ];
}

function callbacksSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackSearch, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const { accounts: _, page_size: __, cursor: ___, counted: ____, sort = 'created', reversed, ...selection } = body;
      return await listPage(
        parts,
        caller,
        body,
        {
          list: 'callbacks',
          filters: filtersOf(selection),
          sort: sortBy({ field: `${sort}_at`, descending: true }, reversed),
          tabs: { field: 'status', values: callbackStatuses },
        },
        findListedCallbacks,
        toCallback,
      );
    },
  });
}

/** The request as filters of the list. */
export function filtersOf(
  selection: Omit<BodyOf<typeof callbackRedeliverCount>, 'accounts'>,
): Record<string, Condition> {
  const { status, event, document_type, document_no, receiver_id, created_from, created_to } = selection;
  const created_at = wholeDays(created_from, created_to);
  return {
    ...(status && { status: { anyOf: status } }),
    ...(event && { event: { anyOf: event } }),
    ...(document_type && { document_type: { anyOf: document_type } }),
    ...(document_no === undefined ? {} : { document_no: { anyOf: [document_no] } }),
    ...(receiver_id === undefined ? {} : { receiver_id: { anyOf: [receiver_id] } }),
    ...(created_at && { created_at }),
  };
}

export function toCallback(callback: ListedCallback, accountNoOf: AccountNoOf): CallbackListRow {
  const { last_attempt: last } = callback;
  return {
    callback_id: callback.callback_id,
    account_no: accountNoOf(callback.account_id),
    event_id: callback.event_id,
    event: callback.event as CallbackListRow['event'],
    document_type: callback.document_type,
    document_id: callback.document_id,
    test: callback.test,
    document_no: callback.document_no,
    sequence: callback.sequence,
    receiver_id: callback.receiver_id,
    url: callback.url,
    status: callback.status,
    attempts: last?.attempt_no ?? 0,
    last_attempt: last && { at: last.at, http_status: last.http_status, error: readMessage(last.error) },
    waits_for: callback.upcoming?.waits_for ?? null,
    next_attempt_at: callback.upcoming?.next_attempt_at ?? null,
    created_at: callback.created_at,
    updated_at: callback.updated_at,
  };
}

function callbacksDetailCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { callback_id }) {
      await directory.allNow();
      const callback = await database.read(noAccounts, (sql) => findHistory(sql, callback_id));
      if (callback === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_callback') });
      const { occurred_at, key_name, body, body_erased_at, receiver, attempts, document_callbacks } = callback;
      return {
        ...toCallback(callback, accountNosOf(directory)),
        occurred_at,
        key_name,
        headers: [
          ...Object.entries(lastingHeaders(callback.event_id)).map(([name, value]) => ({ name, value })),
          ...headersOfOneTry.map((name) => ({ name, value: null })),
        ],
        body,
        body_erased_at,
        receiver,
        attempt_list: attempts.map((attempt) => ({ ...attempt, error: readMessage(attempt.error) })),
        document_callbacks,
      };
    },
  });
}

async function findHistory(sql: Sql, callbackId: number): Promise<CallbackHistory | null> {
  const [key] = await findKeysOfIds(sql, [callbackId]);
  if (key === undefined) return null;
  const own = sql.forAccounts([key.accountId]);
  const callback = await findCallbackHistory(own, key);
  return callback && (await maskCallbacks(own, [callback]))[0]!;
}

function callbacksTestCall({ directory, guard, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackTest, {
    role: 'staff',
    audit: ({ account_no, ...details }) => ({ subject: account_no, accountNo: account_no, details }),
    async handle(_caller, { account_no, event, document_no = null, callback_url = null }) {
      const account = await directory.findNow(account_no);
      if (account === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_account') });
      const brokenRule = callback_url && guard.whyPlainlyRefused(callback_url);
      if (brokenRule) return { kind: 'refused' as const, reason: brokenRule };
      const test = { account, event, documentNo: document_no, callbackUrl: callback_url, keyName: null };
      const outcome = await operations.sendTestCallback(test);
      if (outcome.kind !== 'queued') return { kind: 'refused' as const, reason: outcome.kind };
      return { kind: 'queued' as const, event_id: outcome.eventId, url: outcome.url };
    },
  });
}

const countMax = callbackRedeliverFilteredMax;

function callbacksRedeliverCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliver, {
    role: 'staff',
    audit: ({ callback_ids }) => ({
      ...(callback_ids.length === 1 && { subject: String(callback_ids[0]) }),
      details: { callback_ids },
    }),
    async handle(_caller, { callback_ids }) {
      const callbacks = await database.read(noAccounts, (sql) => findKeysOfIds(sql, callback_ids));
      return { kind: 'redelivered' as const, ...(await operations.redeliver(callbacks)) };
    },
  });
}

function callbacksRedeliverCountCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliverCount, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { accounts, ...selection }) {
      return await countSelection(database, {
        accountIds: await accountIdsOf(directory, accounts),
        filters: filtersOf(selection),
        countMax,
      });
    },
  });
}

function callbacksRedeliverFilteredCall({ database, directory, cursors }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackRedeliverFiltered, {
    role: 'staff',
    audit: ({ cursor, ...details }) => ({ details: { ...details, goes_on: cursor !== undefined } }),
    async handle(_caller, { accounts, expected_count: expectedCount, cursor, ...selection }) {
      const accountIds = await accountIdsOf(directory, accounts);
      const filters = filtersOf(selection);
      const scope = { list: 'console/callbacks/redeliver', accountIds, search: { filters, sort: null } };
      const after = cursor === undefined ? null : cursors.read(scope, cursor);
      if (cursor !== undefined && after === null) throw mistakeAt('cursor', rejection('cursor_of_other_selection'));
      const outcome = await redeliverSelection(database, { accountIds, filters, countMax }, { expectedCount, after });
      if (outcome.kind !== 'redelivered') return outcome;
      const { next, ...redelivered } = outcome;
      return { ...redelivered, next_cursor: next === null ? null : cursors.write(scope, next) };
    },
  });
}

const waitingCountedMax = 1000;
const failedLookedAtMax = 1000;

function receiversListCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(receiverList, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { accounts, state, address, receiver_id }) {
      const selection = {
        accountIds: await accountIdsOf(directory, accounts),
        ...(state && { states: state }),
        ...(address !== undefined && { address }),
        ...(receiver_id !== undefined && { receiverId: receiver_id }),
      };
      const found = await database.read(selection.accountIds, (sql) =>
        findReceivers(sql, selection, receiversListedMax + 1),
      );
      const listed = found.slice(0, receiversListedMax);
      const listedAccountIds = distinct(listed.map(({ account_id }) => account_id));
      const [waiting, failed] = await database.read(listedAccountIds, (sql) =>
        Promise.all([
          countWaiting(sql, listed.map(laneOfReceiver), waitingCountedMax),
          countFailed(sql, listedAccountIds, failedLookedAtMax),
        ]),
      );
      const waitingOf = new Map(waiting.map((one) => [one.receiver_id, one]));
      const failedOf = new Map(failed.map((one) => [one.receiver_id, one]));
      const accountNoOf = accountNosOf(directory);
      const receivers = listed.map((receiver): ReceiverRow => {
        const queued = waitingOf.get(receiver.receiver_id);
        const ended = failedOf.get(receiver.receiver_id);
        return {
          ...toReceiver(receiver, accountNoOf),
          waiting: { count: queued?.count ?? 0, is_capped: queued?.count === waitingCountedMax },
          oldest_waiting_at: queued?.oldest_at ?? null,
          failed: { count: ended?.count ?? 0, is_capped: ended?.is_capped ?? false },
        };
      });
      return { receivers, has_more: found.length > receiversListedMax };
    },
  });
}

function laneOfReceiver({ account_id, receiver_id }: FoundReceiver): Lane {
  return { accountId: account_id, receiverId: receiver_id };
}

function toReceiver(receiver: FoundReceiver, accountNoOf: AccountNoOf) {
  return {
    account_no: accountNoOf(receiver.account_id),
    ...pick(receiver, 'receiver_id, address, state, failures, rejects'),
    on_hold_until: receiver.state === 'on_hold' ? receiver.on_hold_until : null,
    ...pick(receiver, 'last_success_at, last_failure_at, paused_at, paused_by'),
  };
}

interface NamedReceiver {
  account_no: string;
  address: string;
}

function receiversPauseCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(receiverPause, {
    role: 'admin',
    audit: auditOf,
    async handle({ session }, named) {
      const lane = await laneNamed(directory, named);
      const outcome = await database.transaction([lane.accountId], (tx) => pauseReceiver(tx, lane, session.username));
      if (outcome === 'not_found') throw noReceiver();
      return { kind: outcome };
    },
  });
}

function receiversResumeCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(receiverResume, {
    role: 'admin',
    audit: auditOf,
    async handle(_caller, named) {
      const lane = await laneNamed(directory, named);
      const outcome = await database.transaction([lane.accountId], (tx) => resumeReceiver(tx, lane));
      if (outcome === 'not_found') throw noReceiver();
      return { kind: outcome };
    },
  });
}

/** The subject is in an index, which takes no more than 2,700 bytes. */
const subjectMax = 500;

function auditOf({ account_no, address }: NamedReceiver): AuditedAction {
  return { subject: address.slice(0, subjectMax), accountNo: account_no };
}

async function laneNamed(directory: AccountDirectory, { account_no, address }: NamedReceiver): Promise<Lane> {
  const account = await directory.findNow(account_no);
  if (account === null) throw noReceiver();
  const { accountId } = account;
  return { accountId, receiverId: receiverIdOf(accountId, address) };
}

function noReceiver(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_receiver') });
}
