import type { Translations } from '../language/translator.ts';

/** The endpoints of the main API. */
export const mainEndpointsTexts: Translations = {
  'Get an access token': '取得存取權杖',
  'Wrong credentials return HTTP 200 with `done: false`; for security, the response does not say which of the two is wrong. After too many failed attempts from one address or for one ClientId, the response is 429 for a while.':
    '憑證錯誤時回應 HTTP 200 與 `done: false`；基於安全考量，不會告知是哪一項錯誤。同一位址或同一 ClientId 失敗次數過多時，會有一段時間回應 429。',
  '`done: true` with a token, or `done: false` with the reason.': '`done: true` 與權杖，或 `done: false` 與原因。',
  'Intermediaries must not cache tokens.': '中間節點不可快取權杖。',
  'A token': '權杖',
  'Wrong credentials': '憑證錯誤',
  'Correct credentials of a disabled client': '用戶端已停用，但憑證正確',
  'The request was rejected and nothing was changed.': '請求被拒絕，沒有任何變更。',
  'For errors that can occur in any body and any field, see *Messages of HTTP 400* in the introduction of this API.':
    '任何請求內容與欄位都可能發生的錯誤，請見此 API 簡介中的 *HTTP 400 的訊息*。',
  'Missing field': '缺少欄位',
  'The body cannot be read': '請求內容無法讀取',
  'Search stock': '查詢庫存',
  'Stock by lot: warehouse, sku, good or bad, batch, expiry date. Lots without any units on hand are omitted.':
    '各批次的庫存：倉庫、SKU、良品或不良品、批號、效期。沒有在庫數量的批次不列出。',
  "Use `products_stock.expire_date` to find lots that have expired or will expire soon, earliest first: `lt` today's date in Taipei for lots that have expired, `lte` a later date for lots that will expire by then. Lots that your sales rule (`sellable_days_before_expiry`) no longer allows to be sold are still listed, with `qty_available` 0.":
    '用 `products_stock.expire_date` 找出已過期或即將到期的批次，效期近者在前：已過期用 `lt` 加臺北的今天日期，將在某日之前到期用 `lte` 加該日期。依您的銷售規則（`sellable_days_before_expiry`）已不可販售的批次仍會列出，`qty_available` 為 0。',
  'Requires the permission `stocks.read`.': '需要權限 `stocks.read`。',
  'Success.': '成功。',
  'The last page': '最後一頁',
  'Lots that expire by a date, earliest first': '某日之前到期的批次，效期近者在前',
  'Unknown filter': '不認得的篩選條件',
  'Unknown sort key': '不認得的排序欄位',
  'Page size too large': '每頁筆數過多',
  'Cursor from another search': '使用其他搜尋的 cursor',
  'Search products': '查詢商品',
  'The products of your account, from all channels.': '貨主的商品，包含所有管道。',
  'Requires the permission `products.read`.': '需要權限 `products.read`。',
  'Search orders': '查詢訂單',
  'Orders from all channels, with their lines. Use this list to catch up on missed callbacks.':
    '所有管道的訂單與其明細。可用此清單補回漏掉的回呼。',
  'Requires the permission `orders.read`.': '需要權限 `orders.read`。',
  'Search inbound documents': '查詢進貨單',
  'Inbound documents and returns from all channels, with their announced goods, received goods and timeline. Documents whose receiving was stopped have the status `stopped`.':
    '所有管道的進貨單與退貨單，包含預告的貨品、已收的貨品與歷程。已終止收貨的單據狀態為 `stopped`。',
  'Requires the permission `inbounds.read`.': '需要權限 `inbounds.read`。',
  'Search callbacks': '查詢回呼通知',
  'Delivered and pending callbacks to your receivers, with every attempt.':
    '送往您接收端的回呼，包括已送達與待送的，以及每次嘗試。',
  'Requires the permission `callbacks.read`.': '需要權限 `callbacks.read`。',
  'Create an order': '建立訂單',
  'Follows the rules of `outbound/create` of the warehouse API: units are allocated immediately, good stock only, earliest expiry first; if stock is insufficient, the order is rejected. A repeated `outbound_short_id` returns `idempotent: true` and the original `orders_id`, even after a cancellation, and even if the rest of the body differs (then with `payload_differs: true`). Numbers are shared with the warehouse API.':
    '規則與倉儲 API 的 `outbound/create` 相同：立即配貨，只用良品，效期近者優先；庫存不足時拒絕訂單。重複的 `outbound_short_id` 回傳 `idempotent: true` 與原本的 `orders_id`，取消之後也一樣，其餘內容不同時亦然（此時帶 `payload_differs: true`）。編號與倉儲 API 共用。',
  'Requires the permission `orders.write`.': '需要權限 `orders.write`。',
  Created: '已建立',
  'Repeated request': '重複的請求',
  'Repeated request with a different body': '重複的請求，但內容不同',
  'Missing or invalid fields': '缺少欄位或欄位不正確',
  'Unknown tenant': '租戶不存在',
  'Unknown product': '商品不存在',
  'Unknown ship method': '物流方式不存在',
  'Not enough stock': '庫存不足',
  'Cancel orders': '取消訂單',
  'Follows the rules of `outbound/cancel` of the warehouse API: each entry has its own result, in the order sent; an order that has reached the warehouse is not cancelled and returns `cannot_cancel_after_picking`. Name orders of the logistics webhook by `internal_names`; if they have a `callback_url`, we notify it.':
    '規則與倉儲 API 的 `outbound/cancel` 相同：每一筆各有結果，依送出的順序；已到倉庫的訂單不會取消，回傳 `cannot_cancel_after_picking`。物流 Webhook 的訂單以 `internal_names` 指定；若有 `callback_url`，我們會通知。',
  'One result per entry': '每筆各有結果',
  'Orders of the logistics webhook': '物流 Webhook 的訂單',
  'Change orders before picking': '揀貨前變更訂單',
  'Changes the recipient, the ship method, the note or the label of up to 100 orders. Each entry has its own result, in the order sent. A field that is absent, `null` or empty stays as it is. A field that orders of this channel do not have is refused: orders of the logistics webhook have no `consignee_zip`, `consignee_country`, `logistics_type` and `express_type`; only they have `consignee_city`, `note` and `store_pickup_label_data`. Every change is recorded with old and new values. A repeat of the original `orders/create` is still recognized as a repeat.':
    '變更最多 100 筆訂單的收件人、物流方式、備註或標籤。每一筆各有結果，依送出的順序。省略、`null` 或空的欄位維持不變。該管道的訂單所沒有的欄位會被拒絕：物流 Webhook 的訂單沒有 `consignee_zip`、`consignee_country`、`logistics_type` 與 `express_type`；只有它們有 `consignee_city`、`note` 與 `store_pickup_label_data`。每次變更都會記錄舊值與新值。再次送出原本的 `orders/create` 仍視為重複的請求。',
  'Possible while the order is `awaiting_stock` or `pending_warehouse_transfer` and not being handed over to its warehouse; otherwise `too_late`. A warehouse with a system of its own may accept changes while the order is `in_warehouse`: then the result is `requested`, and `changes` in the list of orders shows the answer.':
    '訂單為 `awaiting_stock` 或 `pending_warehouse_transfer` 且不在拋單途中時可以變更；否則為 `too_late`。有自己系統的倉庫可能在訂單為 `in_warehouse` 時仍接受變更：此時結果為 `requested`，訂單清單中的 `changes` 會顯示倉庫的答覆。',
  'Changes that are not possible': '無法進行的變更',
  'No field to change': '沒有要變更的欄位',
  'Hold orders': '暫緩出貨',
  'Puts up to 100 orders on hold. An order on hold keeps its place and its stock, and gets stock in turn if it waits for it, but it is not handed over to its warehouse until it is released. It can still be changed and cancelled. Each entry has its own result; an order that is on hold already stays so. `reason` becomes part of the history.':
    '暫緩最多 100 筆訂單。暫緩的訂單保留順位與庫存，等待庫存的也會依序取得，但在解除之前不會拋單給倉庫。仍可變更與取消。每一筆各有結果；已暫緩的訂單維持暫緩。`reason` 會記入歷程。',
  'Release orders': '解除暫緩',
  'Releases up to 100 orders that are on hold; the next wave hands them over to their warehouse. Each entry has its own result. An order that is not on hold stays as it is.':
    '解除最多 100 筆暫緩的訂單；下一個波次會拋單給倉庫。每一筆各有結果。未暫緩的訂單維持不變。',
  'Report received goods': '回報收貨',
  'The warehouse reports the goods that arrived for an inbound document or a return: sku, expiry date and batch as found, good or bad. Goods may arrive in any number of portions. The first report changes the document to `receiving`. When all announced units have arrived (good and bad together), or with `final: true`, it changes to `received`, and we notify the `callback_url` if it is a form of the logistics webhook. Missing units are then no longer expected; the list of inbound documents shows them in `differences`.':
    '倉庫回報進貨單或退貨單實際到貨的內容：SKU、實際的效期與批號、良品或不良品。可分任意次數到貨。第一次回報後單據成為 `receiving`。預告的數量全部到齊（良品與不良品合計），或帶 `final: true` 時成為 `received`；若為物流 Webhook 的單據，我們會通知其 `callback_url`。此後不再等待缺少的數量；進貨清單以 `differences` 列出差異。',
  'Good units can be sold immediately and are allocated to orders that wait for them. A sku that the document does not announce is rejected, and so are excess units beyond the tolerance that the operator has set for the tenant or the key (in percent, rounded down). In that case nothing in the request is recorded, and `msg` names up to 20 skus.':
    '良品可立即販售，並配給等待的訂單。單據未預告的 SKU 會被拒絕，超出營運方為租戶或金鑰設定之容許範圍（百分比，無條件捨去）的數量也一樣。此時請求的內容全部不計入，`msg` 最多列出 20 個 SKU。',
  'A repeated `receipt_no` with the same content returns `idempotent: true` and the current status of the document. A document that is received on creation, as in UAT, cannot be received again.':
    '相同內容的重複 `receipt_no` 回傳 `idempotent: true` 與單據目前的狀態。建立時即收貨的單據（如 UAT）不能再次收貨。',
  'Requires the permission `inbounds.write`.': '需要權限 `inbounds.write`。',
  'Recorded; more goods are expected': '已記錄，仍有貨品未到',
  'The last portion, with units missing': '最後一次到貨，數量有短少',
  'A form of the logistics webhook, received completely': '物流 Webhook 的單據，已全部收貨',
  'No document named': '未指定單據',
  'No goods reported': '未回報任何貨品',
  'Unknown document': '單據不存在',
  'A document that is already closed': '已結束的單據',
  'More than announced, and a sku that was not announced': '超出預告的數量，以及未預告的 SKU',
  'More units than a lot can hold': '超過單一批次可容納的數量',
  'The number was already used with a different body. Nothing was changed.':
    '此編號已用於另一份不同的內容。沒有任何變更。',
  'The number was already used': '編號已使用過',
  'Stop receiving': '終止收貨',
  'Goods that have arrived stay in stock, and no more are expected: the document is `stopped`. If it is a form of the logistics webhook, we notify its `callback_url`. A stop can be repeated.':
    '已到的貨品留在庫存中，不再等待其餘貨品：單據成為 `stopped`。若為物流 Webhook 的單據，我們會通知其 `callback_url`。終止收貨可以重複送出。',
  Stopped: '已終止',
  'Two documents named': '同時指定兩張單據',
  'A document that is already received or cancelled': '已收貨或已取消的單據',
  'Cancel inbound documents': '取消進貨單',
  'Follows the rules of `inbound/cancel` of the warehouse API: each entry has its own result, in the order sent. A document can be cancelled until its first units arrive; if its units were received on creation, it can be cancelled while that many units are still free in their lots. Name forms of the logistics webhook by `form_nos`; we notify their `callback_url`.':
    '規則與倉儲 API 的 `inbound/cancel` 相同：每一筆各有結果，依送出的順序。第一件貨品到達之前可以取消；若建立時即收貨，只要批次中仍有相同的可用數量就可以取消。物流 Webhook 的單據以 `form_nos` 指定；我們會通知其 `callback_url`。',
  'Forms of the logistics webhook': '物流 Webhook 的單據',
  'Report the progress of orders': '回報訂單進度',
  'A warehouse system reports the progress of orders: `in_warehouse`, `picking`, `packed`, `partially_shipped`, `shipped`, `arrived` (at the pickup store), `delivered` or `undelivered`. Steps may be skipped, except `shipped` before those that follow it, and a status never moves backwards. A repeated report returns the same result and changes nothing. Units that are shipped leave the stock, and we notify the `callback_url` of everything from `partially_shipped` on.':
    '倉庫系統回報訂單進度：`in_warehouse`、`picking`、`packed`、`partially_shipped`、`shipped`、`arrived`（到達取貨門市）、`delivered` 或 `undelivered`。可以略過步驟，但 `shipped` 必須先於其後的步驟，狀態也不會倒退。重複的回報得到相同的結果，不會再有變更。出貨的數量會扣除庫存；從 `partially_shipped` 起的每個狀態，我們都會通知 `callback_url`。',
  'With `shipment_no`, all units leave in one parcel. With `parcels`, each parcel lists its units, and a parcel without `items` has all units that have not left yet. Report `partially_shipped` while more parcels follow, and `shipped` with the last one; an order of which all units have left is `shipped` in any case. `shipped` with fewer units than ordered needs `"final": true`: the other units are released and listed as `short`. A parcel that names no batch and no expiry date takes those units of the order that expire first. A shipment number is unique for each carrier, unless the report says `"allow_repeat": true`.':
    '帶 `shipment_no` 時，全部數量以一個包裹出貨。帶 `parcels` 時，每個包裹列出其數量，沒有 `items` 的包裹包含所有尚未出貨的數量。後面還有包裹時回報 `partially_shipped`，最後一個回報 `shipped`；全部數量都已出貨的訂單一律為 `shipped`。`shipped` 的數量少於訂購數量時，須帶 `"final": true`：其餘數量會釋出，並列在 `short`。包裹未指定批號與效期時，取訂單中效期近的數量。物流單號在同一物流商內不可重複，除非回報時帶 `"allow_repeat": true`。',
  '`undelivered` needs a `reason`: `not_collected`, `refused`, `lost` or `damaged`. Unless the goods are lost, we create a return that is `expected` and linked to the order; report its goods with `inbounds/receive`.':
    '`undelivered` 須附 `reason`：`not_collected`、`refused`、`lost` 或 `damaged`。除非貨品遺失，我們會建立一張與訂單連結、狀態為 `expected` 的退貨單；其貨品請以 `inbounds/receive` 回報。',
  ' Each report has its own result; a refused report does not affect the others. A report for an order that waits for stock is refused (`the order waits for stock`), and so is any report for an order of a UAT account, which stays in `pending_warehouse_transfer` (`orders of a UAT account stay in pending_warehouse_transfer`).':
    '每筆回報各有結果；被拒絕的回報不影響其他回報。等待庫存的訂單不能回報（`the order waits for stock`），UAT 貨主的訂單也不能，因為它們停留在 `pending_warehouse_transfer`（`orders of a UAT account stay in pending_warehouse_transfer`）。',
  'Requires the permission `fulfilment.write`.': '需要權限 `fulfilment.write`。',
  'One result per report': '每筆回報各有結果',
  'A report that arrives too late': '太晚的回報',
  'Reports that skip a required step, lack a shipment number or contradict an earlier report':
    '略過必要步驟、缺少物流單號，或與先前回報矛盾的回報',
  'A part of an order leaves': '訂單的一部分出貨',
  'The rest of an order will not be shipped': '訂單其餘部分不再出貨',
  'An order was not collected at the pickup store': '取貨門市的訂單逾期未取',
  'Redeliver callbacks': '重送回呼通知',
  'Redelivers the callbacks with these event IDs, or all that match the filters, which are the same as in the list of callbacks: `{"callbacks.status": "failed", "callbacks.created_at": {"gte": ...}}`. With `dry_run`, they are only counted. One request redelivers at most 10,000. They are sent with the same `event_id` and the same bytes as before, and the retry schedule starts over; callbacks of one document keep their order. A callback whose body was erased cannot be redelivered and is counted in `erased`.':
    '重送指定事件編號的回呼，或符合篩選條件的所有回呼；條件與回呼清單相同：`{"callbacks.status": "failed", "callbacks.created_at": {"gte": ...}}`。帶 `dry_run` 時只計算數量。一次最多重送 10,000 個。`event_id` 與位元組都和先前相同，重試的時程重新開始；同一單據的回呼維持順序。內容已刪除的回呼無法重送，計入 `erased`。',
  'Requires the permission `callbacks.write`.': '需要權限 `callbacks.write`。',
  'The number of callbacks': '回呼的數量',
  'Neither event IDs nor filters': '既沒有事件編號也沒有篩選條件',
  'Set barcodes and locations of products': '設定商品的條碼與儲位',
  'Sets the codes that people scan in the warehouse, and the places where they find products. All products are changed or none. A code belongs to one product of your account; `units` says how many units one scan means, so a carton can have a code of its own. A scan is compared with codes first, then with `sku_id`.':
    '設定倉庫人員掃描的條碼，以及商品的儲位。所有商品全部變更，否則全部不變更。在同一貨主內，一個條碼只屬於一個商品；`units` 表示掃描一次代表幾件，因此整箱可以有自己的條碼。掃描時先比對條碼，再比對 `sku_id`。',
  'Requires the permission `products.write`.': '需要權限 `products.write`。',
  Updated: '已更新',
  'Unknown product and warehouse': '商品與倉庫不存在',
  'The same code twice': '同一條碼出現兩次',
  'Adjust stock': '調整庫存',
  'Changes lots by a difference (`delta`) or to what was counted (`counted`), for example after a cycle count or a damage. All lines are applied or none; if one is rejected, `msg` names up to 20 lines and the reason of each. Units that orders have locked are never removed, and no lot goes below zero. Units added to a lot that does not exist create it. Added good units can be sold immediately and are allocated to orders that wait for them.':
    '以差異（`delta`）或清點結果（`counted`）變更批次的數量，例如循環盤點或損壞之後。所有明細全部套用，否則全部不套用；有明細被拒絕時，`msg` 最多列出 20 筆及各自的原因。訂單鎖定的數量不會被移除，批次也不會變成負數。對不存在的批次增加數量即建立該批次。增加的良品可立即販售，並配給等待的訂單。',
  '`counted` is the total of the lot on hand, locked units included. It is compared with our figure at the moment of the change: units that are reported as shipped between your count and the request would be brought back, and units that have left but are not reported yet would be removed twice. Report shipped orders before you count, or send a `delta`.':
    '`counted` 是批次的在庫總數，包含被鎖定的數量，並與變更當下的帳面數量比較：若在清點與送出請求之間回報出貨，那些數量會被加回來；已離開但尚未回報的數量則會被扣兩次。請在清點前先回報已出貨的訂單，或改送 `delta`。',
  'Lines are applied in the order sent, each to the lot as the previous line left it. A lot with `counted` has no other line. A line without any difference is a success and records no movement.':
    '明細依送出的順序套用，每筆都以前一筆套用後的批次為準。帶 `counted` 的批次不能有其他明細。沒有差異的明細視為成功，不會產生異動紀錄。',
  'A repeated `reference_no` with the same content returns the same result with `idempotent: true`; with other content it is rejected with 409. Adjustments and moves share their numbers.':
    '相同內容的重複 `reference_no` 回傳相同的結果與 `idempotent: true`；內容不同則以 409 拒絕。調整與調撥共用編號。',
  'Requires the permission `stocks.write`.': '需要權限 `stocks.write`。',
  Adjusted: '已調整',
  'Neither delta nor counted, or both': 'delta 與 counted 都沒有，或兩者都有',
  'Unknown product, warehouse and lot': '商品、倉庫與批次不存在',
  'More units than are free': '超過可用數量',
  'Two lines for a lot that was counted': '清點的批次有兩筆明細',
  'Move stock between warehouses': '倉庫間調撥庫存',
  'Moves units from a lot to the same lot (product, `stock_type`, batch and expiry date) in another warehouse of your account: two movements for each line. All lines are moved or none. The units arrive at once; to show goods on the road as not in stock, remove them with `stocks/adjust` and announce them as an inbound document. Only units that no order has locked can move. Good units can be sold at their destination immediately and are allocated to orders that wait for them there.':
    '將數量從一個批次調撥到同一貨主另一個倉庫的相同批次（商品、`stock_type`、批號與效期）：每筆明細產生兩筆異動。所有明細全部調撥，否則全部不調撥。數量立即到達；若要讓運送途中的貨品不計入庫存，請以 `stocks/adjust` 移除，再以進貨單預告。只有未被訂單鎖定的數量可以調撥。良品到達後可立即販售，並配給在該倉庫等待的訂單。',
  Moved: '已調撥',
  'A warehouse of others': '其他貨主的倉庫',
  'The warehouse in which the units are': '貨品原本所在的倉庫',
  'Send a test callback': '送出測試回呼',
  'Sends a callback for an event that has not happened, so that you can try your receiver with every event, also in UAT, where nothing is shipped. It is signed and delivered like all others and carries `test: true`; no document changes. With `document_no` it has the content of that document of your account, as if the event had just happened to it; otherwise it is the example in this reference. It goes where callbacks of the document, or of your account, go; a UAT account may send it to another `callback_url`.':
    '為尚未發生的事件送出回呼，讓您的接收端可以試驗每一種事件，在不會出貨的 UAT 也可以。簽章與遞送都和一般回呼相同，並帶 `test: true`；單據不會有任何變更。帶 `document_no` 時，內容為貨主的該張單據，如同事件剛發生在它身上；否則為此參考文件中的範例。它會送往該單據或貨主的回呼網址；UAT 貨主可以指定另一個 `callback_url`。',
  'At most 30 per minute and account. A test is given up after an hour; `getCallbacksData/searchList` shows its attempts.':
    '每分鐘、每貨主最多 30 次。測試回呼在一小時後放棄；`getCallbacksData/searchList` 會列出各次嘗試。',
  'The test is on its way': '測試回呼已送出',
  'A callback_url that is not allowed': '不允許的 callback_url',
};
