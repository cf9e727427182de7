import type { Translations } from '../language/translator.ts';

/** The endpoints of the warehouse API and the logistics webhook, and what all endpoints have in common. */
export const endpointsTexts: Translations = {
  'Order management: products, inbound documents, orders and the stock between them.':
    '訂單管理：商品、進貨單、訂單，以及其間的庫存。',
  'The operator of this service': '本服務的營運方',
  'Main API': '主 API',
  'Warehouse API': '倉儲 API',
  'Warehouse connector': '倉庫連接',
  'Logistics webhook': '物流 Webhook',
  Operations: '維運',
  'Lading manages products, inbound documents, orders and the stock between them. Each API below has its own authentication and its own response envelope.':
    'Lading 管理商品、進貨單、訂單，以及其間的庫存。下列每個 API 都有自己的驗證方式與回應格式。',
  'Every response carries the header `trace-id`. Quote it when you report a problem: with it, the operator can find the request and the reason for the response.':
    '每個回應都帶有標頭 `trace-id`。回報問題時請附上：營運方可藉此找到該請求與回應的原因。',
  'For monitoring systems. These endpoints need no credentials, except `/metrics` if the operator has set a token for it. Their requests are neither rate-limited nor logged.':
    '供監控系統使用。這些端點不需憑證；`/metrics` 則在營運方設定權杖時才需要。請求不限次數，也不記錄。',
  'F-1 Create or update a product': 'F-1 建立或更新商品',
  'A product must be synced before its `sku_id` can be used in other requests. Sending the same `sku_id` again updates the product without side effects: omitted fields remain unchanged, and `null` clears an optional field. A `sku_id` belongs to your account; other accounts may use the same one for other products.':
    '商品必須先同步，其他請求才能使用其 `sku_id`。再次送出相同的 `sku_id` 會更新商品，沒有其他影響：省略的欄位維持不變，`null` 會清空選填欄位。`sku_id` 屬於您的貨主；其他貨主可以用相同的 `sku_id` 代表別的商品。',
  'Created or updated': '已建立或更新',
  'F-2 Announce goods': 'F-2 預告進貨',
  'Creates an inbound document. The account and `warehouse_tpw_id` determine the warehouse.':
    '建立進貨單。倉庫由貨主與 `warehouse_tpw_id` 決定。',
  'Send goods that do not expire without `expire_date` (`null` and `""` mean the same). They form a separate lot, are sold after all lots with an expiry date, and their rows in `stock/query` have no `expire_date`.':
    '沒有效期的貨品請不要送 `expire_date`（`null` 與 `""` 意義相同）。它們自成一個批次，在所有有效期的批次之後販售，在 `stock/query` 的資料中也沒有 `expire_date`。',
  'A repeated `inbound_short_id` returns HTTP 400 and `LST-TPW-2001`. This is not an error: the original was accepted, and `data` contains its numbers, with `payload_differs: true` if the body differs. The original remains unchanged, and this check precedes those of the tenant and the skus. Numbers are shared with `inbound/return`. If identical requests arrive at the same time, exactly one creates the document.':
    '重複的 `inbound_short_id` 回應 HTTP 400 與 `LST-TPW-2001`。這不是錯誤：原單據已接受，`data` 中是原單據的編號；內容不同時帶 `payload_differs: true`。原單據維持不變，且此檢查先於租戶與 SKU 的檢查。編號與 `inbound/return` 共用。相同的請求同時到達時，只有一個會建立單據。',
  '`PARAM_INVALID`: the request was rejected and nothing was changed. `LST-TPW-2001`: the document already exists.':
    '`PARAM_INVALID`：請求被拒絕，沒有任何變更。`LST-TPW-2001`：單據已存在。',
  'Repeated request: the original was accepted': '重複的請求：原單據已接受',
  'unknown tenant': '租戶不存在（unknown tenant）',
  'sku_id not found': 'SKU 不存在（sku_id not found）',
  'F-3 Announce a return': 'F-3 預告退貨',
  'Creates a return-inbound document. `outbound_short_id` names the original order; if that order is unknown, the return is still accepted, and it is linked if the order is created later. All other rules are those of `inbound/create`, and both share their numbers.':
    '建立退貨單。`outbound_short_id` 指定原訂單；即使訂單不存在也會接受，日後建立該訂單時會自動連結。其他規則與 `inbound/create` 相同，編號也共用。',
  'F-4 Cancel inbound documents and returns': 'F-4 取消進貨單與退貨單',
  'Each entry has its own result, in the order sent, including duplicates; entries do not affect each other. Cancelling again returns `cancelled` again. A document can be cancelled until its first goods are received. If its goods are in stock on creation (UAT), it can be cancelled while all its units are still free; they are then removed from stock.':
    '每一筆各有結果，依送出的順序，重複的也列出；各筆互不影響。再次取消仍回傳 `cancelled`。第一件貨品收貨之前可以取消。若建立時即入庫（UAT），只要所有數量都還未被占用就可以取消，數量會從庫存移除。',
  'F-5 Create an order': 'F-5 建立訂單',
  'Creates an outbound order and allocates its units immediately: good stock only, earliest expiry first. The account and `warehouse_tpw_id` determine the warehouse and the store. If stock is insufficient, nothing is allocated and the order is rejected; if a sku appears in several details, their sum counts.':
    '建立出貨單並立即配貨：只用良品，效期近者優先。倉庫與商店由貨主與 `warehouse_tpw_id` 決定。庫存不足時完全不配貨並拒絕訂單；同一 SKU 出現在多筆明細時，以合計數量計算。',
  'A repeated `outbound_short_id` returns HTTP 200, `idempotent: true` and the original `orders_id`, even after a cancellation, and even if the rest of the body differs (then with `payload_differs: true`). The original remains unchanged. If identical requests arrive at the same time, exactly one creates the order.':
    '重複的 `outbound_short_id` 回應 HTTP 200、`idempotent: true` 與原本的 `orders_id`，取消之後也一樣，其餘內容不同時亦然（此時帶 `payload_differs: true`）。原訂單維持不變。相同的請求同時到達時，只有一個會建立訂單。',
  logistics_type: 'logistics_type',
  express_type: 'express_type',
  'home delivery by T-CAT (黑貓宅急便)': '宅配，黑貓宅急便',
  'home delivery by HCT Logistics (新竹物流)': '宅配，新竹物流',
  'home delivery by Chunghwa Post (中華郵政)': '宅配，中華郵政',
  'pickup at 7-ELEVEN': '超商取貨，7-ELEVEN',
  'pickup at FamilyMart (全家)': '超商取貨，全家',
  'pickup at Hi-Life (萊爾富)': '超商取貨，萊爾富',
  'unknown ship_method mapping': '物流方式對應不存在（unknown ship_method mapping）',
  'F-6 Cancel orders': 'F-6 取消訂單',
  'Each entry has its own result, in the order sent, including duplicates; entries do not affect each other. Cancelling again returns `cancelled` again; the units are free immediately. An order that has reached the warehouse or picking is not cancelled: its result is `cannot_cancel_after_picking` with `LST-TPW-6001`, and the HTTP status is still 200.':
    '每一筆各有結果，依送出的順序，重複的也列出；各筆互不影響。再次取消仍回傳 `cancelled`；數量立即釋出。已到倉庫或揀貨中的訂單不會取消：結果為 `cannot_cancel_after_picking` 與 `LST-TPW-6001`，HTTP 狀態碼仍為 200。',
  'F-7 Query stock': 'F-7 查詢庫存',
  'Read-only. Returns one row per sku, stock type, batch and expiry date, summed over the warehouses of your account; lots without any units on hand are omitted. A registered product without stock has one `good` row of zeros, without `expire_date`; an unknown product has one row with `not_found`. A repeated `sku_id` is returned once. Units that do not expire have a row without `expire_date`.':
    '唯讀。依 SKU、良品或不良品、批號與效期各回傳一筆，為貨主各倉庫的合計；沒有在庫數量的批次不列出。已登記但沒有庫存的商品有一筆數量為 0 的 `good`，沒有 `expire_date`；不存在的商品有一筆 `not_found`。重複的 `sku_id` 只回傳一次。沒有效期的數量，其資料沒有 `expire_date`。',
  'With `warehouse_tpw_id`, the response contains only what that tenant can sell: good stock in its own warehouse that expires late enough for its `sellable_days_before_expiry`. The sum of `qty_available` is then exactly what `outbound/create` accepts for that tenant, and every row has the `warehouse_no`.':
    '帶 `warehouse_tpw_id` 時，回應只包含該租戶可販售的數量：在其倉庫中、為良品，且效期符合其 `sellable_days_before_expiry`。`qty_available` 的合計即為 `outbound/create` 對該租戶所能接受的數量，每一筆都有 `warehouse_no`。',
  'In stock, registered without stock, and not registered': '有庫存、已登記但沒有庫存，以及未登記',
  'What one tenant can sell': '單一租戶可販售的數量',
  'Ask why a signature was rejected': '查詢簽章被拒絕的原因',
  'For UAT accounts. Send the rejected request once more to this path: the same headers and the same bytes as body, without signing it again. The response lists the mistakes in the headers and in the signature, and how to fix them. The request itself is not processed.':
    '供 UAT 貨主使用。請將被拒絕的請求再送一次到此路徑：相同的標頭、以相同的位元組作為請求內容，不要重新簽章。回應會列出標頭與簽章的錯誤，以及修正的方式。該請求本身不會被處理。',
  'A signature covers the body and the timestamp, not the path or the method, so no header has to name the original path. If the timestamp has become older than 300 s since, the diagnosis says that too.':
    '簽章涵蓋請求內容與時間戳記，不包含路徑與方法，因此不需要標頭來指出原本的路徑。若時間戳記在這段期間已超過 300 秒，診斷也會指出。',
  'Only the secret of the account in `account-no` is tried. A production account, an unknown one and a request without an account get the 401 of every endpoint. An account has 10 diagnoses per minute; after that the response is 429 with `Retry-After`. Bodies over 32 KiB are not compared with the signature.':
    '只會以 `account-no` 所指貨主的密鑰比對。正式貨主、不存在的貨主，以及沒有貨主的請求，得到的是與其他端點相同的 401。每個貨主每分鐘可診斷 10 次；超過時回應 429 與 `Retry-After`。超過 32 KiB 的內容不會與簽章比對。',
  'The diagnosis, also if nothing is wrong.': '診斷結果；沒有錯誤時也會回傳。',
  'The signature is right': '簽章正確',
  'The body and the timestamp were joined by a dot': '請求內容與時間戳記之間多了一個點',
  'Send a shipping order': '拋單',
  'If all units are available, they are allocated immediately; otherwise the order waits for them in `awaiting_stock`. An order is never rejected because of insufficient stock or an unknown sku. If it has a `callback_url`, we notify you there when it is shipped or cancelled.':
    '數量全部可用時立即配貨；否則訂單在 `awaiting_stock` 等待。訂單不會因為庫存不足或 SKU 不存在而被拒絕。若帶 `callback_url`，出貨或取消時我們會通知該網址。',
  'Accepted, now or in an earlier request.': '已接受（這次或先前的請求）。',
  Accepted: '已接受',
  'Accepted, waiting for stock': '已接受，等待庫存',
  'Send an inbound, return or stop-receiving form': '送出進貨、退貨或終止收貨單據',
  '`form_type` selects the kind: `1` announces goods, `2` announces returned goods, `3` stops receiving an earlier inbound or return form, named by `form_no`. We notify you at `callback_url` when the form is received, stopped or cancelled.':
    '`form_type` 選擇種類：`1` 預告進貨，`2` 預告退貨，`3` 終止先前進貨單或退貨單（以 `form_no` 指定）的收貨。單據收貨、終止或取消時，我們會通知 `callback_url`。',
  'UAT account whose key receives at once': 'UAT 貨主，金鑰設定為立即收貨',
  'Production account, or UAT account whose key receives later (after 30 seconds by default)':
    '正式貨主，或金鑰設定為稍後收貨（預設 30 秒）的 UAT 貨主',
  'Receiving stopped': '已終止收貨',
  'Stopping an unknown form': '終止不存在的單據',
  'Stopping a form that is already received': '終止已收貨的單據',
  'Test the callbacks of a key': '測試金鑰的回呼',
  'Sends a callback for an event that has not happened, so that you can try your receiver with every event, also in UAT, where nothing is shipped. It is signed with the secret of your API key, delivered like all others, and carries `test: true`; no document changes. With `document_no` it has the content of that document, as if the event had just happened to it, and goes to its `callback_url`; otherwise it is the example in this reference. A UAT account may send it to another `callback_url`.':
    '為尚未發生的事件送出回呼，讓您的接收端可以試驗每一種事件，在不會出貨的 UAT 也可以。以您 API 金鑰的密鑰簽署，遞送方式與一般回呼相同，並帶 `test: true`；單據不會有任何變更。帶 `document_no` 時，內容為該張單據，如同事件剛發生在它身上，並送往其 `callback_url`；否則為此參考文件中的範例。UAT 貨主可以指定另一個 `callback_url`。',
  'At most 30 per minute and account. A test is given up after an hour.':
    '每分鐘、每貨主最多 30 次。測試回呼在一小時後放棄。',
  'The access token is missing or not valid. Get a new one and retry once; if that is rejected too, check `msg`.':
    '缺少存取權杖或權杖無效。請取得新的權杖並重試一次；若仍被拒絕，請查看 `msg`。',
  'The challenge defined by RFC 6750. If the request has no token, it has no `error`: `Bearer realm="lading"`.':
    'RFC 6750 定義的驗證要求。若請求沒有權杖，則不含 `error`：`Bearer realm="lading"`。',
  Expired: '已過期',
  'No Authorization header': '沒有 Authorization 標頭',
  'No Bearer prefix': '沒有 Bearer 前綴',
  Malformed: '格式錯誤',
  'Not issued by this service': '不是由本服務核發',
  'Client disabled': '用戶端已停用',
  'Duplicate header': '標頭重複',
  'The client lacks the permission for this operation. The operator grants permissions.':
    '用戶端沒有此操作的權限。權限由營運方授予。',
  'The challenge defined by RFC 6750; `scope` is the permission that the client lacks.':
    'RFC 6750 定義的驗證要求；`scope` 為用戶端缺少的權限。',
  'No permission': '沒有權限',
  'The header `authorization`, which this endpoint does not need, was sent twice.':
    '此端點不需要的標頭 `authorization` 送了兩次。',
  'The complete request did not arrive within 15 s. The connection is closed.':
    '完整的請求未在 15 秒內送達。連線會被關閉。',
  'Request too slow': '請求太慢',
  'The headers exceed 16 KiB in total. The connection is closed.': '標頭合計超過 16 KiB。連線會被關閉。',
  'Headers too large': '標頭太大',
  'The path does not exist. Paths are compared exactly and must not end with a slash.':
    '路徑不存在。路徑須完全相符，結尾不可有斜線。',
  'No such path': '沒有這個路徑',
  'The method is not POST.': '方法不是 POST。',
  'The allowed method.': '允許的方法。',
  'Wrong method': '方法不對',
  'The body is larger than 1 MiB (4 KiB for the token endpoint). The connection is closed.':
    '請求內容超過 1 MiB（取得權杖的端點為 4 KiB）。連線會被關閉。',
  'Body too large': '請求內容太大',
  'The content type is not `application/json` in UTF-8, or the request has a content encoding.':
    'content-type 不是 UTF-8 的 `application/json`，或請求帶有 content-encoding。',
  'Not JSON': '不是 JSON',
  Compressed: '經過壓縮',
  'The account exceeds its limit of requests per second or of concurrent searches; for the token endpoint, there were too many failed attempts. Send the request again after the time given in `Retry-After`.':
    '貨主超過每秒請求數或同時搜尋數的上限；取得權杖的端點則是失敗次數過多。請依 `Retry-After` 等待後重新送出。',
  'Seconds to wait before the next attempt.': '下次嘗試前要等待的秒數。',
  'Too many requests': '請求過於頻繁',
  'An error on our side. The request may or may not have taken effect; send the same request again, and report the trace id.':
    '本系統發生錯誤。請求可能已生效，也可能沒有；請重新送出相同的請求，並回報追蹤碼。',
  'Internal error': '內部錯誤',
  'The service is busy or its database is unavailable; send the same request again after the time given in `Retry-After`.':
    '服務忙碌中或資料庫暫時無法使用；請依 `Retry-After` 等待後重新送出相同的請求。',
  'Database unavailable': '資料庫無法使用',
  Busy: '忙碌中',
  'The header `host` is missing or was sent twice.': '缺少標頭 `host`，或送了兩次。',
  'No host': '沒有 host',
  'The method is neither GET nor HEAD.': '方法不是 GET 或 HEAD。',
  'A header is missing or was sent twice, the account is not registered, the timestamp is more than 300 s off, or the signature does not match. For security, the response does not say which; the operator can look it up by the trace id.':
    '標頭缺少或重複、貨主未登記、時間戳記誤差超過 300 秒，或簽章不符。基於安全考量，不會告知是哪一項；營運方可依追蹤碼查出。',
  'Authentication failed': '驗證失敗',
  'The body is larger than 1 MiB. The connection is closed.': '請求內容超過 1 MiB。連線會被關閉。',
  'The account exceeds its limit of requests per second. The request was not processed; send it again after the time given in `Retry-After`.':
    '貨主超過每秒請求數的上限。請求未被處理；請依 `Retry-After` 等待後重新送出。',
  '`LST-TPW-5030`: the integration is disabled, for everyone or for this account; contact the operator. `LST-TPW-5031`: the service is busy or its database is unavailable; send the same request again after the time given in `Retry-After`, which only this code has.':
    '`LST-TPW-5030`：所有貨主或此貨主的串接已停用；請洽營運方。`LST-TPW-5031`：服務忙碌中或資料庫暫時無法使用；請依 `Retry-After` 等待後重新送出相同的請求，只有此代碼會帶這個標頭。',
  'Not enabled': '尚未啟用',
  'The API key is missing, unknown or disabled. For security, the response does not say which; the operator can look it up by the trace id.':
    '缺少 API 金鑰、金鑰不存在或已停用。基於安全考量，不會告知是哪一項；營運方可依追蹤碼查出。',
  'Unique per request; quote it when you report a problem.': '每個請求都不同；回報問題時請附上。',
  'The `access_token` from the token endpoint.': '取自權杖端點的 `access_token`。',
  'Your account number from the operator. The header name has a hyphen; `account_no` is not accepted, neither as a header nor in the body.':
    '營運方提供的貨主編號。標頭名稱用連字號；不接受 `account_no`，放在標頭或請求內容都不行。',
  'Unix time in seconds (10 digits). It may differ from the server time by at most 300 seconds.':
    'Unix 秒數（10 位數字）。與伺服器時間的誤差最多 300 秒。',
  'HMAC-SHA256 as 64 lowercase hex digits. The message is the exact bytes of the body as sent, directly followed by the value of the timestamp header, with nothing between them; the key is the shared secret from the operator.':
    'HMAC-SHA256，64 位小寫十六進位數字。訊息為實際送出的請求內容位元組，後面直接接上 timestamp 標頭的值，中間沒有其他內容；金鑰為營運方提供的共用密鑰。',
  'The API key from the operator. A preceding `Bearer ` is accepted.':
    '營運方提供的 API 金鑰。前面加上 `Bearer ` 也可以。',
};
