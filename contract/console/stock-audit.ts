import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

export interface AuditRun {
  at: string;
  lots: number;
  orders: number;
  findings: number;
}

/** The last audits, the newest first; whoever made them: the job, a command, or somebody here. */
export const stockAuditLatest = consoleCall<{ audits: AuditRun[] }>()('/stock/audit-latest', Nothing);

/** What does not add up. */
export type AuditFinding =
  | {
      kind: 'balance';
      lot_id: number;
      account_no: string | null;
      /** null: there is no such lot, but movements of it. */
      sku_id: string | null;
      warehouse_no: number | null;
      on_hand: number;
      on_hand_moved: number;
      locked: number;
      locked_moved: number;
    }
  | {
      kind: 'lock';
      /** null: held for nobody. */
      order_id: number | null;
      partner_number: string | null;
      status: string | null;
      account_no: string;
      sku_id: string;
      held: number;
      owed: number;
    }
  | {
      kind: 'inbound';
      inbound_id: number;
      partner_number: string | null;
      status: string | null;
      account_no: string;
      sku_id: string;
      announced: number;
      received: number;
      least: number;
      most: number;
    };

export const findingsShownMax = 100;

export interface AuditedStock {
  lots: number;
  orders: number;
  inbounds: number;
  findings_count: number;
  /** The first of them. */
  findings: AuditFinding[];
}

/** Somebody else has one made on this node. */
type Busy = { kind: 'busy' };
/** It would have taken too long here: so far it has come. The hourly one goes through to the end. */
type Unfinished = { kind: 'unfinished' } & AuditedStock;

export const stockAuditRun = consoleCall<({ kind: 'audited' } & AuditedStock) | Unfinished | Busy>()('/stock/audit-run', Nothing);

export interface AuditRepair {
  finding: AuditFinding;
  outcome: 'repaired' | 'needs_a_person' | 'nothing_left';
}

/** Audits, brings in order what it can by movements that say why, and audits again. */
export const stockAuditRepair = consoleCall<({ kind: 'repaired'; repairs: AuditRepair[] } & AuditedStock) | Unfinished | Busy>()(
  '/stock/audit-repair',
  Nothing,
);
