/** Errors of the HTTP request itself: routing, authentication, limits and failures of the service. */
export const requestErrors = {
  invalid_client: {
    message: ['invalid ClientId or CheckValue', 'ClientId 或 CheckValue 不正確'],
    cause: [
      'The `ClientId` does not exist, or the `CheckValue` does not match it. For security, the response does not say which.',
      '`ClientId` 不存在，或 `CheckValue` 不屬於它；不會告知是哪一項。',
    ],
    fix: [
      'Copy both values again from what the operator gave you, without trailing spaces or line breaks. After too many failed attempts the response is 429.',
      '請從營運方提供的資料重新複製兩者，注意結尾的空白與換行。錯誤次數過多會收到 429。',
    ],
  },
  client_off: {
    message: ['this client is disabled', '此用戶端已停用'],
    cause: [
      'The credentials are correct, but the client or its account is disabled.',
      '憑證正確，但用戶端或其貨主已停用。',
    ],
    fix: ['Ask the operator to enable it.', '請營運方啟用。'],
  },
  path_unreadable: {
    message: ['the path cannot be read', '路徑無法解讀'],
    cause: ['The path contains a `%` that does not start a valid percent-encoding.', '路徑中有不構成有效跳脫的 `%`。'],
    fix: ['Use the path exactly as the API reference shows it.', '請依 API 參考文件的寫法送出路徑。'],
  },
  host_missing: {
    message: ['the header host is missing', '缺少標頭 host'],
    cause: ['The HTTP/1.1 request has no `Host` header.', 'HTTP/1.1 請求缺少 `Host` 標頭。'],
    fix: ['Use an HTTP library; it sends the header automatically.', '請使用 HTTP 函式庫，它會自動帶上。'],
  },
  host_twice: {
    message: ['the header host came twice', '標頭 host 出現兩次'],
    cause: ['The request has two `Host` headers.', '有兩個 `Host` 標頭。'],
    fix: ['Send it once; check whether a proxy adds another one.', '只送一次；檢查代理伺服器加了什麼。'],
  },
  request_unreadable: {
    message: ['the request could not be read', '請求無法讀取'],
    cause: [
      'The length of the body does not match `Content-Length`, or the chunked encoding is invalid.',
      '請求內容的長度與 `Content-Length` 不符，或分段格式錯誤。',
    ],
    fix: ['Let your HTTP library set the length; do not set it yourself.', '長度請由 HTTP 函式庫設定，不要手動設定。'],
  },
  not_http: {
    message: ['this is not a valid HTTP request', '不是有效的 HTTP 請求'],
    cause: [
      'The bytes are not an HTTP/1.1 request; the client may be using TLS on a plain HTTP port. The response is always `{done, msg, retval}`.',
      '送來的不是 HTTP/1.1，可能是對沒有 TLS 的連接埠使用了 TLS。一律以 `{done, msg, retval}` 回應。',
    ],
    fix: ['Check the host, the scheme (http or https) and the port.', '請檢查網址、協定（http 或 https）與連接埠。'],
  },
  expect_pipelined: {
    message: [
      'Expect: 100-continue was sent before the previous response was complete',
      '前一個回應尚未送完，就收到帶有 Expect: 100-continue 的請求',
    ],
    cause: [
      'Requests were pipelined, and one of them waits for `100 Continue`. The connection is closed. The response is always `{done, msg, retval}`.',
      '同一連線上連續送出多個請求（pipelining），其中一個在等待 `100 Continue`。連線會被關閉。一律以 `{done, msg, retval}` 回應。',
    ],
    fix: [
      'Wait for the previous response before sending such a request, or omit the `Expect` header.',
      '請等前一個回應收完再送出這種請求，或省略標頭 `Expect`。',
    ],
  },
  authentication_failed_warehouse: {
    message: ['authentication failed', '驗證失敗'],
    cause: [
      'A signature header is missing or was sent twice, the account is not registered, the timestamp is more than 300 s off, or the signature does not match the body. For security, the response does not say which.',
      '簽章的標頭缺少或重複、貨主未登記、時間戳記誤差超過 300 秒，或簽章與請求內容不符；不會告知是哪一項。',
    ],
    fix: [
      'Sign the exact bytes that you send, followed by the timestamp in Unix seconds, with the secret of this account; create a new signature for every attempt. In UAT, send the rejected request to `/diagnose` of this API to see the mistake; otherwise give the trace id to the operator.',
      '請以此貨主的密鑰，對實際送出的位元組加上 Unix 秒數時間戳記簽章，每次嘗試都重新簽章。在 UAT 可將被拒絕的請求送到此 API 的 `/diagnose` 查看錯誤；否則請附追蹤碼洽詢營運方。',
    ],
  },
  authentication_failed_logistics: {
    message: ['authentication failed', '驗證失敗'],
    cause: [
      'The `Authorization` header is missing, the API key is unknown, or the key or its account is disabled. For security, the response does not say which.',
      '缺少 `Authorization` 標頭、API 金鑰不是本系統的，或金鑰或其貨主已停用；不會告知是哪一項。',
    ],
    fix: [
      'Send the key itself as `Authorization: <API_KEY>`. If it still fails, give the trace id to the operator, who can find the reason in the request log.',
      '請直接送出金鑰：`Authorization: <API_KEY>`。可附追蹤碼洽詢營運方，原因記錄在請求紀錄中。',
    ],
  },
  authentication_failed_main: {
    message: ['authentication failed', '驗證失敗'],
    cause: [
      'One of the headers `sign`, `timestamp` and `account-no` was sent twice. This API does not use them.',
      '標頭 `sign`、`timestamp`、`account-no` 之一出現兩次，而此 API 並不需要它們。',
    ],
    fix: ['Omit them; check whether a proxy adds them.', '請省略；檢查代理伺服器加了什麼。'],
  },
  authorization_twice: {
    message: ['the header authorization came twice', '標頭 authorization 出現兩次'],
    cause: ['The request has two `Authorization` headers.', '有兩個 `Authorization` 標頭。'],
    fix: ['Send it once; check whether a proxy adds another one.', '只送一次；檢查代理伺服器加了什麼。'],
  },
  authorization_missing: {
    message: [
      'the header Authorization is missing; it must be: Bearer <access token>',
      '缺少標頭 Authorization，格式應為：Bearer <access token>',
    ],
    cause: ['The `Authorization` header is missing.', '缺少 `Authorization` 標頭。'],
    fix: [
      'Send `Authorization: Bearer ` followed by the token from the token endpoint.',
      '請送 `Authorization: Bearer ` 加上取得的權杖。',
    ],
  },
  authorization_not_bearer: {
    message: [
      'the header Authorization must be: Bearer <access token>',
      '標頭 Authorization 的格式應為：Bearer <access token>',
    ],
    cause: [
      'The header does not start with `Bearer `, or nothing follows it.',
      '標頭不是以 `Bearer ` 開頭，或後面沒有內容。',
    ],
    fix: ['Put `Bearer ` (with one space) before the token.', '請在權杖前加上 `Bearer ` 與一個空格。'],
  },
  access_token_malformed: {
    message: ['the access token is malformed', '存取權杖格式錯誤'],
    cause: [
      'The value after `Bearer ` is not a complete token: it is truncated, quoted, or something else.',
      '`Bearer ` 之後不是完整的權杖：被截斷、加了引號，或是其他內容。',
    ],
    fix: [
      'Send `access_token` exactly as you received it, without quotes or line breaks.',
      '請原樣送出 `access_token`，不加引號或換行。',
    ],
  },
  access_token_invalid: {
    message: ['the access token is not valid', '存取權杖無效'],
    cause: [
      'This service did not issue the token, its signing key has been retired, or its client was disabled after the token was issued.',
      '權杖不是本系統核發、其金鑰已失效，或用戶端在核發後被停用。',
    ],
    fix: [
      'Get a new token and retry once. If that is rejected too, check that the token was issued by this host.',
      '請取得新的權杖後再送一次。若仍被拒絕，請確認權杖是否由這個網址核發。',
    ],
  },
  access_token_expired: {
    message: ['the access token has expired', '存取權杖已過期'],
    cause: ['The token is older than its `expires_in`.', '權杖已超過 `expires_in`。'],
    fix: [
      'Get a new token and retry once. Renew tokens shortly before they expire.',
      '請取得新的權杖後再送一次；應在到期前不久更新。',
    ],
  },
  client_off_since: {
    message: ['this client is disabled', '此用戶端已停用'],
    cause: ['The client or its account was disabled.', '用戶端或其貨主已被停用。'],
    fix: ['A new token does not help. Contact the operator.', '換新權杖沒有幫助，請洽營運方。'],
  },
  permission_missing: {
    message: ['this client lacks the permission {permission}', '此用戶端沒有 {permission} 權限'],
    cause: ['The client does not have the required permission.', '此用戶端沒有這項權限。'],
    fix: [
      'Ask the operator to grant the named permission; you do not need a new token afterwards.',
      '請向營運方申請所列的權限；不需要新的權杖。',
    ],
  },
  no_such_path: {
    message: ['no such path', '沒有這個路徑'],
    cause: [
      'The path does not exist. Paths are case-sensitive and must not end with a slash.',
      '沒有這個路徑。路徑須完全相符：區分大小寫，結尾不加斜線。',
    ],
    fix: ['Compare the path with the API reference, including the base path.', '請對照 API 參考文件，並注意基底路徑。'],
  },
  no_such_path_similar: {
    message: ['no such path; did you mean {similar}?', '沒有這個路徑；是不是 {similar}？'],
    cause: [
      'The path does not exist, but a similar one does. Paths are case-sensitive and must not end with a slash.',
      '沒有這個路徑，但有相近的路徑。路徑須完全相符：區分大小寫，結尾不加斜線。',
    ],
    fix: [
      'Send the request to the named path. Sign it again: the timestamp may be too old by then.',
      '請改送到訊息所列的路徑，並重新簽章：原來的時間戳記可能已過期。',
    ],
  },
  wrong_method: {
    message: ['this path takes {methods} only', '此路徑只接受 {methods}'],
    cause: [
      'The HTTP method is wrong; a redirect may have turned a POST into a GET.',
      'HTTP 方法不對；可能因重新導向而把 POST 變成 GET。',
    ],
    fix: [
      'Use the method named in `Allow`. Call the URL directly, not one that redirects to it.',
      '請使用 `Allow` 中的方法，並直接呼叫該網址，不要經過重新導向。',
    ],
  },
  request_timed_out: {
    message: ['the request took too long to arrive', '請求傳送逾時'],
    cause: [
      'The headers did not arrive within 10 s, or the whole request did not arrive within 15 s. The response is always `{done, msg, retval}`.',
      '標頭未在 10 秒內送達，或整個請求未在 15 秒內送達。一律以 `{done, msg, retval}` 回應。',
    ],
    fix: ['Send the same request again; check the connection.', '請重新送出相同的請求，並檢查連線。'],
  },
  too_large: {
    message: ['the body is larger than {bytes} bytes', '請求內容超過 {bytes} 位元組'],
    cause: [
      'The body is larger than 1 MiB (4 KiB for the token endpoint).',
      '請求內容超過 1 MiB，取得權杖時則為超過 4 KiB。',
    ],
    fix: ['Send less per request: split lists over several requests.', '每次少送一些：把清單分成多次呼叫。'],
  },
  wrong_content_type: {
    message: ['the content type must be application/json', 'content-type 必須是 application/json'],
    cause: [
      'The `content-type` header is missing, names another type, or names a character set other than UTF-8.',
      '缺少標頭 `content-type`、類型不對，或字元集不是 UTF-8。',
    ],
    fix: ['Send `content-type: application/json`.', '請送 `content-type: application/json`。'],
  },
  content_encoding: {
    message: ['a content encoding is not supported', '不支援 content-encoding'],
    cause: ['The request has a `content-encoding`, such as gzip.', '帶有 `content-encoding`，例如 gzip。'],
    fix: ['Send the body uncompressed.', '請求內容請勿壓縮。'],
  },
  too_many_requests: {
    message: ['too many requests; try again in {seconds} s', '請求過於頻繁，請於 {seconds} 秒後再試'],
    cause: [
      'The account exceeds its limit of requests per second or of concurrent searches; for the token endpoint, there were too many failed attempts.',
      '貨主每秒的請求超過營運方允許的數量，或同時進行的搜尋過多；若是取得權杖，則是錯誤次數過多。',
    ],
    fix: [
      'The request was not processed. Wait for the time given in `Retry-After`, then send the same request again. Send fewer requests at once, and reuse tokens.',
      '沒有執行任何動作。請依 `Retry-After` 等待後重新送出；減少同時的請求，並重複使用權杖。',
    ],
  },
  headers_too_large: {
    message: ['the headers are too large', '標頭過大'],
    cause: [
      'The headers exceed 16 KiB in total. The response is always `{done, msg, retval}`.',
      '所有標頭合計超過 16 KiB。一律以 `{done, msg, retval}` 回應。',
    ],
    fix: ['Send only the required headers.', '只送必要的標頭。'],
  },
  internal_error: {
    message: ['internal error', '內部錯誤'],
    cause: [
      'An error on our side. The request may or may not have taken effect.',
      '本系統發生錯誤，無法確定請求是否已生效。',
    ],
    fix: [
      'Send the same request again; its document number prevents duplicates. Report the trace id to the operator.',
      '請重新送出相同的請求，單號可確保不會重複。請將追蹤碼回報營運方。',
    ],
  },
  not_enabled: {
    message: ['this integration is not enabled', '此串接尚未啟用'],
    cause: [
      'The warehouse API is disabled (for everyone or for this account), or the account itself is disabled.',
      '倉儲 API 整體或對此貨主為關閉，或貨主已停用。',
    ],
    fix: ['Retrying does not help. Ask the operator to enable it.', '重試沒有幫助，請營運方啟用。'],
  },
  service_busy: {
    message: ['the service is busy; try again shortly', '服務忙碌中，請稍後再試'],
    cause: ['The service is already processing as many requests as it can.', '處理中的請求超過服務可承受的數量。'],
    fix: [
      'Send the same request again after the time given in `Retry-After`. This is safe even if the first attempt succeeded.',
      '請在 `Retry-After` 之後重新送出相同的請求；無論第一次結果如何都是安全的。',
    ],
  },
  database_out_of_reach: {
    message: ['the database is out of reach; try again shortly', '資料庫暫時無法連線，請稍後再試'],
    cause: ['The database did not respond in time, or is failing over.', '資料庫回應逾時，或正在切換。'],
    fix: [
      'Send the same request again after the time given in `Retry-After`. This is safe even if the first attempt succeeded.',
      '請在 `Retry-After` 之後重新送出相同的請求；無論第一次結果如何都是安全的。',
    ],
  },
} as const;
