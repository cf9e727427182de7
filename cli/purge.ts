import { InvalidArgumentError, Option } from 'commander';
import { formatMessage } from '../messages/format-message.ts';
import { previewPurge } from '../server/domain/purge/preview-purge.ts';
import {
  addCounts,
  describeCounts,
  madeBeforeOf,
  nothingPurged,
  type PurgeReport,
} from '../server/domain/purge/purge-report.ts';
import { lastReports } from '../server/domain/purge/purge-report-queries.ts';
import { purgeUat } from '../server/domain/purge/purge-uat.ts';
import type { Store } from '../server/open-store.ts';
import { readDatabaseTime } from '../server/platform/postgres/database-clock.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';
import { makeProgress } from './progress.ts';
import { type CommandResult, storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';

const reportsShown = 20;
const olderThanDaysMax = 36_500;

interface PurgeOptions {
  dryRun?: boolean;
  olderThan?: number;
  reports?: boolean;
}

/** `lading purge`: deletes documents past their retention period, as the service does every hour. */
export function purgeCommand() {
  return storeCommand(
    'purge',
    'purge documents of UAT accounts past their retention period, including their movements',
    async (store, config, options: PurgeOptions) => {
      if (options.reports) return await listReports(store);
      const days = options.olderThan ?? config.uatRetentionDays;
      const madeBefore = madeBeforeOf(await readDatabaseTime(store.database), days);
      return options.dryRun ? await preview(store, madeBefore, days) : await purge(store, madeBefore, days);
    },
  )
    .addOption(
      new Option('--dry-run', 'only count the documents that would be purged, by account').conflicts('reports'),
    )
    .addOption(
      new Option('--older-than <days>', 'override UAT_RETENTION_DAYS; 0: all documents of UAT accounts')
        .argParser(daysOf)
        .conflicts('reports'),
    )
    .option('--reports', `list the last ${reportsShown} purges`);
}

function daysOf(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= olderThanDaysMax))
    throw new InvalidArgumentError(`It must be a whole number between 0 and ${olderThanDaysMax}.`);
  return days;
}

async function purge(store: Store, madeBefore: Date, days: number): Promise<CommandResult> {
  const onProgress = makeProgress();
  let purged = nothingPurged;
  const report = await purgeUat(store.database, {
    madeBefore,
    actor: `lading purge (${userName()})`,
    onBatch(counts) {
      purged = addCounts(purged, counts);
      onProgress(`purged so far: ${formatMessage(describeCounts(purged))}`);
    },
  });
  if (report === null) return { json: { report: null }, text: formatNothing(days) };
  return { json: { report: answerOf(report) }, text: `purged ${formatMessage(describeCounts(report))}` };
}

async function preview(store: Store, madeBefore: Date, days: number): Promise<CommandResult> {
  const accounts = (await previewPurge(store.database, madeBefore, makeProgress())).map(({ accountNo, ...counts }) => ({
    account_no: accountNo,
    ...counts,
  }));
  const text = formatTable(accounts, formatNothing(days));
  return { json: { made_before: madeBefore, accounts }, text };
}

function formatNothing(days: number): string {
  return `nothing to purge: no document of a UAT account is older than ${days} days`;
}

async function listReports(store: Store): Promise<CommandResult> {
  const reports = (await store.database.read(noAccounts, (sql) => lastReports(sql, reportsShown))).map(answerOf);
  return { json: reports, text: formatTable(reports, 'nothing has been purged yet') };
}

function answerOf({ purgeId, startedAt, finishedAt, actor, madeBefore, unitsKept, ...counts }: PurgeReport) {
  return {
    purge_id: purgeId,
    started_at: startedAt,
    finished_at: finishedAt,
    actor,
    made_before: madeBefore,
    orders: counts.orders,
    inbounds: counts.inbounds,
    movements: counts.movements,
    callbacks: counts.callbacks,
    units_kept: unitsKept,
  };
}
