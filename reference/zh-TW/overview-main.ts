import type { Translations } from '../language/translator.ts';

/** The introduction to the main API. */
export const overviewMainTexts: Translations = {
  'For shop software, back offices and warehouse systems: search stock, products, orders, inbound documents and callbacks; create and cancel orders; report received goods and the progress of orders.':
    '供商店系統、後台與倉庫系統使用：查詢庫存、商品、訂單、進貨單與回呼通知；建立與取消訂單；回報收貨與訂單進度。',
  'Access tokens': '存取權杖',
  '`POST /api/v1/token/getToken` exchanges a ClientId and a CheckValue for an access token. All other operations require it as `Authorization: Bearer <access_token>`.':
    '`POST /api/v1/token/getToken` 以 ClientId 與 CheckValue 換取存取權杖。其他操作都必須帶 `Authorization: Bearer <access_token>`。',
  'A token is valid until it expires (after `expires_in` seconds): get one, cache it, and share it among your processes.':
    '權杖在到期前（`expires_in` 秒）都有效：取得一次後保存，讓所有行程共用。',
  'On HTTP 401, get a new token and retry the request once. Let one process renew the token while the others wait.':
    '收到 HTTP 401 時，請取得新的權杖並重試一次。由一個行程更新權杖，其他行程等待。',
  'Each operation requires a permission of the client. Without it, the response is 403 and names the permission, also as `scope` in `WWW-Authenticate`. A client only sees the data of its own account.':
    '每個操作都需要用戶端具備對應的權限。沒有權限時回應 403 並列出權限名稱，同時放在 `WWW-Authenticate` 的 `scope`。用戶端只看得到自己貨主的資料。',
  'Requests of a disabled client are rejected within seconds, even if its token has not expired.':
    '用戶端停用後數秒內，請求就會被拒絕，即使權杖尚未到期。',
  'The token is a JWT, signed with ES256. The public keys are at `/.well-known/jwks.json`; look up the key of a token by `kid`, because keys are rotated.':
    '權杖是以 ES256 簽署的 JWT。公鑰在 `/.well-known/jwks.json`；金鑰會輪替，請依 `kid` 查找權杖的金鑰。',
  Requests: '請求',
  'POST with JSON in UTF-8 (`content-type: application/json`), not compressed, at most 1 MiB (4 KiB for the token endpoint).':
    '以 POST 送出 UTF-8 的 JSON（`content-type: application/json`），不壓縮，最大 1 MiB（取得權杖的端點為 4 KiB）。',
  'Types are not converted: `"3"` is not `3`.': '型別不會轉換：`"3"` 不是 `3`。',
  'An optional field may be omitted, `null` or `""`; all three mean the same.':
    '選填欄位可以省略、送 `null` 或 `""`，三者意義相同。',
  'Bodies with duplicate keys in an object, invalid UTF-8, a NUL character or a number that cannot be represented exactly are rejected.':
    '物件中有重複的鍵、不是有效的 UTF-8、含 NUL 字元，或數字無法精確表示時，請求內容會被拒絕。',
  'Times use RFC 3339 with an offset; we write them in Taipei time with microseconds. Dates are `YYYY-MM-DD`.':
    '時間採 RFC 3339 格式並含時區位移；我們回傳的時間為臺北時間，精確到微秒。日期格式為 `YYYY-MM-DD`。',
  Responses: '回應',
  'Every response is `{done, msg, retval}`. If a request is rejected, `done` is `false`, `msg` gives the reason, `retval` is `null`, and nothing was changed. `errors` then lists all errors: `[{code, path, message, doc_url}]`, with a code for programs, the path of the field and a link to the error guide. Unknown fields are ignored; UAT accounts get a warning about each in `retval.warnings`.':
    '所有回應都是 `{done, msg, retval}`。請求被拒絕時，`done` 為 `false`，`msg` 說明原因，`retval` 為 `null`，且沒有任何變更。此時 `errors` 列出所有錯誤：`[{code, path, message, doc_url}]`，包括供程式判斷的代碼、欄位的路徑，以及錯誤指南的連結。不認得的欄位會被忽略；UAT 貨主會在 `retval.warnings` 收到每個這類欄位的警告。',
  'Status of orders and inbound documents': '訂單與進貨單的狀態',
  'status of an order': '訂單狀態',
  until: '維持到',
  'all of its units are in stock; only orders of the logistics webhook wait, oldest first':
    '所需數量全部到齊；只有物流 Webhook 的訂單會等待，先建立者優先',
  'it is transferred to the warehouse; its units are allocated. Orders of a UAT account stay in this status':
    '拋單給倉庫；數量已配貨。UAT 貨主的訂單停留在此狀態',
  'the warehouse reports the next step (`fulfilment/advance`); the order can no longer be cancelled':
    '倉庫回報下一個步驟（`fulfilment/advance`）；訂單已無法取消',
  'it is delivered; its units have left the stock': '送達收件人；貨品已出庫',
  final: '最終狀態',
  'status of an inbound document or return': '進貨單或退貨單的狀態',
  'the first units arrive (`inbounds/receive`); until then it can be cancelled':
    '第一批貨品到達（`inbounds/receive`）；在此之前可以取消',
  'all announced units have arrived, the last portion is reported (`final`), or receiving is stopped (`inbounds/stop`)':
    '預告的數量全部到齊、回報最後一次到貨（`final`），或終止收貨（`inbounds/stop`）',
  'final. Exception: if goods are in stock as soon as their document is created, the document is `received` immediately and can be cancelled while all of its units are still free':
    '最終狀態。例外：若貨品在建立單據時即入庫，單據會立即成為 `received`，只要所有數量都還未被占用就可以取消',
  'Each row of the order and inbound lists has a `timeline`: every change with its time, its author and the trace id of the request.':
    '訂單清單與進貨清單的每一筆都有 `timeline`：每次變更的時間、執行者，以及請求的追蹤碼。',
  Searching: '搜尋',
  'All five lists are searched in the same way. The body is an object whose keys are filters; a row must match all of them, and `{}` lists everything. A filter that is `null` or `""` is ignored; the only exception is `products_stock.batch_id`, where `""` finds lots without a batch.':
    '五種清單的搜尋方式相同。請求內容是一個物件，鍵就是篩選條件；資料須符合所有條件，`{}` 則列出全部。值為 `null` 或 `""` 的條件會被忽略；唯一的例外是 `products_stock.batch_id`，`""` 會找出沒有批號的批次。',
  filter: '篩選條件',
  'finds rows whose field': '找出欄位符合下列條件的資料',
  'equals the value': '等於該值',
  'equals any of the values (at most 100)': '等於其中任一個值（最多 100 個）',
  'is in the range; `gte`, `gt`, `lte`, `lt`': '在範圍內；`gte`、`gt`、`lte`、`lt`',
  'starts with the text': '以該文字開頭',
  'differs from the value': '不等於該值',
  '`page_size`: 1-500, default 50.': '`page_size`：1-500，預設 50。',
  '`sort`: a field, or `-` followed by a field. By default, orders, inbounds and callbacks are sorted newest first, and stocks and products by `sku_id`; however, a range or prefix filter may return rows in the order of its own field. If the order matters to you, specify it. Text is compared byte by byte.':
    '`sort`：欄位名稱，前面加 `-` 為遞減。預設情況下，訂單、進貨單與回呼通知由新到舊，庫存與商品依 `sku_id` 排序；但使用範圍或開頭文字的條件時，可能依該條件的欄位排序。若順序很重要，請明確指定。文字以位元組比較。',
  '`cursor`: the `next_cursor` of the previous page, with the same filters and the same sort; omit it for the first page. `next_cursor` is `null` on the last page. A page may have fewer rows than requested, or none, even if more follow: continue until `next_cursor` is `null`.':
    '`cursor`：前一頁的 `next_cursor`，條件與排序須相同；第一頁請省略。最後一頁的 `next_cursor` 為 `null`。一頁的筆數可能少於要求，甚至沒有資料，但後面仍有：請持續讀取，直到 `next_cursor` 為 `null`。',
  'All pages cost the same, from the first to the last. Paging is stable while rows are added: no row is returned twice, and no existing row is missed.':
    '每一頁的成本都相同，從第一頁到最後一頁。翻頁期間即使有新資料，也不會重複或遺漏既有資料。',
  'To follow changes, search for `updated_at` starting one minute before your previous search, and ignore rows that you have already seen: a change may become visible shortly after its timestamp.':
    '追蹤變更時，請以上次搜尋時間的前一分鐘為起點搜尋 `updated_at`，並略過已看過的資料：變更可能在其時間之後稍晚才看得到。',
  'A row without a value in a field, such as an order without `shipment_no`, is not found by filters on that field. A lot that never expires counts as later than any date.':
    '欄位沒有值的資料（例如沒有 `shipment_no` 的訂單）不會被該欄位的條件找到。沒有效期的批次視為晚於任何日期。',
  'An unknown filter or sort key is rejected with 400, and the message names it.':
    '不認得的篩選或排序欄位會以 400 拒絕，並在訊息中列出名稱。',
  'Messages of HTTP 400': 'HTTP 400 的訊息',
  'Each endpoint documents its own messages. The following messages can occur at any endpoint. A message about a field starts with the path of the field: `details[0].qty must be >= 1`.':
    '每個端點都列出自己的訊息。下列訊息則可能出現在任何端點。關於欄位的訊息以欄位的路徑開頭：`details[0].qty must be >= 1`。',
  message: '訊息',
  'code in `errors`': '`errors` 中的代碼',
  cause: '原因',
  fix: '處理方式',
  'Messages about a body that cannot be read (positions count from 0):': '請求內容無法讀取時的訊息（位置從 0 起算）：',
};
