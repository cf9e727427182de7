import { exitCodes } from '../server/command-line.ts';
import { recordAudit } from '../server/domain/audit/audit-queries.ts';
import { type AuditResult, auditStock, wordAudited } from '../server/domain/audit/audit-stock.ts';
import { wordFinding } from '../server/domain/audit/finding.ts';
import { type Repair, type RepairOutcome, repairAll } from '../server/domain/audit/repair-stock.ts';
import { makeProgress } from './progress.ts';
import { storeCommand } from './store-command.ts';

/** `lading audit`: proves that the stock adds up; with `--repair`, brings in order what does not. */
export function auditCommand() {
  return storeCommand(
    'audit',
    'prove that every balance equals its movements, every lock has its order and every inbound document brought what it says',
    async (store, _config, options: { repair?: boolean }) => {
      const onProgress = makeProgress();
      const before = await auditStock(store.database, onProgress);
      const repairs = options.repair ? await repairAll(store.database, before.findings, 'lading audit --repair') : [];
      const after = repairs.length > 0 ? await auditStock(store.database, onProgress) : before;
      await store.database.transaction((tx) =>
        recordAudit(tx, { lots: after.lots, orders: after.orders, findings: after.findings.length }),
      );
      if (after.findings.length > 0) process.exitCode = exitCodes.refused;
      return { json: answerOf(after, repairs), words: wordAudit(after, repairs) };
    },
  ).option('--repair', 'write adjust movements that bring it in order');
}

function answerOf({ lots, orders, inbounds, findings }: AuditResult, repairs: Repair[]) {
  return { clean: findings.length === 0, lots, orders, inbounds, findings, repairs };
}

function wordAudit(result: AuditResult, repairs: Repair[]): string {
  const { findings } = result;
  const audited = wordAudited(result);
  const verdict =
    findings.length === 0
      ? `${audited}: everything adds up`
      : `${findings.length} findings in ${audited}:\n${findings.map((finding) => `  ${wordFinding(finding)}`).join('\n')}`;
  const done = repairs.map(({ finding, outcome }) => `  ${wordFinding(finding)}\n    ${wordOutcome(outcome)}`);
  const hint = findings.length > 0 && repairs.length === 0 ? ['"lading audit --repair" writes movements that bring it in order'] : [];
  return [...(done.length > 0 ? ['repairs:', ...done] : []), verdict, ...hint].join('\n');
}

function wordOutcome(outcome: RepairOutcome): string {
  switch (outcome.kind) {
    case 'repaired':
      return `repaired: ${outcome.what}`;
    case 'needs_a_person':
      return `not repaired: ${outcome.why}`;
    case 'nothing_left':
      return 'in order meanwhile';
    default:
      return outcome satisfies never;
  }
}
