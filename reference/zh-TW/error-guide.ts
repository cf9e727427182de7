import type { Translations } from '../language/translator.ts';

/** The guide to errors, except causes and fixes. */
export const errorGuideTexts: Translations = {
  Errors: '錯誤',
  'All codes and messages that you can receive, with their causes and fixes.':
    '您可能收到的所有代碼與訊息，以及原因與處理方式。',
  'The tests of the service check every error response against this list.':
    '本服務的測試會將每個錯誤回應與此清單比對。',
  'Base decisions on the HTTP status, on the [codes in `errors`](#codes-of-errors) and, in the warehouse API, on the `code` of the response.':
    '請以 HTTP 狀態碼、[`errors` 中的代碼](#codes-of-errors)，以及倉儲 API 回應的 `code` 判斷。',
  'Messages are for people; only the messages that the reference lists as guaranteed never change.':
    '訊息是給人看的；只有參考文件中列為保證的訊息永遠不變。',
  '`<...>` marks a part that varies between requests.': '`<...>` 表示每次請求可能不同的部分。',
  'A response with a status from 400 to 499 means that nothing was changed. After a 5xx, or without a response, send the same request again: [Idempotency and retries](idempotency-and-retries.md) explains why that is safe.':
    '狀態碼 400 到 499 的回應表示沒有任何變更。收到 5xx 或沒有回應時，請重新送出相同的請求：[冪等與重試](idempotency-and-retries.md)說明為什麼這樣做是安全的。',
  'When you cannot find the reason': '找不到原因時',
  'Every response has the header `trace-id`; in the warehouse API, the body also contains it as `trace_id`. Log it with every response that is not a success: the [client](quickstart.md) includes it in each error as `trace_id`.':
    '每個回應都有標頭 `trace-id`；倉儲 API 的回應內容中也有 `trace_id`。只要回應不是成功，就請記錄：[用戶端程式](quickstart.md)會將它放在每個錯誤的 `trace_id`。',
  'Send it to the operator and ask them to run `lading doctor <trace id>`.':
    '請將它交給營運方，請他們執行 `lading doctor <trace id>`。',
  'It shows what the response does not: which header was missing, how far the clock was off, or which common signing mistake was made.':
    '它會顯示回應中沒有說明的事：缺少哪個標頭、時鐘差了多少，或犯了哪一種常見的簽章錯誤。',
  'The operator needs neither your secret nor the body.': '營運方不需要您的密鑰或請求內容。',
  'Trace ids are kept for 30 days, unless the operator has set another period.':
    '追蹤碼保存 30 天，營運方可設定其他期間。',
  'Codes of errors': '錯誤代碼',
  'Every rejection lists its errors.': '每個被拒絕的請求都會列出錯誤。',
  'The list is in `data.errors` (warehouse API), in `retval.errors` (logistics webhook), or in `errors` next to `done`, `msg` and `retval` (main API):':
    '清單位於 `data.errors`（倉儲 API）、`retval.errors`（物流 Webhook），或與 `done`、`msg`、`retval` 同一層的 `errors`（主 API）：',
  '`code` is for programs.': '`code` 供程式判斷。',
  'New codes may be added: treat a code that you do not know like its HTTP status.':
    '日後可能新增代碼：不認得的代碼請依其 HTTP 狀態碼處理。',
  '`path` is the field at fault, such as `details[0].qty` or `express_type`.':
    '`path` 是有問題的欄位，例如 `details[0].qty` 或 `express_type`。',
  'It is empty if the error is not about a field of the body.': '錯誤與請求內容的欄位無關時為空。',
  '`message` is for people, and names the allowed values if there are few.':
    '`message` 是給人看的；可用的值不多時會一併列出。',
  '`doc_url` links to the page about the code.': '`doc_url` 連到該代碼的頁面。',
  'It has no host name if the operator has not set the URL of the service (`PUBLIC_URL`).':
    '營運方未設定服務網址（`PUBLIC_URL`）時不含主機名稱。',
  'If a body has several mistakes, the list has all of them, not only the first.':
    '請求內容有多個錯誤時，清單會列出全部，不只第一個。',
  'A request that is rejected for another reason has one entry.': '因其他原因被拒絕的請求只有一筆。',
  'In batches, a refused entry has its own `code` and `message`.':
    '在批次請求中，被拒絕的項目各有自己的 `code` 與 `message`。',
  'A required field is missing.': '缺少必填欄位。',
  '`path` names it.': '`path` 指出是哪一個。',
  'Fix the request before retrying; an identical request will be rejected again.':
    '請修正後再送；相同的請求會再次被拒絕。',
  '{1} messages; the tables below explain them.': '共 {1} 則訊息，說明見下方的表格。',
  'A field breaks a rule.': '欄位不符合規則。',
  '`path` names it, and `message` says what is allowed.': '`path` 指出是哪一個，`message` 說明允許的值。',
  'The request has a field that the endpoint does not know, such as a filter that the list does not have.':
    '請求中有端點不認得的欄位，例如清單沒有的篩選條件。',
  'Correct the name of the field, or omit it.': '請更正欄位名稱，或移除該欄位。',
  'Messages:': '訊息：',
  'The body is not JSON that we accept.': '請求內容不是可接受的 JSON。',
  'The account does not have this `warehouse_tpw_id`.': '貨主沒有這個 `warehouse_tpw_id`。',
  'Send the identifier that the operator gave you for this account.': '請使用營運方為此貨主提供的代碼。',
  'A product has not been synced.': '商品尚未同步。',
  '`path` names the detail.': '`path` 指出是哪一筆明細。',
  'Sync the product, then send the same request again.': '請先同步商品，再重新送出相同的請求。',
  'The account has neither a tenant nor a logistics key in this warehouse.':
    '貨主在此倉庫沒有租戶，也沒有物流 API 金鑰。',
  'Send the number of one of your warehouses.': '請送您其中一個倉庫的編號。',
  '`logistics_type` and `express_type` are not a known combination.':
    '`logistics_type` 與 `express_type` 不是可用的組合。',
  '`path` names the wrong one of the two.': '`path` 指出兩者中錯誤的那一個。',
  'Send one of the values in `message`.': '請送 `message` 所列的值之一。',
  'There are not enough sellable units.': '庫存不足：可售的數量不夠。',
  '`path` names the first detail with the product.': '`path` 指出該商品的第一筆明細。',
  'Order fewer units, or send the same request again after stock has arrived.':
    '請減少數量，或到貨後重新送出相同的請求。',
  'A lot would hold more units than it can, or a document would receive more than it accepts.':
    '批次的數量會超過上限，或單據會收到超過可收的數量。',
  'Check the quantities and their unit.': '請檢查數量及其單位。',
  'The received goods are not in the document.': '收到的貨品不在單據中。',
  'Report them under the document that announces them.': '請在預告該貨品的單據中回報。',
  'The document already exists: the original was accepted.': '單據已存在：原單據已接受。',
  'Treat it as a success.': '請視為成功。',
  'The number was already used with different content, which remains unchanged.':
    '此編號已用於不同的內容，原內容維持不變。',
  'Use a new number for new content.': '新的內容請用新的編號。',
  'You have no document with that number.': '您沒有此編號的單據。',
  'Check the number, and which API it is from.': '請檢查編號，以及它屬於哪一個 API。',
  'The document has already progressed too far for this request.': '單據的進度已超過此請求可處理的階段。',
  'Accept its current status; `message` names it.': '請接受其目前的狀態；`message` 會指出。',
  'The order has not progressed far enough for this report.': '訂單的進度還不到可以這樣回報的階段。',
  'Report the earlier steps first.': '請先回報前面的步驟。',
  'The parcels of the order have fewer units than were ordered.': '訂單的包裹數量合計少於訂購數量。',
  'Report `partially_shipped`, or send `final: true` to release the units.':
    '請回報 `partially_shipped`，或送 `final: true` 釋出其餘數量。',
  'UAT accounts cannot do this.': 'UAT 貨主不能這樣做。',
  'Use a production account.': '請使用正式貨主。',
  'The request exceeds a limit that depends on the data.': '請求超過取決於資料的上限。',
  '`message` names the limit.': '`message` 會指出上限。',
  'Split the request, or close the document.': '請拆成多次請求，或結束該單據。',
  'The signature was not accepted.': '簽章未被接受。',
  'For security, the response does not say why.': '基於安全考量，回應不會說明原因。',
  'Fix the signature; create a new one for every attempt.': '請修正簽章；每次嘗試都要重新簽章。',
  'The API key was not accepted.': 'API 金鑰未被接受。',
  'Contact the operator; until then, the request will be rejected again.': '請洽營運方；在此之前，請求仍會被拒絕。',
  '`ClientId` and `CheckValue` do not belong together.': '`ClientId` 與 `CheckValue` 不相符。',
  'Fix the credentials; failed attempts are limited.': '請修正憑證；失敗次數有上限。',
  'The client or its account is disabled.': '用戶端或其貨主已停用。',
  'The request has no access token.': '請求沒有存取權杖。',
  'Send `Authorization: Bearer <access token>`.': '請送 `Authorization: Bearer <access token>`。',
  'The access token is not valid.': '存取權杖無效。',
  'Get a new token and retry once; then give up.': '請取得新的權杖並重試一次；若仍失敗請停止。',
  'The access token has expired.': '存取權杖已過期。',
  'Get a new token and retry once.': '請取得新的權杖並重試一次。',
  'The client lacks the permission named in `message`.': '用戶端沒有 `message` 所列的權限。',
  'A header was sent twice.': '有標頭送了兩次。',
  'Send it once; check whether a proxy adds another one.': '請只送一次；檢查是否為代理伺服器所加。',
  'The path does not exist.': '路徑不存在。',
  'Compare the path with the API reference.': '請對照 API 參考文件中的路徑。',
  'The method is not allowed; `Allow` names the right one.': '方法不允許；正確的方法見 `Allow`。',
  'The request is not HTTP that we accept.': '不是可接受的 HTTP 請求。',
  'The request did not arrive in time.': '請求未及時送達。',
  'Send the same request again.': '請重新送出相同的請求。',
  'The headers are too large.': '標頭太大。',
  'Send only the required headers.': '請只送必要的標頭。',
  'The body is too large.': '請求內容太大。',
  'Send less per request.': '每次請求請少送一些。',
  'The body is not JSON in UTF-8, or is compressed.': '請求內容不是 UTF-8 的 JSON，或經過壓縮。',
  'Too many requests, or too many failed attempts.': '請求過於頻繁，或失敗次數過多。',
  'Send the same request again after the time given in `Retry-After`.': '請依 `Retry-After` 等待後重新送出相同的請求。',
  'The integration is disabled, for everyone or for this account.': '所有貨主或此貨主的串接已停用。',
  'The service is busy, or its database is unavailable.': '服務忙碌中，或資料庫暫時無法使用。',
  'An error on our side; the request may or may not have taken effect.': '本系統發生錯誤；請求可能已生效，也可能沒有。',
  'Send the same request again, and report the trace id.': '請重新送出相同的請求，並回報追蹤碼。',
  Warnings: '警告',
  'A successful response can have `warnings` in `data` or `retval`.':
    '成功的回應可能在 `data` 或 `retval` 中帶有 `warnings`。',
  'The request was carried out, but it is probably not what you meant:': '請求已執行，但可能不是您的本意：',
  'The request has a field that the endpoint does not know and ignores.': '請求中有端點不認得的欄位，已忽略。',
  'Only UAT accounts get this.': '只有 UAT 貨主會收到。',
  'The number was already used with a different body.': '此編號已用於另一份不同的內容。',
  'Responses to production accounts never have `unknown_field`: an unknown field is ignored there.':
    '正式貨主的回應不會有 `unknown_field`：不認得的欄位會直接忽略。',
  'Look at the warnings in UAT before you go live.': '上線前請先在 UAT 檢查警告。',
  'At most 100 unknown fields are listed.': '最多列出 100 個不認得的欄位。',
  'Searches reject unknown filters instead.': '搜尋則會直接拒絕不認得的篩選條件。',
  '`payload_differs` comes with the field `payload_differs: true`, in every environment. See [Idempotency and retries](idempotency-and-retries.md).':
    '`payload_differs` 會伴隨欄位 `payload_differs: true`，在所有環境都一樣。請見[冪等與重試](idempotency-and-retries.md)。',
  'what to do': '該怎麼做',
  'Success, now or in an earlier request.': '成功（這次或先前的請求）。',
  'Nothing.': '不需處理。',
  'In a result of `outbound/cancel`: this order can no longer be cancelled; the warehouse has it.':
    '`outbound/cancel` 結果中：此訂單已無法取消，倉庫已接單。',
  'Let the order proceed; announce a return if it comes back.': '讓訂單繼續進行；若退回，請預告退貨。',
  'The inbound document already exists: the original was accepted.': '進貨單已存在：原單據已接受。',
  'The request was rejected and nothing was changed; `data.errors` lists all errors.':
    '請求被拒絕，沒有任何變更；`data.errors` 列出所有錯誤。',
  'Authentication failed.': '驗證失敗。',
  'The body is larger than 1 MiB.': '請求內容超過 1 MiB。',
  'Too many requests.': '請求過於頻繁。',
  'All endpoints of the Warehouse API': '倉儲 API 的所有端點',
  'success, now or in an earlier request.': '成功（這次或先前的請求）。',
  'Some operations return one result per entry.': '部分操作會逐筆回傳結果。',
  'Check the result of each entry.': '請檢查每一筆的結果。',
  '`done: false`, token endpoint only: no token was issued.': '`done: false`（僅權杖端點）：未核發權杖。',
  'Fix the credentials.': '請修正憑證。',
  'The request was rejected and nothing was changed; `errors` lists all errors, and `msg` names up to 5.':
    '請求被拒絕，沒有任何變更；`errors` 列出所有錯誤，`msg` 最多列出 5 個。',
  'The access token is missing or not valid.': '缺少存取權杖，或權杖無效。',
  'The client lacks the permission named in `msg`.': '用戶端沒有 `msg` 所列的權限。',
  'Use a new number.': '請使用新的編號。',
  'All endpoints of the Main API': '主 API 的所有端點',
  'The request was rejected and nothing was changed; `retval.errors` lists all errors.':
    '請求被拒絕，沒有任何變更；`retval.errors` 列出所有錯誤。',
  'The API key is missing or not valid.': '缺少 API 金鑰，或金鑰無效。',
  'All endpoints of the Logistics webhook': '物流 Webhook 的所有端點',
  'All three contracts': '三個介面共通',
  'The HTTP request': 'HTTP 請求',
  'A body that cannot be read': '無法讀取的請求內容',
  'HTTP 400.': 'HTTP 400。',
  'Positions count from 0.': '位置從 0 起算。',
  Fields: '欄位',
  'The message starts with the path of the field: `details[0].qty must be >= 1`.':
    '訊息以欄位的路徑開頭：`details[0].qty must be >= 1`。',
  'In the list of errors, the path is in `path`, and the message starts after it.':
    '在錯誤清單中，路徑位於 `path`，訊息則從路徑之後開始。',
};
