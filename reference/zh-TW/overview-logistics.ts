import type { Translations } from '../language/translator.ts';

/** The introduction to the logistics webhook. */
export const overviewLogisticsTexts: Translations = {
  'For logistics and shop systems: send shipping orders and inbound forms, and receive callbacks when they are completed.':
    '供物流與商店系統使用：拋單與送出進貨單據，並在完成時收到回呼通知。',
  'API key': 'API 金鑰',
  'Every request carries the header `Authorization: <API_KEY>` with the key from the operator. `Bearer <API_KEY>` is accepted too.':
    '每個請求都要帶標頭 `Authorization: <API_KEY>`，金鑰由營運方提供。也接受 `Bearer <API_KEY>`。',
  'A key belongs to one account, one warehouse and one store; everything that you send with it belongs to them too.':
    '一把金鑰屬於一個貨主、一個倉庫與一家商店；以此金鑰送出的資料也都屬於它們。',
  'While a key is being rotated, the previous key remains valid until a time set by the operator.':
    '金鑰輪替期間，前一把金鑰在營運方設定的時間之前仍然有效。',
  'POST with JSON in UTF-8 (`content-type: application/json`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.':
    '以 POST 送出 UTF-8 的 JSON（`content-type: application/json`），不壓縮，最大 1 MiB，須在 15 秒內送完，巢狀最多 32 層。',
  'Types are not converted: `"3"` is not `3`. Unknown fields are ignored. Exceptions: a number for `phone` or `identifier`, and an integer `storage_type` from 1 to 4, are converted to text.':
    '型別不會轉換：`"3"` 不是 `3`。不認得的欄位會被忽略。例外：`phone` 或 `identifier` 的數字，以及 1 到 4 的整數 `storage_type`，會轉為文字。',
  'An optional field may be omitted, `null` or `""`; all three mean the same. An empty array in place of an optional object, as PHP may send it, also means the same.':
    '選填欄位可以省略、送 `null` 或 `""`，三者意義相同。以空陣列代替選填物件（PHP 可能會這樣送）意義也相同。',
  'Money is rounded half up (away from zero) to 2 decimals. A `price` may be negative, a `delivery_charge` must not be.':
    '金額四捨五入到小數 2 位（負數亦然，遠離零）。`price` 可為負數，`delivery_charge` 不可為負數。',
  'In free text, line breaks and tabs are replaced by spaces; a `note` keeps them.':
    '一般文字中的換行與定位字元會換成空格；`note` 則保留。',
  'Lengths are counted in characters (Unicode code points). Numbers and skus are compared exactly and must not contain control, zero-width or bidirectional characters.':
    '長度以字元計算（Unicode 碼位）。編號與 SKU 須完全相符，且不可含控制字元、零寬字元或雙向控制字元。',
  'Every response is `{done, msg, retval}`. If `done` is `false`, `msg` gives the reason. Below HTTP 500, this also means that nothing was changed.':
    '所有回應都是 `{done, msg, retval}`。`done` 為 `false` 時，`msg` 說明原因。HTTP 狀態碼小於 500 時，也表示沒有任何變更。',
  'accepted, now or in an earlier request: `retval` is `{document_no, status, idempotent}`':
    '已接受（這次或先前的請求）：`retval` 為 `{document_no, status, idempotent}`',
  'fields are missing or invalid, or the body cannot be read': '缺少欄位或欄位不正確，或請求內容無法讀取',
  'no valid API key': '沒有有效的 API 金鑰',
  'the number was already used with a different body': '此編號已用於另一份不同的內容',
  'too many requests; service busy. See `Retry-After`': '請求過於頻繁；服務忙碌中。請見 `Retry-After`',
  'Every rejection lists its errors, all at once: `retval` is `{errors: [{code, path, message, doc_url}]}`, with a code for programs, the path of the field and a link to the error guide. Unknown fields are ignored; UAT accounts get a warning about each in `retval.warnings`.':
    '每個被拒絕的請求都會一次列出所有錯誤：`retval` 為 `{errors: [{code, path, message, doc_url}]}`，包括供程式判斷的代碼、欄位的路徑，以及錯誤指南的連結。不認得的欄位會被忽略；UAT 貨主會在 `retval.warnings` 收到每個這類欄位的警告。',
  '`internal_name` and `form_no` are idempotency keys. They are unique within your account forever (in a UAT account, until they are purged). Orders and forms have separate number ranges.':
    '`internal_name` 與 `form_no` 是冪等鍵，在同一貨主內永遠不可重複（UAT 貨主則到資料清除為止）。訂單與單據的編號各自獨立。',
  'The same number with the same body: 200 with `idempotent: true` and the current status; the request has no further effect.':
    '相同編號、相同內容：200、`idempotent: true` 與目前的狀態；請求不會再有作用。',
  'The same number with a different body: 409. To change an order, cancel it and send it with a new number.':
    '相同編號、不同內容：409。若要變更訂單，請取消後以新的編號送出。',
  'Field order, white space and unknown fields do not matter, nor does it matter whether an optional text is `null`, empty or omitted.':
    '欄位順序、空白與不認得的欄位都不影響比較，選填文字是 `null`、空字串或省略也不影響。',
  'After a time-out, a 429 or a 5xx, send the same request again. Wait for the time given in `Retry-After`; without it, double the delay with each attempt.':
    '逾時、429 或 5xx 之後，請重新送出相同的請求。請依 `Retry-After` 等待；沒有此標頭時，每次嘗試的間隔加倍。',
  Products: '商品',
  "You do not need to register products first: an unknown `sku` is registered from the first item that uses it, with the item's `name` (or the sku if it has none) and `storage_type`. Items do not change products that are already registered.":
    '不必先登記商品：第一次用到的 `sku` 會以該品項的 `name`（沒有時用 SKU）與 `storage_type` 自動登記。品項不會改變已登記的商品。',
  '`storage_type` is `1` or `ambient`, `2` or `air_conditioned`, `3` or `frozen`, `4` or `chilled`. Any other category is stored as the text you send.':
    '`storage_type` 為 `1` 或 `ambient`、`2` 或 `air_conditioned`、`3` 或 `frozen`、`4` 或 `chilled`。其他類別會依您送的文字儲存。',
  'Orders and stock': '訂單與庫存',
  'If all units of an order are available, they are allocated immediately (good stock only, earliest expiry first): `pending_warehouse_transfer`.':
    '訂單的數量全部可用時立即配貨（只用良品，效期近者優先）：`pending_warehouse_transfer`。',
  'Otherwise the order is accepted and waits: `awaiting_stock`. When stock arrives, the oldest order gets it first; a newer order of this webhook never takes units that an older one is waiting for. Orders of the main API and the warehouse API do not wait: they take free units or are rejected.':
    '否則訂單會被接受並等待：`awaiting_stock`。到貨時先給最舊的訂單；本 Webhook 較新的訂單不會取走較舊訂單正在等待的數量。主 API 與倉儲 API 的訂單不會等待：有可用數量就取用，否則被拒絕。',
  'An item with a `batch` takes only units of that batch, and waits for them.':
    '指定 `batch` 的品項只使用該批號的數量，不足時等待該批號。',
  'The next statuses are `in_warehouse`, `picking`, `packed`, `partially_shipped` if it leaves in several parcels, `shipped`, `arrived` at a pickup store, and `delivered` or `undelivered`. Before `in_warehouse`, you can cancel an order with `orders/cancel` of the main API, using `internal_names`.':
    '後續狀態為 `in_warehouse`、`picking`、`packed`、分多個包裹出貨時的 `partially_shipped`、`shipped`、到達取貨門市的 `arrived`，以及 `delivered` 或 `undelivered`。在 `in_warehouse` 之前，可用主 API 的 `orders/cancel` 以 `internal_names` 取消訂單。',
  Forms: '單據',
  '`form_type` `1` (inbound) and `2` (return) announce goods. They are `expected`, then `receiving` and `received` as the warehouse reports arrivals.':
    '`form_type` 為 `1`（進貨）與 `2`（退貨）時預告貨品。狀態先為 `expected`，隨倉庫回報到貨而成為 `receiving` 與 `received`。',
  '`form_type` `3` stops receiving. `form_no` names the inbound or return form; the other fields are the same as in any form, and `products` may be `[]`. Goods that have arrived stay in stock, and no more are expected: `stopped`.':
    '`form_type` 為 `3` 時終止收貨。`form_no` 指定要終止的進貨單或退貨單；其他欄位與一般單據相同，`products` 可為 `[]`。已到的貨品留在庫存中，不再等待其餘貨品：`stopped`。',
  'The warehouse reports arrivals in any number of portions, each unit as good or bad, with its batch and expiry date; this is also how returns are graded. Excess units are accepted up to the tolerance that the operator has set for your key. Units still missing when the warehouse finishes are no longer expected. `received` in the callback lists the goods that arrived; `getInboundsData/searchList` of the main API shows the same at any time. While a form is `expected`, you can cancel it with `inbounds/cancel` of the main API, using `form_nos`. A form that was received on creation can also be cancelled, as long as all of its units are still free.':
    '倉庫可分任意次數回報到貨，每件標明良品或不良品、批號與效期；退貨的良品與不良品也由此判定。超收的數量在營運方為您的金鑰設定的範圍內會被接受。倉庫完成收貨後仍缺少的數量不再等待。回呼中的 `received` 列出到貨的貨品；主 API 的 `getInboundsData/searchList` 隨時可查到相同的內容。單據為 `expected` 時，可用主 API 的 `inbounds/cancel` 以 `form_nos` 取消。建立時即收貨的單據，只要所有數量都還未被占用，也可以取消。',
  'A stop can be repeated. It is rejected with 400 if the `form_no` is unknown, or if the form is already received or cancelled. The callback of a stop goes to the `callback_url` of the stop form.':
    '終止收貨可以重複送出。若 `form_no` 不存在，或單據已收貨或已取消，則以 400 拒絕。終止收貨的回呼會送到終止收貨單的 `callback_url`。',
  UAT: 'UAT',
  'Do not use production data, because UAT data is purged periodically. A form stays `expected` for a short time, 30 seconds unless the operator has set another one for your key; in this time you can receive a part of it, stop or cancel it. Then the rest is received as good, and the callback follows. If the time is 0, the form is `received` immediately. A key can also be configured to wait for the warehouse, as in production. Orders stay in `pending_warehouse_transfer`; nothing is shipped. To see the callback of an order, cancel it.':
    '請勿使用正式資料，因為 UAT 資料會定期清除。單據會短暫停留在 `expected`，預設 30 秒，營運方可為您的金鑰設定其他時間；這段時間內可以收一部分、終止或取消。之後其餘數量以良品入庫，並送出回呼。若時間為 0，單據立即成為 `received`。金鑰也可設定為與正式環境一樣等待倉庫。訂單停留在 `pending_warehouse_transfer`，不會實際出貨。若要看到訂單的回呼，請取消訂單。',
  Callbacks: '回呼通知',
  'If a document has a `callback_url`, we POST to it when one of these events occurs. The body, the headers and examples are below, at "Callback".':
    '若單據有 `callback_url`，發生下列事件時我們會 POST 到該網址。內容、標頭與範例請見下方的「回呼通知」。',
  event: '事件',
  'Some units have left the warehouse; `parcels` lists what has left so far.':
    '部分數量已離開倉庫；`parcels` 列出目前已出貨的包裹。',
  'The order has left the warehouse; `parcels` lists its units, `short` those that were ordered but will not be shipped.':
    '訂單已離開倉庫；`parcels` 列出出貨的數量，`short` 列出已訂但不會出貨的數量。',
  'The order has arrived at the pickup store.': '訂單已到達取貨門市。',
  'The recipient has the order.': '收件人已取得訂單。',
  'The order did not reach its recipient, for this `reason`; unless it is lost, we expect it back under `return_no`.':
    '訂單未送達收件人，原因見 `reason`；除非遺失，我們會以 `return_no` 等待退回。',
  'The order was cancelled.': '訂單已取消。',
  'The form was received; `received` lists the goods that arrived.': '單據已收貨；`received` 列出到貨的貨品。',
  'Receiving was stopped; `received` lists the goods that had arrived by then.':
    '已終止收貨；`received` 列出當時已到貨的貨品。',
  'The form was cancelled.': '單據已取消。',
  'Verify the signature, store the event, respond with 200 immediately, and process the event afterwards.':
    '請驗證簽章、儲存事件，立即回應 200，之後再處理事件。',
  'Each callback is delivered at least once, so the same one may arrive again with the same `event_id` and the same bytes. Ignore an `event_id` that you have already processed. The combination of `document_type`, `document_no` and `sequence` is equally unique.':
    '每個回呼至少送達一次，因此同一個回呼可能以相同的 `event_id` 與相同的位元組再次送達。請忽略已處理過的 `event_id`。`document_type`、`document_no` 與 `sequence` 的組合同樣不會重複。',
  'Callbacks of one document are sent in the order of their `sequence`: each waits until the previous one was delivered or has `failed`. A callback that is redelivered manually may arrive after a later one. Different documents do not wait for each other.':
    '同一單據的回呼依 `sequence` 的順序送出：前一個送達或 `failed` 之後才送下一個。手動重送的回呼可能晚於之後的回呼送達。不同單據之間互不等待。',
  'New events and new fields may be added. Respond with 200 to events that you do not know.':
    '日後可能新增事件與欄位。不認得的事件也請回應 200。',
  'Signature of callbacks': '回呼的簽章',
  'Callbacks are signed according to [Standard Webhooks](https://www.standardwebhooks.com), which has libraries for most languages.':
    '回呼依 [Standard Webhooks](https://www.standardwebhooks.com) 簽署，多數程式語言都有現成的函式庫。',
  '`id`, `timestamp` and `signature` are the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.':
    '`id`、`timestamp` 與 `signature` 即標頭 `webhook-id`、`webhook-timestamp` 與 `webhook-signature`。',
  'The operator gives you the secret (`whsec_...`), one per API key. It is not the API key itself.':
    '密鑰（`whsec_...`）由營運方提供，每把 API 金鑰各有一個。它不是 API 金鑰本身。',
  'Verify the raw bytes of the body, before parsing them. Reject a timestamp that is more than 5 minutes off: each attempt has a new timestamp and signature.':
    '請在解析之前，以收到的原始位元組驗證。時間戳記誤差超過 5 分鐘請拒絕：每次嘗試都有新的時間戳記與簽章。',
  'While a secret is being rotated, callbacks carry two signatures separated by a space. Accept the callback if either matches; you can then switch secrets at any time.':
    '密鑰輪替期間，回呼帶有兩個以空格分隔的簽章。任一個相符即可接受，因此您可在期間內隨時切換密鑰。',
  'Without a library:': '不使用函式庫：',
  'With `npm install standardwebhooks`:': '使用 `npm install standardwebhooks`：',
  'Retries of callbacks': '回呼的重試',
  'A 2xx response within 15 s means that the callback was delivered. After anything else, including a redirect, we retry after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each delay up to 10 % longer.':
    '在 15 秒內回應 2xx 表示回呼已送達。其他情形（包括重新導向）會在 5 秒、5 分鐘、30 分鐘、2 小時、5 小時、10 小時、10 小時後重試，每次間隔最多再延長 10 %。',
  '`Retry-After`, in seconds or as a date, extends the delay, up to 1 h.':
    '`Retry-After`（秒數或日期）可延長間隔，最多 1 小時。',
  '410 stops the retries immediately.': '410 會立即停止重試。',
  'After the last attempt, about 28 hours after the first, the callback is `failed` and is no longer retried automatically. You can redeliver one or many with `callbacks/redeliver` of the main API; the operator can do the same with `lading callbacks redeliver`.':
    '最後一次嘗試（約為第一次的 28 小時後）之後，回呼成為 `failed`，不再自動重試。您可用主 API 的 `callbacks/redeliver` 重送一個或多個；營運方則可用 `lading callbacks redeliver`。',
  'If a receiver keeps failing, we pause it for up to 5 min and then try one callback at a time until it responds. Its other callbacks wait in the meantime and fail after 31 hours. Other receivers are not affected.':
    '接收端持續失敗時，我們會暫停最多 5 分鐘，之後一次只試一個回呼，直到有正常回應。期間其他回呼會等待，超過 31 小時即失敗。其他接收端不受影響。',
  'Where callbacks go': '回呼送往何處',
  'Callbacks go to `http` and `https` URLs at public addresses, on any port. A URL with a private, local or reserved IP address is rejected like any other field error; if a host name resolves to such an address, the attempt fails. We do not follow redirects. The certificate must be valid for the host. The URL must not contain a user name or password.':
    '回呼可送到公開位址上的 `http` 與 `https` 網址，連接埠不限。網址若為私有、本機或保留的 IP 位址，會與其他欄位錯誤一樣被拒絕；若主機名稱解析到這類位址，該次嘗試即失敗。我們不跟隨重新導向。TLS 憑證須對該主機有效。網址不可包含使用者名稱或密碼。',
  'Recovering missed events': '補回漏掉的事件',
  'Use the main API: `getOrdersData/searchList` by `orders.updated_at` or `orders.internal_name`, `getInboundsData/searchList` by `inbounds.updated_at` or `inbounds.form_no`. `getCallbacksData/searchList` lists the callbacks with every attempt and your responses.':
    '請使用主 API：`getOrdersData/searchList` 依 `orders.updated_at` 或 `orders.internal_name`，`getInboundsData/searchList` 依 `inbounds.updated_at` 或 `inbounds.form_no`。`getCallbacksData/searchList` 列出回呼的每次嘗試與您的回應。',
};
