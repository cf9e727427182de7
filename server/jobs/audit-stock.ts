import { recordAudit } from '../domain/audit/audit-queries.ts';
import { auditStock } from '../domain/audit/audit-stock.ts';
import { wordFinding } from '../domain/audit/finding.ts';
import type { Job } from './job.ts';

const wordedMax = 3;

export const auditStockJob: Job = {
  name: 'audit_stock',
  everySeconds: 3600,
  async run({ database }) {
    const { lots, orders, findings } = await auditStock(database);
    await database.transaction((tx) => recordAudit(tx, { lots, orders, findings: findings.length }));
    if (findings.length === 0) return `${lots} lots and ${orders} orders: everything adds up`;
    return `${findings.length} findings in ${lots} lots and ${orders} orders: ${findings.slice(0, wordedMax).map(wordFinding).join('; ')}`;
  },
};
