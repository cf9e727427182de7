import { formatMessage } from '../messages/format-message.ts';
import type { Config } from '../server/config.ts';
import { recordAudit } from '../server/domain/audit/audit-queries.ts';
import { type AuditResult, auditStock, describeAudited } from '../server/domain/audit/audit-stock.ts';
import { describeFinding, type Finding } from '../server/domain/audit/finding.ts';
import { type Repair, type RepairOutcome, repairAll } from '../server/domain/audit/repair-stock.ts';
import { openReadReplica } from '../server/open-read-replica.ts';
import type { Store } from '../server/open-store.ts';
import type { Reader } from '../server/platform/postgres/database.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { exitCodes } from './command-line.ts';
import { makeProgress } from './progress.ts';
import { storeCommand } from './store-command.ts';

/** `lading audit`: checks that all stock figures are consistent; with `--repair`, corrects those that are not. */
export function auditCommand() {
  return storeCommand(
    'audit',
    'check that every balance equals the sum of its movements, every allocation has an order, every inbound document matches its receipts, and no row refers to a missing one',
    async (store, config, options: { repair?: boolean }) => {
      const onProgress = makeProgress();
      const before = options.repair
        ? await auditStock(store.database, onProgress)
        : await withReads(store, config, (reads) => auditStock(reads, onProgress));
      const repairs = options.repair ? await repairAll(store.database, before.findings, 'lading audit --repair') : [];
      const after = repairs.length > 0 ? await auditStock(store.database, onProgress) : before;
      await store.database.transaction(noAccounts, (tx) =>
        recordAudit(tx, { lots: after.lots, orders: after.orders, findings: after.findings.length }),
      );
      if (after.findings.length > 0) process.exitCode = exitCodes.refused;
      return { json: answerOf(after, repairs), text: formatAudit(after, repairs) };
    },
  ).option('--repair', 'correct inconsistencies with adjust movements');
}

/** A repair decides by what the audit has found, so only a plain audit uses the replica. */
async function withReads<T>(store: Store, config: Config, work: (reads: Reader) => Promise<T>): Promise<T> {
  const options = { max: 1, role: 'command', purpose: 'audit' };
  const replica = await openReadReplica(config, store.database, options, (line) => process.stderr.write(`${line}\n`));
  try {
    return await work((await replica?.fromNow()) ?? store.database);
  } finally {
    await replica?.close();
  }
}

function answerOf({ lots, orders, inbounds, findings }: AuditResult, repairs: Repair[]) {
  return { clean: findings.length === 0, lots, orders, inbounds, findings, repairs };
}

function formatAudit(result: AuditResult, repairs: Repair[]): string {
  const { findings } = result;
  const audited = formatMessage(describeAudited(result));
  const verdict =
    findings.length === 0
      ? `${audited}: the books match`
      : `${findings.length} findings in ${audited}:\n${findings.map((finding) => `  ${formatFinding(finding)}`).join('\n')}`;
  const done = repairs.map(({ finding, outcome }) => `  ${formatFinding(finding)}\n    ${formatOutcome(outcome)}`);
  const hint =
    findings.length > 0 && repairs.length === 0 ? ['"lading audit --repair" corrects this with adjust movements'] : [];
  return [...(done.length > 0 ? ['repairs:', ...done] : []), verdict, ...hint].join('\n');
}

function formatFinding(finding: Finding): string {
  return formatMessage(describeFinding(finding));
}

function formatOutcome(outcome: RepairOutcome): string {
  switch (outcome.kind) {
    case 'repaired':
      return `repaired: ${outcome.what}`;
    case 'needs_a_person':
      return `not repaired: ${outcome.why}`;
    case 'nothing_left':
      return 'already consistent again';
    default:
      return outcome satisfies never;
  }
}
