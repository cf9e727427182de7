import { messagesOf } from './message.ts';

/** The mistakes in a rejected signature, and how to fix them. Nothing of a secret or of a body is in them. */
export const diagnosisTexts = {
  not_diagnosed_busy: [
    'Not diagnosed: too many requests were rejected at that moment. Have the request sent again.',
    '未診斷：當時被拒絕的請求過多。請對方重新送出。',
  ],
  not_diagnosed_stopping: ['Not diagnosed: the service was stopping.', '未診斷：服務正在停止。'],
  not_diagnosed_failed: [
    'Not diagnosed: the diagnosis failed. See the log of the service.',
    '未診斷：診斷失敗，詳情請見服務日誌。',
  ],

  header_too_long: [
    'The value of {name} is too long: at most {max} characters are expected.',
    '{name} 的值太長：最多 {max} 個字元。',
  ],
  header_twice: [
    'The header {name} was sent twice. Send it once; a proxy may have added the second one.',
    '標頭 {name} 出現兩次。請只送一次；另一個可能是代理伺服器加的。',
  ],
  header_renamed: [
    'The header {name} is missing, but there is a header {other}. Rename it to {name}.',
    '缺少標頭 {name}，但有標頭 {other}。請改名為 {name}。',
  ],
  header_in_query: [
    'The header {name} is missing, but the query of the URL has its value. Send it as a header.',
    '缺少標頭 {name}，其值放在網址的查詢參數中。請改放在標頭。',
  ],
  header_missing: [
    'The header {name} is missing or empty. Send it; a proxy may have removed it.',
    '標頭 {name} 缺少或是空的。請送出；可能被代理伺服器移除。',
  ],
  headers_incomplete: [
    'The signature can only be checked when all three headers are present.',
    '三個標頭都送達後，才能檢查簽章。',
  ],

  account_unknown: [
    'The account-no is not registered. Send your account number, and check that this is the right environment.',
    'account-no 未登記。請送貨主編號，並確認環境是否正確。',
  ],
  account_similar: [
    'The account-no is not registered; only case, spaces or punctuation differ from account {account}. Send exactly that number.',
    'account-no 未登記；與貨主 {account} 只差在大小寫、空白或標點符號。請送完全相同的編號。',
  ],
  account_is_tenant: [
    'The account-no is a warehouse_tpw_id of account {account}. Send the account number instead.',
    'account-no 送的是貨主 {account} 的 warehouse_tpw_id。請改送貨主編號。',
  ],
  account_is_client: [
    'The account-no is a ClientId of account {account}. Send the account number instead.',
    'account-no 送的是貨主 {account} 的 ClientId。請改送貨主編號。',
  ],

  timestamp_milliseconds: [
    'The timestamp is in milliseconds. Send Unix time in seconds, 10 digits.',
    '時間戳記以毫秒為單位。請送 Unix 秒數，10 位數字。',
  ],
  timestamp_finer: [
    'The timestamp is in microseconds or nanoseconds. Send Unix time in seconds, 10 digits.',
    '時間戳記以微秒或奈秒為單位。請送 Unix 秒數，10 位數字。',
  ],
  timestamp_fraction: [
    'The timestamp has a fraction. Send Unix time in whole seconds, 10 digits.',
    '時間戳記帶有小數。請送整數的 Unix 秒數，10 位數字。',
  ],
  timestamp_date: [
    'The timestamp is a date. Send Unix time in seconds, 10 digits.',
    '時間戳記是日期。請送 Unix 秒數，10 位數字。',
  ],
  timestamp_wrapped: [
    'The timestamp has quotes or white space around it. Send the 10 digits only.',
    '時間戳記前後有引號或空白。請只送 10 位數字。',
  ],
  timestamp_unreadable: [
    'The timestamp cannot be read. Send Unix time in seconds, 10 digits.',
    '時間戳記無法解讀。請送 Unix 秒數，10 位數字。',
  ],
  clock_skew: [
    'The timestamp is off by {seconds} s; at most {max} s are allowed. Set the clock (NTP), and sign each attempt again.',
    '時間戳記誤差 {seconds} 秒，最多允許 {max} 秒。請校正時鐘（NTP），每次嘗試都重新簽章。',
  ],
  local_time: [
    'The timestamp is off by {hours} hours: local time was used as UTC (Taipei is 8 hours ahead). Unix time is the same in every time zone.',
    '時間戳記誤差 {hours} 小時：把當地時間當成 UTC 了（臺北快 8 小時）。Unix 時間在各時區都相同。',
  ],

  sign_unreadable: [
    'The header sign is not a hash in any form that we know. Send 64 lowercase hex digits.',
    '標頭 sign 不是任何已知形式的雜湊。請送 64 個小寫十六進位字元。',
  ],
  sign_wrapped: [
    'The header sign has quotes or white space around it. Send 64 lowercase hex digits only.',
    '標頭 sign 前後有引號或空白。請只送 64 個小寫十六進位字元。',
  ],
  sign_labelled: [
    'The header sign has other text around it, such as a label of openssl or a prefix. Send 64 lowercase hex digits only.',
    '標頭 sign 前後有其他文字，例如 openssl 的標籤或前綴。請只送 64 個小寫十六進位字元。',
  ],
  sign_upper_case: [
    'The header sign has upper-case hex digits. Send 64 lowercase hex digits.',
    '標頭 sign 有大寫的十六進位字元。請送 64 個小寫十六進位字元。',
  ],
  sign_separated: [
    'The header sign has separators between its bytes. Send 64 lowercase hex digits.',
    '標頭 sign 的位元組之間有分隔符號。請送 64 個小寫十六進位字元。',
  ],
  sign_base64: [
    'The header sign is in base64. Send 64 lowercase hex digits.',
    '標頭 sign 是 base64。請送 64 個小寫十六進位字元。',
  ],
  sign_encoded_twice: [
    'The header sign is the hex text, encoded once more in hex or base64. Send 64 lowercase hex digits.',
    '標頭 sign 把十六進位文字又轉成了十六進位或 base64。請送 64 個小寫十六進位字元。',
  ],
  sign_without_zeros: [
    'The header sign lacks leading zeros. Write each byte as two hex digits (%02x), 64 digits in all.',
    '標頭 sign 少了開頭的零。每個位元組請寫成兩個十六進位字元（%02x），共 64 個。',
  ],
  sign_other_hash: [
    'The header sign is as long as {hash}. Use HMAC-SHA256.',
    '標頭 sign 的長度與 {hash} 相同。請使用 HMAC-SHA256。',
  ],

  body_differs: [
    'The signed body differs from the sent body: {way}. Serialise once, sign these bytes, and send the same bytes.',
    '簽章用的請求內容與送出的不同：{way}。請只序列化一次，對這些位元組簽章，並送出相同的位元組。',
  ],
  json_compact: [
    'it was signed as compact JSON, as JSON.stringify writes it',
    '簽的是緊湊的 JSON（如 JSON.stringify 的輸出）',
  ],
  json_reparsed: [
    'it was signed as JSON.stringify writes it after JSON.parse (1.0 becomes 1)',
    '簽的是 JSON.parse 後再 JSON.stringify 的輸出（1.0 會變成 1）',
  ],
  json_python: [
    "it was signed as Python's json.dumps writes it (spaces after commas and colons, non-ASCII characters as \\uXXXX)",
    '簽的是 Python json.dumps 的輸出（逗號與冒號後有空格，非 ASCII 字元寫成 \\uXXXX）',
  ],
  json_spaced: [
    'it was signed as JSON with a space after each comma and colon (json.dumps with ensure_ascii=False)',
    '簽的是逗號與冒號後有空格的 JSON（json.dumps 加 ensure_ascii=False）',
  ],
  json_ascii: [
    'it was signed as compact JSON with non-ASCII characters as \\uXXXX',
    '簽的是緊湊的 JSON，非 ASCII 字元寫成 \\uXXXX',
  ],
  json_php: [
    "it was signed as PHP's json_encode writes it (slashes as \\/, non-ASCII characters as \\uXXXX)",
    '簽的是 PHP json_encode 的輸出（斜線寫成 \\/，非 ASCII 字元寫成 \\uXXXX）',
  ],
  json_php_unicode: [
    "it was signed as PHP's json_encode with JSON_UNESCAPED_UNICODE writes it (slashes as \\/)",
    '簽的是 PHP json_encode 加 JSON_UNESCAPED_UNICODE 的輸出（斜線寫成 \\/）',
  ],
  json_gson: [
    "it was signed as Java's Gson writes it (< > & = ' as \\uXXXX)",
    "簽的是 Java Gson 的輸出（< > & = ' 寫成 \\uXXXX）",
  ],
  json_go: [
    "it was signed as Go's json.Marshal writes it (< > & as \\uXXXX)",
    '簽的是 Go json.Marshal 的輸出（< > & 寫成 \\uXXXX）',
  ],
  json_csharp: ["it was signed as C#'s System.Text.Json writes it", '簽的是 C# System.Text.Json 的輸出'],
  json_indented: [
    'it was signed as JSON on several lines (curl -d @FILE removes line breaks; use --data-binary)',
    '簽的是多行的 JSON（curl -d @FILE 會去掉換行，請用 --data-binary）',
  ],
  json_sorted: ['{way}, with sorted keys', '{way}，且鍵經過排序'],
  body_line_break_added: ['it was signed with a line break at its end', '簽章時結尾多了換行'],
  body_line_break_removed: ['it was signed without the line break at its end', '簽章時少了結尾的換行'],
  body_without_bom: ['it was signed without its byte order mark', '簽章時少了開頭的 BOM'],
  body_trimmed: ['it was signed without the white space around it', '簽章時少了前後的空白'],
  body_empty: ['an empty body was signed', '簽的是空的內容'],
  body_lf: ['it was signed with LF and sent with CRLF', '簽的是 LF，送出的是 CRLF'],
  body_crlf: ['it was signed with CRLF and sent with LF', '簽的是 CRLF，送出的是 LF'],
  body_on_one_line: ['it was signed without its line breaks', '簽章時少了其中的換行'],
  body_quoted: [
    'it was signed as JSON text inside a JSON string (JSON.stringify twice)',
    '簽的是包在 JSON 字串中的 JSON 文字（JSON.stringify 兩次）',
  ],
  body_sent_quoted: [
    'it was signed as JSON text and sent inside a JSON string (requests.post(json=TEXT) does that)',
    '簽的是 JSON 文字，送出的卻包在 JSON 字串中（requests.post(json=TEXT) 會這樣）',
  ],
  body_latin1: ['it was signed in Latin-1 or ASCII, not in UTF-8', '簽的是 Latin-1 或 ASCII，不是 UTF-8'],
  body_encoded_twice: ['it was signed in UTF-8 that was encoded twice', '簽的是重複編碼的 UTF-8'],
  body_sent_encoded_twice: ['it was sent in UTF-8 that was encoded twice', '送出的是重複編碼的 UTF-8'],

  layout_differs: [
    'The signed message is put together differently: {way}. Sign the bytes of the body directly followed by the timestamp, with HMAC-SHA256.',
    '簽章的組成有誤：{way}。請以 HMAC-SHA256 對請求內容的位元組緊接時間戳記簽章，不加其他內容。',
  ],
  timestamp_first: ['the timestamp comes before the body', '時間戳記在請求內容之前'],
  body_only: ['the timestamp is missing', '只簽了請求內容，沒有時間戳記'],
  line_break_after: [
    'a line break follows the timestamp (echo adds one, printf does not)',
    '時間戳記後多了換行（echo 會加上，printf 不會）',
  ],
  separator_between: [
    'the separator {separator} is between the body and the timestamp',
    '請求內容與時間戳記之間多了分隔符號 {separator}',
  ],
  timestamp_first_separator: [
    'the timestamp comes before the body, with the separator {separator} between them',
    '時間戳記在請求內容之前，且中間多了分隔符號 {separator}',
  ],

  timestamp_differs: [
    'The signed timestamp differs from the header: {way}. Read the clock once, and use the same text in both places.',
    '簽章用的時間戳記與標頭不同：{way}。請只取一次時間，兩處使用相同的文字。',
  ],
  signed_seconds: ['it was signed in seconds', '簽的是秒'],
  signed_milliseconds: ['it was signed in milliseconds', '簽的是毫秒'],
  signed_earlier: ['it was signed {seconds} s earlier', '簽的早了 {seconds} 秒'],
  signed_later: ['it was signed {seconds} s later', '簽的晚了 {seconds} 秒'],

  secret_differs: [
    'The secret was changed before it was used: {way}. Use it exactly as you received it.',
    '密鑰使用前被更動：{way}。請完全照原樣使用。',
  ],
  secret_line_break: [
    'a line break was added at its end, such as the one at the end of a file',
    '結尾多了換行（檔案結尾常有）',
  ],
  secret_space: ['a space was added at its end', '結尾多了空格'],
  secret_trimmed: ['the white space around it was removed', '少了前後的空白'],
  secret_quoted: ['quotes were added around it', '前後多了引號'],
  secret_without_prefix: ['its prefix was removed', '少了前綴'],
  secret_decoded: ['it was decoded from base64 or hex', '經過 base64 或十六進位解碼'],
  secret_base64: ['it was encoded in base64', '轉成了 base64'],
  secret_former: [
    'It was signed with a former secret of the account, which is no longer valid. Use the current one.',
    '使用了貨主先前已失效的密鑰簽章。請使用目前的密鑰。',
  ],
  secret_empty: [
    'It was signed with an empty secret. Check where the secret is read from.',
    '使用了空的密鑰簽章。請檢查密鑰從何處讀取。',
  ],
  secret_of_other: [
    'It was signed with the secret of account {account}. Use the account-no and the secret of the same account.',
    '使用了貨主 {account} 的密鑰簽章。請使用同一貨主的 account-no 與密鑰。',
  ],

  rest_is_right: ['Nothing else is wrong: with this fixed, the signature matches.', '沒有其他問題：修正後簽章即相符。'],
  matches_now: [
    'The signature matches now: the account or its secret was changed at that moment. Send the request again.',
    '簽章現在相符：貨主或密鑰當時正在變更。請重新送出。',
  ],
  body_too_large: [
    'The body of {bytes} bytes is too large for a further diagnosis. Try a smaller one.',
    '請求內容有 {bytes} 位元組，太大而無法進一步診斷。請用較小的內容再試。',
  ],
  headers_right: [
    'The headers are complete, the account is registered, and the clock and the form of sign are right.',
    '標頭齊全，貨主已登記，時鐘與 sign 的格式都正確。',
  ],
  body_not_json: [
    'The body is not a JSON object. Send the JSON text that you sign.',
    '收到的不是 JSON 物件。請送出簽章的 JSON 文字。',
  ],
  body_is_form: [
    'The body looks like a form (name=value). Send the JSON text that you sign.',
    '收到的內容看起來像表單（name=value）。請送出簽章的 JSON 文字。',
  ],
  no_match: [
    'The signature matches none of the usual mistakes: most likely the secret is a different one, or the body was changed after it was signed.',
    '簽章不符合任何常見的錯誤：很可能是密鑰不同，或請求內容在簽章後被更改。',
  ],
  no_match_in_time: [
    'The signature matches none of the mistakes that there was time to try: most likely the secret is a different one, or the body was changed after it was signed.',
    '在時限內嘗試過的常見錯誤都不符合：很可能是密鑰不同，或請求內容在簽章後被更改。',
  ],
  body_received: [
    'The received body has {bytes} bytes and the SHA-256 {sha256}. Compare it with the body that you signed.',
    '收到的請求內容有 {bytes} 位元組，SHA-256 為 {sha256}。請與簽章的內容比對。',
  ],
} as const;

export const diagnosis = messagesOf(diagnosisTexts);
