import { signedHeaders } from '../../support/app.ts';
import { live } from '../../support/live.ts';
import { inboundBody, orderBody } from '../../support/warehouse.ts';
import { type Mistake, product, seen, send, warehouse, warehousePath } from './mistake.ts';

export const requestMistakes: Mistake[] = [
  {
    mistake: ['The path has a typing mistake: `/products/sync`', '路徑打錯：`/products/sync`'],
    make: warehouse('/products/sync', product),
    names: /did you mean \/warehouse\/v1\/product\/sync/,
    fix: ['Copy the path from the reference.', '請從 API 參考複製路徑。'],
  },
  {
    mistake: ['The request is a GET', '用 GET 送出請求'],
    make: async (app) => seen(await send(app, { method: 'GET', url: `${warehousePath}/product/sync` })),
    names: /POST/,
    fix: ['Send a POST.', '請用 POST。'],
  },
  {
    mistake: ['The body is a form, not JSON', '請求內容是表單，不是 JSON'],
    make: async (app) => {
      const body = 'sku_id=TEA-1&sku_name=Tea&storage_type=1';
      const headers = signedHeaders(Buffer.from(body), app.clock);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return seen(await send(app, { url: `${warehousePath}/product/sync`, body, headers: { ...headers, ...type } }));
    },
    names: /application\/json/,
    fix: ['Send JSON with `content-type: application/json`.', '請送 JSON，並加上 `content-type: application/json`。'],
  },
  {
    mistake: ['The JSON has a comma too many', 'JSON 多了一個逗號'],
    make: warehouse('/product/sync', '{"sku_id":"TEA-1","sku_name":"Tea","storage_type":1,}'),
    names: /JSON/,
    fix: ['Let a JSON library write the body.', '請用 JSON 函式庫產生請求內容。'],
  },
  {
    mistake: ['A required field is missing', '缺少必填欄位'],
    make: warehouse('/product/sync', { sku_id: 'MISTAKE-1', storage_type: 1 }),
    names: /sku_name is missing/,
    fix: ['Send the field that `path` names.', '請補上 `path` 所指的欄位。'],
  },
  {
    mistake: ['A number is sent as text: `"qty": "2"`', '數字送成文字：`"qty": "2"`'],
    make: warehouse('/outbound/create', { ...orderBody('OUT-M', []), details: [{ sku_id: 'TEA', qty: '2' }] }),
    names: /details\[0\]\.qty.*integer/,
    fix: ['Send `2` without quotes.', '請送 `2`，不加引號。'],
  },
  {
    mistake: ['A quantity is zero', '數量為零'],
    make: warehouse('/outbound/create', orderBody('OUT-M', [['TEA', 0]])),
    names: /details\[0\]\.qty.*1/,
    fix: ['Leave the line out, or send at least 1.', '刪去這一列，或至少送 1。'],
  },
  {
    mistake: ['A date is written as dd/mm/yyyy', '日期寫成 dd/mm/yyyy'],
    make: warehouse('/inbound/create', inboundBody('IN-M', { TEA: [['31/12/2030', 1]] })),
    names: /expire_date.*YYYY-MM-DD/i,
    fix: ['Write `2030-12-31`.', '請寫成 `2030-12-31`。'],
  },
  {
    mistake: ['A list is sent as one object', '應為清單的欄位送成單一物件'],
    make: warehouse('/outbound/create', { ...orderBody('OUT-M', []), details: { sku_id: 'TEA', qty: 1 } }),
    names: /details.*(list|array)/i,
    fix: ['Send `[{ ... }]`, also for one line.', '只有一列也要送 `[{ ... }]`。'],
  },
  {
    mistake: ['An optional field has a typing mistake: `consignee_nmae`', '選填欄位打錯：`consignee_nmae`'],
    make: warehouse('/outbound/create', { ...orderBody('OUT-TYPO', [['TEA', 1]]), consignee_nmae: 'Lin' }),
    names: /consignee_nmae.*did you mean consignee_name/,
    fix: [
      'Read `warnings` in UAT; production ignores the field without a warning.',
      '在 UAT 請看 `warnings`；正式環境會直接忽略，不另提醒。',
    ],
  },
];

