import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { describeFinding } from '../../server/domain/audit/finding.ts';
import { describeCounts } from '../../server/domain/purge/purge-report.ts';

test('every finding of an audit has its text in both languages', () => {
  const lot = { kind: 'balance', lotId: 7, accountNo: 'ALPHA', skuId: 'TEA 1', warehouseNo: 2 } as const;
  const lock = { kind: 'lock', accountNo: 'ALPHA', skuId: 'TEA', held: 1, owed: 2 } as const;
  const order = { ...lock, orderId: 5, partnerNumber: 'OUT 1' };
  const units = { announced: 5, received: 3, least: 5, most: 5 };
  const inbound = { kind: 'inbound', inboundId: 5, partnerNumber: 'IN-1', accountNo: 'ALPHA', skuId: 'TEA' } as const;
  const failed = {
    kind: 'delivery',
    orderId: 5,
    partnerNumber: 'OUT 1',
    status: 'undelivered',
    accountNo: 'ALPHA',
  } as const;
  const findings = [
    { ...lot, onHand: 1, onHandMoved: 2, locked: 3, lockedMoved: 4 },
    { ...lot, skuId: null, onHand: 0, onHandMoved: 1, locked: 0, lockedMoved: 0 },
    { ...order, status: 'picking' as const },
    { ...order, partnerNumber: null, status: null },
    { ...lock, orderId: null, partnerNumber: null, status: null },
    { ...inbound, ...units, status: 'received' as const },
    { ...inbound, ...units, status: null, least: 1 },
    { ...failed, reason: null, returns: 1 },
    { ...failed, reason: 'refused' as const, returns: 0 },
  ].map(describeFinding);
  assert.deepEqual(
    findings.map((finding) => [formatMessage(finding), formatMessage(finding, 'zh-TW')]),
    [
      [
        'lot 7 (ALPHA, sku TEA 1, warehouse 2): on hand 1, by its movements 2; locked 3, by its movements 4',
        '批次 7（ALPHA，SKU TEA 1，倉庫 2）：在庫 1，依異動應為 2；鎖定 3，依異動應為 4',
      ],
      ['lot 7 of ALPHA does not exist, but has movements', 'ALPHA 的批次 7 不存在，卻有異動紀錄'],
      [
        'order OUT 1 (picking) of ALPHA holds 1 of sku TEA, and should hold 2',
        'ALPHA 的訂單 OUT 1（picking）鎖定 SKU TEA 1 件，應為 2 件',
      ],
      [
        'order 5 (does not exist) of ALPHA holds 1 of sku TEA, and should hold 2',
        'ALPHA 的訂單 5（不存在）鎖定 SKU TEA 1 件，應為 2 件',
      ],
      ['no order of ALPHA holds 1 of sku TEA, and should hold 2', 'ALPHA 的無對應訂單者鎖定 SKU TEA 1 件，應為 2 件'],
      [
        'inbound document IN-1 (received) of ALPHA has brought 3 of sku TEA, and should have brought 5 (announced: 5)',
        'ALPHA 的進貨單 IN-1（received）已入庫 SKU TEA 3 件，應為 5 件（預告 5）',
      ],
      [
        'inbound document IN-1 (does not exist) of ALPHA has brought 3 of sku TEA, and should have brought 1 to 5 (announced: 5)',
        'ALPHA 的進貨單 IN-1（不存在）已入庫 SKU TEA 3 件，應為 1 至 5 件（預告 5）',
      ],
      [
        'order OUT 1 (undelivered) of ALPHA: reason of the failed delivery: none; expected returns: 1',
        'ALPHA 的訂單 OUT 1（undelivered）：未送達原因：無；預期退貨單 1 張',
      ],
      [
        'order OUT 1 (undelivered) of ALPHA: reason of the failed delivery: refused; expected returns: 0',
        'ALPHA 的訂單 OUT 1（undelivered）：未送達原因：refused；預期退貨單 0 張',
      ],
    ],
  );
});

test('the counts of a purge name the units that stay, if there are any', () => {
  const counts = { orders: 1, inbounds: 2, movements: 3, callbacks: 4 };
  const texts = [0, 5].map((unitsKept) => formatMessage(describeCounts({ ...counts, unitsKept })));
  const purged = '1 orders and 2 inbound documents, with 3 movements and 4 callbacks';
  assert.deepEqual(texts, [purged, `${purged}; 5 units kept for newer documents`]);
});
