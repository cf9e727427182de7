import type { Portion, ReceiptSum } from './inbound-detail-queries.ts';

/** Units received or retracted in one request. */
export interface PastReceipt {
  at: string;
  actor: string;
  traceId: string | null;
  receiptNo: string | null;
  returnReason: string | null;
  good: number;
  bad: number;
  lotCount: number;
  /** Limited to the movements that were read. */
  portions: Portion[];
}

/**
 * The receipts of a document, in the given order, each with its units. A receipt number and its reason are stored only
 * with their instant, which the requests of one group share: those that could belong to several receipts are left out.
 */
export function receiptsOf(
  sums: ReceiptSum[],
  portions: Portion[],
  numbered: { receipt_no: string; at: string; return_reason: string | null }[],
): PastReceipt[] {
  const callOf = ({ at, trace_id, actor }: Pick<Portion, 'at' | 'trace_id' | 'actor'>) =>
    JSON.stringify([at, trace_id, actor]);
  const portionsOf = Map.groupBy(portions, callOf);
  const callsAt = Map.groupBy(sums, ({ at }) => at);
  const numbersAt = Map.groupBy(numbered, ({ at }) => at);
  return sums.map((sum) => {
    const { at, actor, trace_id, good, bad, lot_count } = sum;
    const numbers = numbersAt.get(at) ?? [];
    const isCertain = numbers.length === 1 && callsAt.get(at)!.length === 1;
    const { receipt_no: receiptNo = null, return_reason: returnReason = null } = (isCertain && numbers[0]) || {};
    return {
      at,
      actor,
      traceId: trace_id,
      receiptNo,
      returnReason,
      good,
      bad,
      lotCount: lot_count,
      portions: portionsOf.get(callOf(sum)) ?? [],
    };
  });
}
