import { recordAudit } from '../domain/audit/audit-queries.ts';
import { auditStock, wordAudited } from '../domain/audit/audit-stock.ts';
import { wordFinding } from '../domain/audit/finding.ts';
import type { Job } from './job.ts';

const wordedMax = 3;

export const auditStockJob: Job = {
  name: 'audit_stock',
  everySeconds: 3600,
  async run({ database }) {
    const result = await auditStock(database);
    const { lots, orders, findings } = result;
    await database.transaction((tx) => recordAudit(tx, { lots, orders, findings: findings.length }));
    if (findings.length === 0) return `${wordAudited(result)}: everything adds up`;
    return `${findings.length} findings in ${wordAudited(result)}: ${findings.slice(0, wordedMax).map(wordFinding).join('; ')}`;
  },
};
