/** Valid requests that a business rule rejects. */
export const businessErrors = {
  duplicate_document: {
    message: ['duplicate document: the original was accepted', '單據重複：原單據已接受'],
    cause: [
      'This `inbound_short_id` was already sent. This is not an error: `data` contains the numbers of the original document.',
      '此 `inbound_short_id` 先前已送過。這不是錯誤：`data` 中是原單據的編號。',
    ],
    fix: [
      'Treat it as a success. `payload_differs: true` means that the body differs from the original, which remains unchanged: use a new number for new goods.',
      '請視為成功。若有 `payload_differs: true` 表示內容不同，原單據維持不變：新的貨品請用新的編號。',
    ],
  },
  unknown_tenant: {
    message: ['unknown tenant', '租戶不存在'],
    cause: [
      'The account does not have this `warehouse_tpw_id`. UAT and production use different ones.',
      '貨主沒有這個 `warehouse_tpw_id`。UAT 與正式環境的代碼不同。',
    ],
    fix: ['Send the identifier that the operator gave you for this account.', '請使用營運方為此貨主提供的代碼。'],
  },
  unknown_sku: {
    message: ['sku_id not found', '查無 sku_id'],
    cause: [
      'A product has not been synced in this account. `errors` names each affected detail.',
      '有商品尚未在此貨主同步。`errors` 會列出每一筆明細。',
    ],
    fix: [
      'Sync the product with `product/sync`, then send the same request again.',
      '請先以 `product/sync` 同步，再重新送出。',
    ],
  },
  unknown_ship_method: {
    message: ['unknown ship_method mapping', '物流方式對應不存在'],
    cause: [
      '`logistics_type` or `express_type` is unknown, or they cannot be combined. `errors` names the wrong field and its allowed values.',
      '`logistics_type` 或 `express_type` 不存在，或兩者無法搭配。`errors` 會指出錯誤的欄位與可用的值。',
    ],
    fix: ['Use a combination from the table in `outbound/create`.', '請使用 `outbound/create` 對照表中的組合。'],
  },
  ship_method_part: {
    message: ['unknown ship_method mapping: must be one of {values}', '物流方式對應不存在：必須是下列之一：{values}'],
    cause: [
      'This half of the pair is wrong. The allowed values are those that fit the other half, if that one is known.',
      '此欄位的值不正確；若另一欄位的值存在，可用的值須能與其搭配。',
    ],
    fix: ['Send one of the listed values.', '請送其中之一。'],
  },
  short_of_stock: {
    message: [
      'sku {sku_id} available={available} < requested={requested}',
      'SKU {sku_id} 可用 {available}，少於所需 {requested}',
    ],
    cause: [
      "The tenant's warehouse does not have enough sellable units. Sellable units are in good condition, do not expire too soon for your sales rule, and are not allocated to other orders.",
      '租戶的倉庫中可售數量不足：須為良品、依您的銷售規則未過期，且未被其他訂單鎖定。',
    ],
    fix: [
      'Nothing was allocated. Order fewer units, or send the same request again after stock has arrived; `stock/query` shows what is available.',
      '沒有配置任何庫存。請減少數量，或到貨後重新送出；可用 `stock/query` 查詢。',
    ],
  },
  too_many_units: {
    message: [
      'sku {sku_id} would have more than {max} units of one expiry date',
      'SKU {sku_id} 同一效期的數量將超過 {max}',
    ],
    cause: ['A single lot would exceed the maximum number of units.', '單一批次的數量將超過可計算的上限。'],
    fix: ['Check the quantities and their unit.', '請檢查數量及其單位。'],
  },
  lot_too_large: {
    message: ['a lot of sku {sku_id} would hold more than {max} units', 'SKU {sku_id} 單一批次的數量將超過 {max}'],
    cause: ['A single lot would exceed the maximum number of units.', '單一批次的數量將超過可計算的上限。'],
    fix: ['Check the quantities and their unit.', '請檢查數量及其單位。'],
  },
  not_announced: {
    message: [
      'sku {sku_id} is not in the document: announced=0 received=0 reported={reported}',
      'SKU {sku_id} 不在單據中：預告 0、已收 0、回報 {reported}',
    ],
    cause: ['The reported goods were not announced in this document.', '到貨的商品不在單據預告中。'],
    fix: [
      'Report them under the document that announces them, or announce them in a new document. Nothing in this request was recorded.',
      '請在正確的單據中回報，或以新單據預告。這次呼叫的內容都沒有計入。',
    ],
  },
  more_than_accepted: {
    message: [
      'sku {sku_id} would be more than the {max} that are accepted: announced={announced} received={received} reported={reported}',
      'SKU {sku_id} 將超過可收上限 {max}：預告 {announced}、已收 {received}、回報 {reported}',
    ],
    cause: [
      'More units arrived than were announced, beyond the tolerance set by the operator.',
      '到貨數量超過預告，且超出營運方允許的範圍。',
    ],
    fix: [
      'Count again; announce the excess in a new document. Nothing in this request was recorded.',
      '請重新清點；其餘請以新單據預告。這次呼叫的內容都沒有計入。',
    ],
  },
  receipt_no_reused: {
    message: ['receipt_no was used before with another body', 'receipt_no 已用於另一份不同的內容'],
    cause: [
      'This `receipt_no` was already used in this document for another delivery.',
      '此 `receipt_no` 在這張單據中已用於另一次到貨。',
    ],
    fix: [
      'Use a new `receipt_no` for each delivery; reuse one only to repeat the same content.',
      '新的到貨請用新的 `receipt_no`；只有內容相同時才可重複使用。',
    ],
  },
  reference_no_reused: {
    message: ['reference_no was used before with another body', 'reference_no 已用於另一份不同的內容'],
    cause: [
      'This `reference_no` was already used for another adjustment or move of your account. Nothing was changed.',
      '此 `reference_no` 已用於您的另一次調整或調撥。沒有任何變更。',
    ],
    fix: [
      'Use a new `reference_no` for each adjustment and move; reuse one only to repeat the same content.',
      '每次調整與調撥請用新的 `reference_no`；只有內容相同時才可重複使用。',
    ],
  },
  internal_name_reused: {
    message: ['internal_name was used before with another body', 'internal_name 已用於另一份不同的內容'],
    cause: [
      'An order with this number and different content already exists; it remains unchanged.',
      '此訂單已存在且內容不同，維持原內容。',
    ],
    fix: ['To change an order, cancel it and send it with a new number.', '若要變更訂單，請取消後以新的編號送出。'],
  },
  form_no_reused: {
    message: ['form_no was used before with another body', 'form_no 已用於另一份不同的內容'],
    cause: [
      'A form with this number and different content already exists; it remains unchanged.',
      '此單據已存在且內容不同，維持原內容。',
    ],
    fix: ['Use a new number for new goods.', '新的貨品請用新的編號。'],
  },
  too_many_callbacks: {
    message: [
      'more than {max} callbacks fit; narrow it down, for example by callbacks.created_at',
      '符合條件的回呼超過 {max} 筆，請縮小範圍，例如使用 callbacks.created_at',
    ],
    cause: ['The filters match more callbacks than one request can redeliver.', '篩選到的回呼超過一次可重送的數量。'],
    fix: [
      'Redeliver them in several requests, using ranges of `callbacks.created_at`.',
      '請以 `callbacks.created_at` 的範圍分多次重送。',
    ],
  },
  order_past_changes: {
    message: [
      'the order is {status}; it can be changed only before its warehouse has it',
      '訂單狀態為 {status}，只有在交給倉庫之前才能變更',
    ],
    cause: [
      'The order is no longer `awaiting_stock` or `pending_warehouse_transfer`, or it is in a warehouse whose system does not accept changes.',
      '訂單已不是 `awaiting_stock` 或 `pending_warehouse_transfer`，或所在倉庫的系統不接受變更。',
    ],
    fix: ['Ask the warehouse. A cancelled order stays as it is.', '請洽倉庫；已取消的訂單不再變更。'],
  },
  order_being_handed_over: {
    message: ['the order is being handed over to its warehouse', '訂單正在拋單給倉庫'],
    cause: [
      'The order has been sent to the system of its warehouse, which has not confirmed it yet.',
      '訂單已送往倉庫系統，尚未收到確認。',
    ],
    fix: [
      'Try again when the order is `in_warehouse`: some warehouses accept changes even then.',
      '請在訂單變為 `in_warehouse` 後再試：部分倉庫此時仍接受變更。',
    ],
  },
  fields_of_logistics_orders: {
    message: ['only orders of the logistics webhook have {fields}', '只有物流 Webhook 的訂單才有 {fields}'],
    cause: ['The order came through the warehouse API or the main API.', '此訂單來自倉儲 API 或主 API。'],
    fix: ['Leave these fields out.', '請移除這些欄位。'],
  },
  fields_of_direct_orders: {
    message: ['orders of the logistics webhook do not have {fields}', '物流 Webhook 的訂單沒有 {fields}'],
    cause: ['The order came through the logistics webhook.', '此訂單來自物流 Webhook。'],
    fix: [
      'Leave these fields out. The pickup store of such an order is part of `store_pickup_label_data`.',
      '請移除這些欄位；此類訂單的取貨門市在 `store_pickup_label_data` 中。',
    ],
  },
  too_many_changes: {
    message: ['the order has been changed {max} times already', '訂單已變更 {max} 次'],
    cause: [
      'An order can be changed, held and released {max} times in all.',
      '一筆訂單的變更、暫緩與解除合計最多 {max} 次。',
    ],
    fix: ['Cancel the order and create a new one.', '請取消訂單並重新建立。'],
  },
  uat_order_stays: {
    message: [
      'orders of a UAT account stay in pending_warehouse_transfer',
      'UAT 貨主的訂單會停留在待拋單（pending_warehouse_transfer）',
    ],
    cause: ['This is a UAT account; its orders are never shipped.', '此貨主供測試使用，不會實際出貨。'],
    fix: ['Report progress for orders of a production account.', '請回報正式貨主的訂單。'],
  },
  order_cancelled: {
    message: ['the order is cancelled', '訂單已取消'],
    cause: ['The order was cancelled before it was shipped.', '訂單在出貨前已取消。'],
    fix: ['Do not ship it.', '請勿出貨。'],
  },
  order_awaits_stock: {
    message: ['the order waits for stock', '訂單正在等待補貨'],
    cause: [
      'The order is `awaiting_stock`: its units have not been allocated yet.',
      '狀態為 `awaiting_stock`（待補貨）：尚未配置庫存。',
    ],
    fix: ['Report again after the order has been transferred to the warehouse.', '請在訂單交給倉庫後再回報。'],
  },
  not_shipped_yet: {
    message: [
      'the order is {status}; it must be shipped before it is {reported}',
      '訂單狀態為 {status}，必須先出貨才能回報 {reported}',
    ],
    cause: ['`shipped` was never reported.', '從未回報 `shipped`。'],
    fix: [
      'Report `shipped` with its `shipment_no` or `parcels` first.',
      '請先回報 `shipped` 與 `shipment_no` 或 `parcels`。',
    ],
  },
  no_going_back: {
    message: [
      'the order is {status} already; it cannot go back to {reported}',
      '訂單已是 {status}，不能退回 {reported}',
    ],
    cause: ['The order is already past the reported status.', '訂單的進度已超過所回報的狀態。'],
    fix: [
      'Ignore this result: reports may arrive late, and a status never moves backwards.',
      '請略過：回報可能延遲，狀態不會倒退。',
    ],
  },
  shipment_no_missing: {
    message: ['shipment_no is missing: what is shipped has one', '缺少 shipment_no：出貨必須附上'],
    cause: [
      '`shipped` was reported without a `shipment_no`, and none was reported earlier.',
      '回報 `shipped` 時沒有 `shipment_no`，先前也未提供。',
    ],
    fix: ['Report it again with the `shipment_no`.', '請附上 `shipment_no` 重新回報。'],
  },
  other_shipment_no: {
    message: ['it was shipped with another shipment_no, which stays', '訂單已用另一個 shipment_no 出貨，維持不變'],
    cause: ['The order was already reported as shipped with another number.', '此訂單先前已用另一個物流單號回報出貨。'],
    fix: [
      'Check which of the two is correct. The first reported number is kept.',
      '請確認哪一個正確；以最先回報的為準。',
    ],
  },
  test_url_of_production: {
    message: [
      'must be omitted: only a UAT account chooses where a test goes',
      '請勿提供：只有 UAT 貨主可以指定測試回呼的網址',
    ],
    cause: [
      'The account is a production account. Its tests go only to addresses that its callbacks use anyway.',
      '此為正式環境的貨主，測試只會送到其回呼原本使用的網址。',
    ],
    fix: [
      'Omit `callback_url`, or name a document with `document_no`; try other addresses in UAT.',
      '請省略 `callback_url`，或以 `document_no` 指定單據；其他網址請在 UAT 測試。',
    ],
  },
  test_without_url: {
    message: ['is missing, and no callback URL is set', '未提供，且尚未設定回呼網址'],
    cause: ['Neither the named document nor the account has a callback URL.', '所指定的單據與貨主都沒有回呼網址。'],
    fix: [
      'Name a document that was sent with a `callback_url`, send a `callback_url` (UAT only), or ask the operator to set one for your account.',
      '請指定帶有 `callback_url` 的單據、提供 `callback_url`（僅限 UAT），或請營運方為您的貨主設定。',
    ],
  },
  test_without_secret: {
    message: [
      'is missing: the account has no callback secret of its own, and not exactly one API key',
      '未提供：貨主本身沒有回呼密鑰，且 API 金鑰不是恰好一把',
    ],
    cause: ['It is not clear which secret must sign the test.', '無法判斷應以哪一組密鑰簽署測試。'],
    fix: [
      'Name a document that was sent with the API key whose secret you want to try, or call `callbacks/test` of the logistics webhook with that key.',
      '請指定以該 API 金鑰送出的單據，或以該金鑰呼叫物流 Webhook 的 `callbacks/test`。',
    ],
  },
  parcels_missing: {
    message: ['parcels is missing: a partial shipment lists its parcels', '缺少 parcels：部分出貨必須列出包裹'],
    cause: ['`partially_shipped` was reported without `parcels`.', '回報 `partially_shipped` 時沒有 `parcels`。'],
    fix: ['List each parcel with its `shipment_no` and `items`.', '請列出每個包裹的 `shipment_no` 與 `items`。'],
  },
  shipment_no_twice: {
    message: [
      'name the shipments in parcels or in shipment_no, not in both',
      '請在 parcels 或 shipment_no 擇一提供物流單號',
    ],
    cause: [
      'With `parcels`, each parcel has its own `shipment_no`.',
      '有 `parcels` 時，每個包裹各有自己的 `shipment_no`。',
    ],
    fix: ['Leave out `shipment_no` beside `parcels`.', '有 `parcels` 時請省略外層的 `shipment_no`。'],
  },
  not_with_status: {
    message: ['{field} belongs to the status {statuses}', '{field} 只用於狀態 {statuses}'],
    cause: ['The field has no meaning with the reported status.', '此欄位與所回報的狀態無關。'],
    fix: ['Leave the field out, or report the status that it belongs to.', '請省略此欄位，或回報對應的狀態。'],
  },
  units_remain: {
    message: [
      '{units} units of the order have not left; set final if they will not be shipped',
      '訂單尚有 {units} 件未出貨；若不再出貨請設定 final',
    ],
    cause: [
      '`shipped` means that no more parcels follow, but the parcels have fewer units than were ordered.',
      '`shipped` 表示不再有後續包裹，但包裹內的數量少於訂購數量。',
    ],
    fix: [
      'Report `partially_shipped` if more parcels follow, or send `"final": true` to release the units.',
      '若還有包裹請回報 `partially_shipped`；若不再出貨請送 `"final": true` 釋出其餘數量。',
    ],
  },
  parcel_not_held: {
    message: [
      'parcel {shipment_no}: the order holds {held} units of sku {sku_id} that fit, not {qty}',
      '包裹 {shipment_no}：訂單可出貨的 SKU {sku_id} 為 {held} 件，不是 {qty} 件',
    ],
    cause: [
      'The parcel has more units of a product, batch or expiry date than the order still holds.',
      '包裹內的商品、批號或效期數量超過訂單尚保留的數量。',
    ],
    fix: [
      'Check the parcel. Units of another batch can be reported without `batch_id` and `expire_date`.',
      '請檢查包裹；若為其他批號，可不填 `batch_id` 與 `expire_date`。',
    ],
  },
  parcel_empty: {
    message: [
      'parcel {shipment_no}: nothing is left for it, because other parcels have all units',
      '包裹 {shipment_no}：其他包裹已含所有商品，沒有剩餘數量',
    ],
    cause: [
      'A parcel without `items` means all units that have not left yet, and there are none.',
      '沒有 `items` 的包裹代表所有尚未出貨的數量，但已無剩餘。',
    ],
    fix: ['List the `items` of each parcel.', '請列出每個包裹的 `items`。'],
  },
  parcel_differs: {
    message: [
      'parcel {shipment_no} has left with other units, which stay',
      '包裹 {shipment_no} 已以不同內容出貨，維持不變',
    ],
    cause: [
      'A parcel with this number was reported before with different content.',
      '此物流單號的包裹先前已以不同內容回報。',
    ],
    fix: ['Report another parcel under its own number.', '其他包裹請用各自的物流單號回報。'],
  },
  shipment_no_reused: {
    message: ['another order has left with shipment_no {shipment_no}', '其他訂單已使用 shipment_no {shipment_no} 出貨'],
    cause: ['A shipment number is unique in an account for each carrier.', '同一貨主、同一物流商的物流單號不可重複。'],
    fix: [
      'Check the label. If the orders leave in one parcel, send `"allow_repeat": true`.',
      '請檢查標籤；若為併箱出貨，請送 `"allow_repeat": true`。',
    ],
  },
  no_more_parcels: {
    message: ['the order is {status}; its last parcel has been reported', '訂單已是 {status}，最後一個包裹已回報'],
    cause: [
      '`shipped` was reported, so no more parcels can follow. Units that had not left were released.',
      '已回報 `shipped`，不可再加包裹；未出貨的數量已釋出。',
    ],
    fix: ['Send a new order for units that are to follow.', '要補寄的商品請另建新訂單。'],
  },
  too_many_parcels: {
    message: ['an order may have up to {limit} parcels', '一張訂單最多 {limit} 個包裹'],
    cause: ['The order already has that many parcels.', '訂單的包裹已達上限。'],
    fix: ['Check whether the parcels belong to this order.', '請確認這些包裹是否屬於此訂單。'],
  },
  reason_missing: {
    message: [
      'reason is missing: not_collected, refused, lost or damaged',
      '缺少 reason：not_collected、refused、lost 或 damaged',
    ],
    cause: ['`undelivered` was reported without a reason.', '回報 `undelivered` 時沒有原因。'],
    fix: ['Report it again with the `reason`.', '請附上 `reason` 重新回報。'],
  },
  other_reason: {
    message: ['it was reported with the reason {reason}, which stays', '已以原因 {reason} 回報，維持不變'],
    cause: ['The order was already reported as undelivered with another reason.', '此訂單先前已以其他原因回報未送達。'],
    fix: ['Correct the goods when the return is received.', '請於退貨收貨時處理實際貨況。'],
  },
} as const;
