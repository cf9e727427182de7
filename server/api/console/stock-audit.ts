import {
  type AuditedStock,
  type AuditFinding,
  findingsShownMax,
  stockAuditLatest,
  stockAuditRepair,
  stockAuditRun,
} from '../../../contract/console/stock.ts';
import { lastAudits, recordAudit } from '../../domain/audit/audit-queries.ts';
import { type AuditResult, auditStock } from '../../domain/audit/audit-stock.ts';
import type { Finding, InboundFinding, LockFinding, ParcelFinding } from '../../domain/audit/finding.ts';
import { repairAll } from '../../domain/audit/repair-stock.ts';
import type { Database, Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

const auditsShownMax = 20;
/** An operator waits for the response, and proxies have time limits. */
const auditMaxMs = 20_000;
/** Limits the damage of a wrong rule, and the duration of the request. */
const repairsMax = 1000;

/** The same audit as the job and the command run: one at a time, with a time limit. */
export function stockAuditEndpoints({ database, reads }: Pick<ConsoleParts, 'database' | 'reads'>): ConsoleEndpoint[] {
  let isBusy = false;

  async function alone<T>(work: () => Promise<T>): Promise<T | { kind: 'busy' }> {
    if (isBusy) return { kind: 'busy' };
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  }

  return [
    consoleEndpoint(stockAuditLatest, {
      role: 'read-only',
      warehouses: 'any',
      audit: null,
      handle: async () => ({ audits: await database.read(noAccounts, (sql) => lastAudits(sql, auditsShownMax)) }),
    }),
    consoleEndpoint(stockAuditRun, {
      role: 'staff',
      audit: () => ({}),
      async handle() {
        return await alone(async () => {
          const result = await auditWithin(await reads.fromNow());
          if (!result.isWhole) return { kind: 'unfinished' as const, ...toAudited(result) };
          await recordResult(database, result);
          return { kind: 'audited' as const, ...toAudited(result) };
        });
      },
    }),
    consoleEndpoint(stockAuditRepair, {
      role: 'admin',
      audit: () => ({}),
      async handle(caller, _body, request) {
        return await alone(async () => {
          const before = await auditWithin(database);
          if (!before.isWhole) return { kind: 'unfinished' as const, ...toAudited(before) };
          const repairs = await repairAll(
            database,
            before.findings.slice(0, repairsMax),
            causeOf(caller, request).actor,
          );
          const after = repairs.length === 0 ? before : await auditWithin(database);
          if (after.isWhole) await recordResult(database, after);
          const worded = repairs.map(({ finding, outcome }) => ({
            finding: toFinding(finding),
            outcome: outcome.kind,
          }));
          return { kind: 'repaired' as const, repairs: worded.slice(0, findingsShownMax), ...toAudited(after) };
        });
      },
    }),
  ];
}

async function auditWithin(database: Reader): Promise<AuditResult> {
  const endsAt = performance.now() + auditMaxMs;
  return await auditStock(
    database,
    () => {},
    () => performance.now() > endsAt,
  );
}

async function recordResult(database: Database, { lots, orders, findings }: AuditResult): Promise<void> {
  await database.transaction(noAccounts, (tx) => recordAudit(tx, { lots, orders, findings: findings.length }));
}

function toAudited({ lots, orders, inbounds, findings }: AuditResult): AuditedStock {
  return {
    lots,
    orders,
    inbounds,
    findings_count: findings.length,
    findings: findings.slice(0, findingsShownMax).map(toFinding),
  };
}

function toFinding(finding: Finding): AuditFinding {
  switch (finding.kind) {
    case 'balance': {
      const { kind, lotId, accountNo, skuId, warehouseNo, onHand, onHandMoved, locked, lockedMoved } = finding;
      return {
        kind,
        lot_id: lotId,
        account_no: accountNo,
        sku_id: skuId,
        warehouse_no: warehouseNo,
        on_hand: onHand,
        on_hand_moved: onHandMoved,
        locked,
        locked_moved: lockedMoved,
      };
    }
    case 'lock': {
      const { kind, orderId, held, owed } = finding;
      return { kind, order_id: orderId, ...toDocument(finding), held, owed };
    }
    case 'parcel': {
      const { kind, orderId, ordered, packed, shipped, short, unlocked } = finding;
      return { kind, order_id: orderId, ...toDocument(finding), ordered, packed, shipped, short, unlocked };
    }
    case 'delivery': {
      const { kind, orderId, partnerNumber, status, accountNo, reason, returns } = finding;
      return {
        ...{ kind, order_id: orderId, partner_number: partnerNumber, status, account_no: accountNo },
        ...{ reason, returns },
      };
    }
    case 'inbound': {
      const { kind, inboundId, announced, received, least, most } = finding;
      return { kind, inbound_id: inboundId, ...toDocument(finding), announced, received, least, most };
    }
    case 'move': {
      const { kind, stockChangeId, referenceNo, accountNo, skuId, departed, arrived } = finding;
      return {
        ...{ kind, stock_change_id: stockChangeId, reference_no: referenceNo, account_no: accountNo, sku_id: skuId },
        ...{ departed, arrived },
      };
    }
    case 'reference': {
      const { kind, accountNo, table, idColumn, id, target, targetId } = finding;
      return { kind, account_no: accountNo, table, id_column: idColumn, id, target, target_id: targetId };
    }
    default:
      return finding satisfies never;
  }
}

/** The fields that findings about a product in a document have in common. */
function toDocument({ partnerNumber, status, accountNo, skuId }: LockFinding | ParcelFinding | InboundFinding) {
  return { partner_number: partnerNumber, status, account_no: accountNo, sku_id: skuId };
}
