import { outcome } from '../../messages/outcome-texts.ts';
import { recordAudit } from '../domain/audit/audit-queries.ts';
import { auditStock, describeAudited } from '../domain/audit/audit-stock.ts';
import { describeFinding } from '../domain/audit/finding.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

const shownMax = 3;

export const auditStockJob: Job = {
  name: 'audit_stock',
  everySeconds: 3600,
  async run({ database, reads }) {
    const result = await auditStock((await reads?.fromNow()) ?? database);
    const { lots, orders, findings } = result;
    await database.transaction(noAccounts, (tx) => recordAudit(tx, { lots, orders, findings: findings.length }));
    const audited = describeAudited(result);
    if (findings.length === 0) return outcome('audit_clean', { audited });
    const shown = findings.slice(0, shownMax).map(describeFinding);
    return outcome('audit_findings', { count: findings.length, audited, findings: shown });
  },
};
