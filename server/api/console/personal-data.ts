import { orderForget, orderSearchByRecipient, orderViewRecipient } from '../../../contract/console/orders.ts';
import { type PersonalData, systemPersonalData } from '../../../contract/console/system.ts';
import { lastActions } from '../../domain/operators/action-queries.ts';
import type { ErasureReport } from '../../domain/recipients/erasure-report.ts';
import { lastErasures } from '../../domain/recipients/erasure-report-queries.ts';
import { countRecipients } from '../../domain/recipients/recipient-count-queries.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { memoize } from '../../platform/limits/memoize.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

const keptMs = 1000;
const erasuresMax = 10;
const actionsMax = 20;
const recipientActions = [orderViewRecipient, orderSearchByRecipient, orderForget].map(({ path }) => path.slice(1));

/** For the data protection officer: settings, counts and the log of views. */
export function systemPersonalDataCall({ database, clock, recipientRetentionDays }: ConsoleParts): ConsoleEndpoint {
  async function look(): Promise<PersonalData> {
    const [ages, erasures, actions] = await Promise.all([
      database.read(noAccounts, (sql) => countRecipients(sql, clock.now())),
      database.read(noAccounts, (sql) => lastErasures(sql, erasuresMax)),
      database.read(noAccounts, (sql) => lastActions(sql, recipientActions, actionsMax)),
    ]);
    return {
      retention_days: recipientRetentionDays,
      ages: ages.map(({ fromDays, toDays, count, isMore }) => ({
        from_days: fromDays,
        to_days: toDays,
        count,
        is_more: isMore,
      })),
      erasures: erasures.map(toErasure),
      actions: actions.map(({ operator_action_id, username, ...action }) => ({
        ...action,
        row_key: String(operator_action_id),
        who: username,
      })),
    };
  }
  const kept = memoize(look, { clock, keptMs });
  return consoleEndpoint(systemPersonalData, { role: 'admin', audit: null, handle: kept });
}

function toErasure(report: ErasureReport): PersonalData['erasures'][number] {
  const { recipientErasureId, startedAt, finishedAt, actor, endedBefore, orders, callbacks, notes } = report;
  return {
    recipient_erasure_id: recipientErasureId,
    started_at: taipeiInstant(startedAt),
    finished_at: finishedAt && taipeiInstant(finishedAt),
    actor,
    ended_before: taipeiInstant(endedBefore),
    orders,
    callbacks,
    notes,
  };
}
