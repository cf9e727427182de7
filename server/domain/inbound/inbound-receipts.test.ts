import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiptSum } from './inbound-detail-queries.ts';
import { receiptsOf } from './inbound-receipts.ts';

const sum = (at: string, trace_id: string): ReceiptSum => ({ at, actor: 'PROD', trace_id, good: 1, bad: 0, lot_count: 1 });

test('a number is told where it can only be that of one receipt', () => {
  const sums = [sum('3', 'c'), sum('2', 'b'), sum('2', 'a'), sum('1', 'first')];
  const numbered = [
    { receipt_no: 'R-1', at: '1' },
    { receipt_no: 'R-2', at: '2' },
  ];
  assert.deepEqual(
    receiptsOf(sums, [], numbered).map(({ receiptNo }) => receiptNo),
    [null, null, null, 'R-1'],
  );
});
