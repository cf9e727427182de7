import type { Translations } from '../language/translator.ts';

/** The introduction to the warehouse API. */
export const overviewWarehouseTexts: Translations = {
  'For warehouse systems: sync products, announce goods and returns, create orders, cancel either, and query stock.':
    '供倉庫系統使用：同步商品、預告進貨與退貨、建立訂單、取消單據，以及查詢庫存。',
  Signing: '簽章',
  'Every request carries the headers `account-no`, `timestamp` and `sign`.':
    '每個請求都要帶標頭 `account-no`、`timestamp` 與 `sign`。',
  'Sign the exact bytes of the body that you send: serialize once, sign the result, send the result.':
    '請對實際送出的位元組簽章：只序列化一次，對結果簽章，並送出同一份結果。',
  'The timestamp follows the body without a separator. It is in Unix seconds (10 digits) and may differ from the server time by at most 300 seconds.':
    '時間戳記直接接在請求內容之後，中間沒有分隔。單位為 Unix 秒數（10 位數字），與伺服器時間的誤差最多 300 秒。',
  'Create a new signature for every attempt. Send each of the three headers exactly once.':
    '每次嘗試都要重新簽章。三個標頭各送一次。',
  'The account is identified by the header only; a field `account_no` in the body has no effect.':
    '貨主只由標頭識別；請求內容中的 `account_no` 欄位沒有作用。',
  'While a secret is being rotated, the previous secret remains valid until a time set by the operator.':
    '密鑰輪替期間，前一把密鑰在營運方設定的時間之前仍然有效。',
  'JSON in UTF-8 (`content-type: application/json`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.':
    'UTF-8 的 JSON（`content-type: application/json`），不壓縮，最大 1 MiB，須在 15 秒內送完，巢狀最多 32 層。',
  'Types are not converted: `"3"` is not `3`. Unknown fields are ignored; UAT accounts get a warning about each in `data.warnings`.':
    '型別不會轉換：`"3"` 不是 `3`。不認得的欄位會被忽略；UAT 貨主會在 `data.warnings` 收到每個這類欄位的警告。',
  'An optional field may be omitted, `null` or `""`; all three mean the same. An empty array in place of an optional object, as PHP may send it, also means the same. (In `product/sync`, an omitted field remains unchanged, while `null` and `""` clear it.)':
    '選填欄位可以省略、送 `null` 或 `""`，三者意義相同。以空陣列代替選填物件（PHP 可能會這樣送）意義也相同。（在 `product/sync` 中，省略的欄位維持不變，`null` 與 `""` 則會清空。）',
  'Measures are rounded half up to 3 decimals. In free text, line breaks and tabs are replaced by spaces.':
    '尺寸與重量四捨五入到小數 3 位。一般文字中的換行與定位字元會換成空格。',
  'These bodies are rejected: duplicate keys in an object, invalid UTF-8, a byte order mark, a NUL character, a number that cannot be represented exactly (unless it is a fraction that is rounded), and the keys `__proto__` and `constructor`.':
    '下列請求內容會被拒絕：物件中有重複的鍵、不是有效的 UTF-8、含 BOM 或 NUL 字元、無法精確表示的數字（會四捨五入的小數除外），以及鍵 `__proto__` 與 `constructor`。',
  'Lengths are counted in characters (Unicode code points). Identifiers are compared exactly and must not contain control, zero-width or bidirectional characters. Length, width and height are in centimetres, weight in kilograms, quantities in units.':
    '長度以字元計算（Unicode 碼位）。識別碼須完全相符，且不可含控制字元、零寬字元或雙向控制字元。長、寬、高的單位為公分，重量為公斤，數量為件。',
  'Every response is `{code, trace_id, message, success, data}` and has the header `trace-id`, equal to `trace_id`. (Bytes that are not a valid HTTP request are answered with 400, 408 or 431 and `{done, msg, retval}`.)':
    '所有回應都是 `{code, trace_id, message, success, data}`，並帶標頭 `trace-id`，其值與 `trace_id` 相同。（不是有效 HTTP 請求的內容會以 400、408 或 431 與 `{done, msg, retval}` 回應。）',
  HTTP: 'HTTP',
  code: '代碼',
  meaning: '說明',
  success: '成功',
  '200, per entry': '200，逐筆結果',
  'this outbound order can no longer be cancelled': '此出貨單已無法取消',
  'duplicate inbound document: not an error, the original was accepted': '進貨單重複：不是錯誤，原單據已接受',
  'a field is missing or invalid, the tenant is unknown, or stock is insufficient; `data.errors` lists all errors':
    '缺少欄位或欄位不正確、租戶不存在，或庫存不足；`data.errors` 列出所有錯誤',
  'authentication failed': '驗證失敗',
  'unknown path, wrong method, body too large, not JSON': '路徑不存在、方法不對、請求內容太大、不是 JSON',
  'too many requests; see `Retry-After`': '請求過於頻繁；請見 `Retry-After`',
  'internal error': '內部錯誤',
  'the integration is not enabled': '此串接尚未啟用',
  'the service is busy, or its database is unavailable; see `Retry-After`':
    '服務忙碌中，或資料庫暫時無法使用；請見 `Retry-After`',
  'Checks run in this order: the integration is enabled; headers, account, timestamp, signature; the integration is enabled for the account; JSON and fields; number already used; tenant; sku; ship method; stock. A rejected request changes nothing.':
    '檢查的順序為：串接是否啟用；標頭、貨主、時間戳記、簽章；此貨主的串接是否啟用；JSON 與欄位；編號是否用過；租戶；SKU；物流方式；庫存。被拒絕的請求不會造成任何變更。',
  'The text of these messages is guaranteed: `success`, `unknown tenant`, `sku_id not found`, `unknown ship_method mapping`, `sku <sku_id> available=<N> < requested=<M>`. Base decisions on `code`; all other messages are meant for people.':
    '下列訊息的文字保證不變：`success`、`unknown tenant`、`sku_id not found`、`unknown ship_method mapping`、`sku <sku_id> available=<N> < requested=<M>`。請以 `code` 判斷；其他訊息都是給人看的。',
  'Every rejection lists its errors in `data.errors`: `[{code, path, message, doc_url}]`, with a code for programs, the path of the field and a link to the error guide.':
    '每個被拒絕的請求都會在 `data.errors` 列出錯誤：`[{code, path, message, doc_url}]`，包括供程式判斷的代碼、欄位的路徑，以及錯誤指南的連結。',
  Retries: '重試',
  'Every request can safely be sent again. After a time-out, a 429 or a 5xx, retry with the same body: a repeated `product/sync` or cancellation has no further effect, a repeated `outbound/create` returns the original order, and a repeated `inbound/create` or `inbound/return` returns `LST-TPW-2001` and the numbers of the original. Wait for the time given in `Retry-After`; without it, double the delay with each attempt.':
    '所有請求都可以安全地重新送出。逾時、429 或 5xx 之後，請以相同的內容重試：重複的 `product/sync` 或取消不會再有作用，重複的 `outbound/create` 回傳原訂單，重複的 `inbound/create` 或 `inbound/return` 則回傳 `LST-TPW-2001` 與原單據的編號。請依 `Retry-After` 等待；沒有此標頭時，每次嘗試的間隔加倍。',
  'Getting started': '開始使用',
  'Recommended order: `product/sync`, `inbound/create`, `stock/query`, `outbound/create`, `inbound/return`, the cancellations, then the same numbers once more. The examples below build on each other and can be sent in that order.':
    '建議的順序：`product/sync`、`inbound/create`、`stock/query`、`outbound/create`、`inbound/return`、各項取消，最後以相同的編號再送一次。下方的範例前後相連，可依此順序送出。',
  'UAT accounts: do not use production data, because UAT data is purged periodically. Goods are in stock as soon as their document is created. Orders stay in the status before the transfer to the warehouse; nothing is shipped. `warehouse_tpw_id` is provisional and is replaced for production. In production, goods are added to stock when the warehouse reports them as received.':
    'UAT 貨主：請勿使用正式資料，因為 UAT 資料會定期清除。貨品在建立單據時即入庫。訂單停留在拋單給倉庫之前的狀態，不會實際出貨。`warehouse_tpw_id` 為暫時的代碼，正式環境會換成另一個。在正式環境中，倉庫回報收貨後才會增加庫存。',
};
