import { type ReceiverRow, receiverList, receiversListedMax } from '../../../contract/console/receiver-list.ts';
import { countFailed, countWaiting, type FoundReceiver, findReceivers } from '../../domain/callbacks/receiver-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, accountIdsOf, accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

const waitingCountedMax = 1000;
const failedLookedAtMax = 1000;

export function receiversListCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
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
      const found = await database.read((sql) => findReceivers(sql, selection, receiversListedMax + 1));
      const listed = found.slice(0, receiversListedMax);
      const [waiting, failed] = await database.read((sql) =>
        Promise.all([
          countWaiting(
            sql,
            listed.map(({ receiver_id }) => receiver_id),
            waitingCountedMax,
          ),
          countFailed(sql, [...new Set(listed.map(({ account_id }) => account_id))], failedLookedAtMax),
        ]),
      );
      const waitingOf = new Map(waiting.map((one) => [one.receiver_id, one]));
      const failedOf = new Map(failed.map((one) => [one.receiver_id, one]));
      const accountNoOf = accountNosOf(directory);
      const receivers = listed.map((receiver): ReceiverRow => {
        const queued = waitingOf.get(receiver.receiver_id);
        const ended = failedOf.get(receiver.receiver_id);
        return {
          ...wordReceiver(receiver, accountNoOf),
          waiting: { count: queued?.count ?? 0, is_capped: queued?.count === waitingCountedMax },
          oldest_waiting_at: queued?.oldest_at ?? null,
          failed: { count: ended?.count ?? 0, is_capped: ended?.is_capped ?? false },
        };
      });
      return { receivers, has_more: found.length > receiversListedMax };
    },
  });
}

function wordReceiver({ account_id, ...receiver }: FoundReceiver, accountNoOf: AccountNoOf) {
  const { receiver_id, address, state, failures, rejects, left_alone_until, last_success_at, last_failure_at, paused_at, paused_by } =
    receiver;
  return {
    receiver_id,
    account_no: accountNoOf(account_id),
    address,
    state,
    failures,
    rejects,
    left_alone_until: state === 'left_alone' ? left_alone_until : null,
    last_success_at,
    last_failure_at,
    paused_at,
    paused_by,
  };
}