export const businessMistakes: Mistake[] = [
  {
    mistake: ['The tenant is not one of this account', '`warehouse_tpw_id` 不屬於這個貨主'],
    make: warehouse('/outbound/create', { ...orderBody('OUT-M', [['TEA', 1]]), warehouse_tpw_id: 'TPW-X' }),
    names: /unknown tenant/,
    fix: [
      'Send the `warehouse_tpw_id` that the operator gave you for this account.',
      '請送營運方為此貨主提供的 `warehouse_tpw_id`。',
    ],
  },
  {
    mistake: ['The product was not synced', '商品尚未同步'],
    make: warehouse('/outbound/create', orderBody('OUT-M', [['NOT-SYNCED', 1]])),
    names: /details\[0\]\.sku_id.*sku_id not found/,
    fix: ['Call `product/sync` first, then send the same request again.', '先呼叫 `product/sync`，再送出相同的請求。'],
  },
  {
    mistake: ['More units are ordered than can be sold', '訂購數量超過可售庫存'],
    make: warehouse('/outbound/create', orderBody('OUT-M', [['TEA', 5000]])),
    names: /sku TEA available=\d+ < requested=5000/,
    fix: [
      'Order fewer, or send the same request again after stock has arrived; `stock/query` shows it.',
      '減少數量，或等進貨後再送出相同的請求；可用 `stock/query` 查詢。',
    ],
  },
  {
    mistake: [
      '`express_type` belongs to the other `logistics_type`: home delivery by `family`',
      '`express_type` 屬於另一種 `logistics_type`：宅配卻送 `family`',
    ],
    make: warehouse('/outbound/create', { ...orderBody('OUT-M', [['TEA', 1]]), express_type: 'family' }),
    names: /express_type.*tcat/,
    fix: ['Send one of the values in `message`.', '請送 `message` 所列的其中一個值。'],
  },
  {
    mistake: ['An inbound document is sent twice', '同一張進貨單送了兩次'],
    make: warehouse('/inbound/create', inboundBody('IN-TWICE', { TEA: [['2099-01-01', 3]] })),
    names: /duplicate document/,
    fix: ['Treat it as a success: `data` has the original.', '視為成功：`data` 裡有原單。'],
  },
  {
    mistake: ['An order number is used again with a different body', '同一個訂單編號再送一次，內容卻不同'],
    make: warehouse('/outbound/create', orderBody('OUT-KNOWN', [['TEA', 2]])),
    names: /differ/,
    fix: ['Use a new number for a new order; the first one is unchanged.', '新訂單請用新編號；第一張訂單不變。'],
  },
  {
    mistake: ['An inbound document is cancelled after its units were used', '進貨單的商品已被訂走，才要取消'],
    make: warehouse('/inbound/cancel', { inbound_short_ids: ['IN-USED'] }),
    names: /cannot_cancel_after_receiving/,
    fix: ['Correct the stock with `stocks/adjust`, or ask the operator.', '用 `stocks/adjust` 調整庫存，或洽營運方。'],
  },
  {
    mistake: ['An order is cancelled after picking has begun', '訂單開始揀貨後才要取消'],
    make: async (app) =>
      seen(await app.callWarehouse('/outbound/cancel', { outbound_short_ids: ['OUT-PICKED'] }, live)),
    names: /cannot_cancel/,
    fix: ['Ask the operator to stop the order, or create a return.', '請營運方攔下訂單，或建立退貨單。'],
  },
  {
    mistake: ['An order that does not exist is cancelled', '取消不存在的訂單'],
    make: warehouse('/outbound/cancel', { outbound_short_ids: ['OUT-NOWHERE'] }),
    names: /not_found/,
    fix: [
      'Send your own number, `outbound_short_id`, not `orders_id`.',
      '請送您自己的編號 `outbound_short_id`，不是 `orders_id`。',
    ],
  },
];
