import { makeTranslate, type TextLists, type TextPair } from './server-texts.ts';
import { explanationsZh, messagesZh, problemsZh } from './server-texts-zh-catalogue.ts';

/** What the request log says beyond what the caller was told. */
const reasons: TextPair[] = [
  ['header {name} is missing', '缺少標頭 {name}'],
  ['timestamp is not 10 digits (Unix time in seconds)', '時間戳記不是 10 位數字（Unix 秒數）'],
  ['sign is not 64 lowercase hex digits', 'sign 不是 64 個小寫十六進位字元'],
  ['timestamp is off by {seconds} s', '時間戳記誤差 {seconds} 秒'],
  ['the signature does not match', '簽章不符'],
  ['account-no is not registered', 'account-no 未登記'],
  ['WAREHOUSE_API is off', 'WAREHOUSE_API 為關閉'],
  ['warehouse_api of the account is off', '此帳號未開啟倉儲 API'],
  ['the account is disabled', '帳號已停用'],

  ['ClientId is not registered', 'ClientId 未登記'],
  ['the CheckValue of client {client} does not match', '用戶端 {client} 的 CheckValue 不符'],
  ['client {client} is disabled', '用戶端 {client} 已停用'],
  ['the account of client {client} is disabled', '用戶端 {client} 的帳號已停用'],
  ['too many wrong CheckValues', '錯誤的 CheckValue 過多'],
  ['too many searches of the account wait', '此帳號等待中的搜尋過多'],
  ['header Authorization does not begin with Bearer', '標頭 Authorization 不是以 Bearer 開頭'],
  ['the token has expired', '權杖已過期'],
  ['the key of the token has ended', '權杖的金鑰已失效'],
  ['the client of the token does not exist', '權杖的用戶端不存在'],
  ['the token is older than the disabling of its client', '權杖早於其用戶端被停用的時間'],
  ['the token is signed with a key that is not ours or has ended', '權杖的簽署金鑰不是本系統的，或已失效'],
  ['the token is longer than {max} characters', '權杖超過 {max} 個字元'],
  ['the token is not three parts in base64url', '權杖不是三段 base64url'],
  ['the header of the token cannot be read', '權杖的標頭無法解讀'],
  ['the algorithm of the token is not {algorithm}', '權杖的演算法不是 {algorithm}'],
  ['the token names no key', '權杖沒有指明金鑰'],
  ['the header of the token says more than ours do', '權杖的標頭內容比本系統核發的多'],
  ['the token was cut off or changed on its way', '權杖在傳送途中被截斷或變更'],
  ['the token says sub in a form that ours do not', '權杖的 sub 格式與本系統核發的不同'],
  ['the signature of the token does not match', '權杖的簽章不符'],
  ['the token fails in {claim}', '權杖的 {claim} 驗證未通過'],
  ['the token cannot be verified ({code})', '權杖無法驗證（{code}）'],
  ['no such API key', '沒有這個 API 金鑰'],
  ['key {key} is disabled', '金鑰 {key} 已停用'],
  ['what came looks like {given:secrets}, not {wanted:secrets}', '送來的看起來是「{given}」，而不是「{wanted}」'],

  ['bodies of {bytes} bytes are held', '處理中的請求內容已達 {bytes} 位元組'],
  ['{count} requests wait already', '已有 {count} 個請求在等待'],
  ['{working} requests are in work, and {waiting} wait', '{working} 個請求處理中，{waiting} 個等待中'],
  ['the service is stopping', '服務正在停止'],
  ['the database did not answer in time', '資料庫回應逾時'],
  ['{code}: the database is out of reach', '資料庫無法連線（{code}）'],
  ['no database connection became free in time', '等待資料庫連線逾時'],
  ['too many requests wait for a database connection', '等待資料庫連線的請求過多'],
  ['too many requests wait for their group', '等待批次處理的請求過多'],
  ['the transaction came too late', '交易已逾時'],
  ['others came first, again and again', '多次被其他請求搶先'],

  ['no open session', '尚未登入'],
  ['sign in first', '請先登入'],
  ['too many failed sign-ins', '登入失敗次數過多'],
  ['the password of operator {username} does not match', '操作人員 {username} 的密碼不符'],
  ['operator {username} is disabled', '操作人員 {username} 已停用'],
  ['the operator changed at this moment', '操作人員的資料剛被變更'],
  ['too many exports', '同時匯出過多'],
  ['this is for pages of this service only', '僅供本服務的頁面使用'],
  ['the header {name} is not that of the session', '標頭 {name} 與登入階段不符'],
  ['this needs the role {needed}; {username} has {role}', '需要 {needed} 權限；{username} 為 {role}'],
  ['there is no such {thing:things}', '沒有這{thing}'],
];

const secrets: TextPair[] = [
  ['an account secret', '帳號密鑰'],
  ['a CheckValue', 'CheckValue 驗證碼'],
  ['a logistics API key', '物流 API 金鑰'],
  ['a callback secret', '回呼密鑰'],
  ['a connector secret', '連接密鑰'],
  ['a password', '密碼'],
  ['an access token of the main API', '主 API 的存取權杖'],
];

const things: TextPair[] = [
  ['callback', '筆回呼'],
  ['order', '筆訂單'],
  ['inbound document', '張進貨單'],
  ['receiver', '個接收端'],
  ['lot', '個批次'],
  ['product', '項商品'],
  ['account', '個帳號'],
  ['operator', '位操作人員'],
];

/** What was wrong with a signature. */
const diagnoses: TextPair[] = [
  [
    'Not diagnosed: too many requests were refused at that moment; have the call sent again.',
    '未診斷：當時被拒絕的請求過多；請對方重新送出。',
  ],
  ['Not diagnosed: the service was stopping.', '未診斷：服務正在停止。'],
  ['Not diagnosed: the diagnosis failed. The log tells more.', '未診斷：診斷失敗，詳情請見服務日誌。'],

  ['What came as {name} is far too long: {max} characters are more than enough.', '送來的 {name} 太長：最多只需要 {max} 個字元。'],
  [
    'The header {name} came twice: send it once (a proxy may have added the other).',
    '標頭 {name} 出現兩次：只送一次（另一個可能是代理伺服器加的）。',
  ],
  ['The header {missing:missing}, and a header {other} came: rename it to {name}.', '{missing}，但有標頭 {other}：請改名為 {name}。'],
  [
    'The header {missing:missing}, and its value came in the query of the URL: send it as a header.',
    '{missing}，其值放在網址的查詢參數中：請改放在標頭。',
  ],
  [
    'The header {missing:missing}, and none with a similar name came: send it (a proxy may have dropped it).',
    '{missing}，也沒有名稱相近的標頭：請送出（可能被代理伺服器移除）。',
  ],
  ['What was signed can be looked at once all three headers come.', '三個標頭都送達後，才能檢查簽章的內容。'],
  [
    'The account-no is not registered: send the number of the account, and check that this is the right environment.',
    'account-no 未登記：請送帳號編號，並確認環境是否正確。',
  ],
  [
    'The account-no is not registered; but for case, spaces or signs it is that of account {account}: send that number, to the letter.',
    'account-no 未登記；除了大小寫、空白或符號外，與帳號 {account} 相同：請送完全相同的編號。',
  ],
  [
    'The account-no is not registered; it is a {kind} of account {account}: send that number, to the letter.',
    'account-no 未登記；這是帳號 {account} 的 {kind}：請送該帳號的編號，須完全相同。',
  ],

  ['The timestamp {form:timestampForms}: send Unix time in seconds, 10 digits.', '時間戳記{form}：請送 Unix 秒數，10 位數字。'],
  [
    'The timestamp is {skew:skews} our clock, where {max} s are allowed: set the clock (NTP), and sign each try anew.',
    '時間戳記比本系統時鐘{skew}，允許誤差 {max} 秒：請校正時鐘（NTP），每次嘗試都重新簽章。',
  ],
  [
    'The timestamp is {skew:skews} our clock, where {max} s are allowed. That is {hours} hours, which is the zone of Taipei: local time was taken for UTC. Unix time is the same everywhere.',
    '時間戳記比本系統時鐘{skew}，允許誤差 {max} 秒。相差 {hours} 小時，正是台北時區：把當地時間當成 UTC 了。Unix 時間在各地都相同。',
  ],
  [
    'The timestamp is {skew:skews} our clock, where {max} s are allowed. That is {hours} hours: local time was taken for UTC. Unix time is the same everywhere.',
    '時間戳記比本系統時鐘{skew}，允許誤差 {max} 秒。相差 {hours} 小時：把當地時間當成 UTC 了。Unix 時間在各地都相同。',
  ],

  [
    'The header sign is no hash in any form we know: send 64 lowercase hex digits.',
    '標頭 sign 不是任何已知形式的雜湊：請送 64 個小寫十六進位字元。',
  ],
  ['The header sign {form:signForms}: send 64 lowercase hex digits.', '標頭 sign {form}：請送 64 個小寫十六進位字元。'],
  [
    'The body of {bytes} bytes is too large for more than this: try the same with a smaller one.',
    '請求內容有 {bytes} 位元組，太大而無法進一步診斷：請用較小的內容再試。',
  ],

  [
    'The body was signed {way:bodyWays}. Serialise once, sign these bytes and send the same bytes.',
    '簽章用的請求內容與送出的不同：{way}。請只序列化一次，對這些位元組簽章，並送出相同的位元組。',
  ],
  [
    'In what was signed, {way:layoutWays}. Sign with HMAC-SHA256 the bytes of the body, directly followed by the timestamp, and nothing else.',
    '簽章的組成有誤：{way}。請以 HMAC-SHA256 對請求內容的位元組緊接時間戳記簽章，不加其他內容。',
  ],
  [
    'The timestamp was signed {way:timestampWays}, not as it is in the header. Take the time once, and use the same text in both places.',
    '簽章用的時間戳記與標頭不同：{way}。請只取一次時間，兩處使用相同的文字。',
  ],
  ['The secret was used {way:secretWays}. Use it exactly as it was given.', '密鑰使用有誤：{way}。請完全照原樣使用。'],
  [
    'It was signed with a former secret of the account, which has ended. Use the current one.',
    '使用了帳號先前已失效的密鑰簽章。請使用目前的密鑰。',
  ],
  ['It was signed with an empty secret. Check where the secret is read from.', '使用了空的密鑰簽章。請檢查密鑰從何處讀取。'],
  [
    'It was signed with "{text}" as the secret: where the secret should be, there is none yet.',
    '使用「{text}」作為密鑰簽章：該放密鑰的地方尚未填入。',
  ],
  ['It was signed with the account number as the secret. Use the secret of the account.', '使用帳號編號作為密鑰簽章。請使用帳號的密鑰。'],
  [
    'It was signed with the secret of account {account}. Send account-no and secret of the same account.',
    '使用了帳號 {account} 的密鑰簽章。請使用同一帳號的 account-no 與密鑰。',
  ],

  ['Nothing else is wrong: with this put right, the signature fits.', '沒有其他問題：修正後簽章即相符。'],
  [
    'The signature fits now: the account or its secret was changed at that moment. Send it again.',
    '簽章現在相符：帳號或密鑰當時正在變更。請重新送出。',
  ],
  [
    '{tried:tried}: most likely the secret is another one, or the body was changed after it was signed. The body that came: {body:bodies}. Compare with what you signed.',
    '{tried}：很可能是密鑰不同，或請求內容在簽章後被更改。收到的請求內容：{body}。請與簽章的內容比對。',
  ],
];

const missing: TextPair[] = [
  ['{name} is empty', '標頭 {name} 是空的'],
  ['{name} is missing', '缺少標頭 {name}'],
];

const timestampForms: TextPair[] = [
  ['is in milliseconds', '以毫秒為單位'],
  ['is in microseconds', '以微秒為單位'],
  ['is in nanoseconds', '以奈秒為單位'],
  ['has a fraction', '帶有小數'],
  ['is a date (YYYYMMDDhhmmss)', '是日期（YYYYMMDDhhmmss）'],
  ['has quotes around it', '前後有引號'],
  ['has white space around it', '前後有空白'],
  ['has a sign or zeros before it', '前面有正負號或零'],
  ['is a date', '是日期'],
  ['is an HTTP date', '是 HTTP 日期'],
  ['cannot be read', '無法解讀'],
];

const skews: TextPair[] = [
  ['{seconds} s behind', '慢 {seconds} 秒'],
  ['{seconds} s ahead of', '快 {seconds} 秒'],
];

const signForms: TextPair[] = [
  ['is the hex of its hex text', '是十六進位文字再轉一次十六進位'],
  ['is the base64 of its hex text', '是十六進位文字再轉成 base64'],
  ['is in upper-case hex', '是大寫十六進位'],
  ['is in hex of mixed case', '是大小寫混用的十六進位'],
  ['has separators between its bytes', '位元組之間有分隔符號'],
  ['lacks its leading zeros', '少了開頭的零'],
  ['lacks the leading zero of some of its bytes (%x instead of %02x)', '有些位元組少了開頭的零（用了 %x 而非 %02x）'],
  ['is in base64', '是 base64'],
  ['is in base64url', '是 base64url'],
  ['has quotes or white space around it', '前後有引號或空白'],
  ['has other text around it (a label of openssl, a prefix)', '前後有其他文字（openssl 的標籤或前綴）'],
  ['is as long as {hash}, not SHA-256', '長度與 {hash} 相同，不是 SHA-256'],
  ['stands for {bytes} bytes, not 32', '代表 {bytes} 位元組，不是 32'],
  ['{first:signForms} and {other:signForms}', '{first}，且{other}'],
];

const bodyWays: TextPair[] = [
  ['{way:bodyWays}, with its keys sorted', '{way}，且鍵經過排序'],
  ['as compact JSON (as JSON.stringify writes it)', '簽的是緊湊的 JSON（如 JSON.stringify 的輸出）'],
  [
    "as Python's json.dumps writes it (spaces after commas and colons, other characters than ASCII as \\uXXXX)",
    '簽的是 Python json.dumps 的輸出（逗號與冒號後有空格，非 ASCII 字元寫成 \\uXXXX）',
  ],
  [
    'as JSON with a space after each comma and colon (json.dumps with ensure_ascii=False)',
    '簽的是逗號與冒號後有空格的 JSON（json.dumps 加 ensure_ascii=False）',
  ],
  ['as compact JSON with other characters than ASCII as \\uXXXX', '簽的是緊湊的 JSON，非 ASCII 字元寫成 \\uXXXX'],
  [
    "as PHP's json_encode writes it (slashes as \\/, other characters than ASCII as \\uXXXX)",
    '簽的是 PHP json_encode 的輸出（斜線寫成 \\/，非 ASCII 字元寫成 \\uXXXX）',
  ],
  [
    "as PHP's json_encode with JSON_UNESCAPED_UNICODE writes it (slashes as \\/)",
    '簽的是 PHP json_encode 加 JSON_UNESCAPED_UNICODE 的輸出（斜線寫成 \\/）',
  ],
  ["as Java's Gson writes it (< > & = ' as \\uXXXX)", "簽的是 Java Gson 的輸出（< > & = ' 寫成 \\uXXXX）"],
  ["as Go's json.Marshal writes it (< > & as \\uXXXX)", '簽的是 Go json.Marshal 的輸出（< > & 寫成 \\uXXXX）'],
  ['as compact JSON with other characters than ASCII as \\uXXXX in upper case', '簽的是緊湊的 JSON，非 ASCII 字元寫成大寫的 \\uXXXX'],
  ["as C#'s System.Text.Json writes it", '簽的是 C# System.Text.Json 的輸出'],
  [
    'as JSON on several lines, indented by {indent:indents} (of a file? curl -d @FILE strips line breaks: use --data-binary)',
    '簽的是以{indent}縮排的多行 JSON（來自檔案？curl -d @FILE 會去掉換行，請用 --data-binary）',
  ],
  ["as Python's json.dumps with indent={count} writes it", '簽的是 Python json.dumps 加 indent={count} 的輸出'],
  ["as PHP's json_encode with JSON_PRETTY_PRINT writes it", '簽的是 PHP json_encode 加 JSON_PRETTY_PRINT 的輸出'],
  ["as Java's Gson with setPrettyPrinting writes it", '簽的是 Java Gson 加 setPrettyPrinting 的輸出'],
  ['as JSON.stringify writes it after JSON.parse (1.0 becomes 1)', '簽的是 JSON.parse 後再 JSON.stringify 的輸出（1.0 會變成 1）'],
  ['as a form (name=value&name=value, URL-encoded)', '簽的是表單（name=value&name=value，經 URL 編碼）'],
  ['as name=value pairs with & between them', '簽的是以 & 連接的 name=value'],
  ['as name=value pairs, sorted, with & between them', '簽的是排序後以 & 連接的 name=value'],
  ['with a line break at its end that was not sent', '結尾多了未送出的換行'],
  ['with a CRLF at its end that was not sent', '結尾多了未送出的 CRLF'],
  ['without the line break at its end', '少了結尾的換行'],
  ['without the byte order mark with which it was sent', '少了送出時帶有的 BOM'],
  ['without the white space around it', '少了前後的空白'],
  ['as if it were empty', '當成空的內容來簽'],
  ['with LF where CRLF was sent', '簽的是 LF，送出的是 CRLF'],
  ['with CRLF where LF was sent', '簽的是 CRLF，送出的是 LF'],
  ['without its line breaks', '少了其中的換行'],
  ['without any white space', '去掉了所有空白'],
  ['with a byte order mark that was not sent', '多了未送出的 BOM'],
  ['as "[object Object]" (an object where its JSON text was meant)', '簽的是「[object Object]」（應為 JSON 文字，卻用了物件）'],
  ['as "{}"', '簽的是「{}」'],
  ['as "null"', '簽的是「null」'],
  ['as "undefined"', '簽的是「undefined」'],
  ['as a JSON text inside a JSON string (JSON.stringify twice)', '簽的是包在 JSON 字串中的 JSON 文字（JSON.stringify 兩次）'],
  [
    'as its JSON text, but what came is that text inside a JSON string (as requests.post(json=TEXT) sends it)',
    '簽的是 JSON 文字，送出的卻是包在 JSON 字串中的該文字（如 requests.post(json=TEXT)）',
  ],
  ['in UTF-8, but what came is UTF-8 encoded twice', '簽的是 UTF-8，送出的卻是重複編碼的 UTF-8'],
  ['as a Python bytes literal (str() of bytes)', '簽的是 Python 的 bytes 字面值（對 bytes 用了 str()）'],
  ['in Latin-1, with ? for other characters', '簽的是 Latin-1，其他字元變成 ?'],
  ['in Latin-1, with its characters cut to one byte', '簽的是 Latin-1，字元被截成一個位元組'],
  ['in ASCII, with ? for other characters', '簽的是 ASCII，其他字元變成 ?'],
  ['in UTF-16 (little-endian)', '簽的是 UTF-16（小端序）'],
  ['in UTF-16 (big-endian)', '簽的是 UTF-16（大端序）'],
  ['in UTF-8 encoded twice', '簽的是重複編碼的 UTF-8'],
  ['in base64', '簽的是 base64'],
  ['as its SHA-256 in hex', '簽的是它的 SHA-256（十六進位）'],
  ['as its MD5 in hex', '簽的是它的 MD5（十六進位）'],
  ['before it was compressed', '簽的是壓縮前的內容'],
  ['URL-encoded', '簽的是經 URL 編碼的內容'],
];

const indents: TextPair[] = [
  ['{count} spaces', ' {count} 個空格'],
  ['tabs', '定位字元'],
];

const layoutWays: TextPair[] = [
  ['the timestamp stood before the body', '時間戳記在請求內容之前'],
  ['the body alone was signed, without the timestamp', '只簽了請求內容，沒有時間戳記'],
  ['a line break followed the timestamp (echo adds one; printf does not)', '時間戳記後多了換行（echo 會加上，printf 不會）'],
  ['a CRLF followed the timestamp', '時間戳記後多了 CRLF'],
  ['the timestamp alone was signed, without the body', '只簽了時間戳記，沒有請求內容'],
  ['everything was in UTF-16 (Encoding.Unicode in .NET), which must be UTF-8', '全部使用 UTF-16（.NET 的 Encoding.Unicode），必須是 UTF-8'],
  ['{separator:separators} stood between the body and the timestamp', '請求內容與時間戳記之間多了{separator}'],
  ['the timestamp stood before the body, with {separator:separators} between them', '時間戳記在請求內容之前，且中間多了{separator}'],
  ['the account number stood before the body', '請求內容之前多了帳號編號'],
  ['the account number stood at the end', '結尾多了帳號編號'],
  ['account number, timestamp and body were signed', '簽的是帳號編號、時間戳記與請求內容'],
  ['timestamp, account number and body were signed', '簽的是時間戳記、帳號編號與請求內容'],
  ['account number and timestamp were signed, without the body', '簽的是帳號編號與時間戳記，沒有請求內容'],
  ['the path stood before the body', '請求內容之前多了路徑'],
  ['timestamp, path and body were signed', '簽的是時間戳記、路徑與請求內容'],
  ['method and path stood before the body', '請求內容之前多了 HTTP 方法與路徑'],
  ['timestamp, method, path and body were signed', '簽的是時間戳記、HTTP 方法、路徑與請求內容'],
  ['method, path, timestamp and body were signed', '簽的是 HTTP 方法、路徑、時間戳記與請求內容'],
  ['method, path, timestamp and body were signed, on a line each', '簽的是 HTTP 方法、路徑、時間戳記與請求內容，各佔一行'],
  ['there was no HMAC but a plain hash of {order:hashedOrders}', '沒有使用 HMAC，而是對{order}做一般雜湊'],
  [
    'key and message were exchanged: the secret was signed, with body and timestamp as the key',
    '金鑰與訊息顛倒：以請求內容和時間戳記為金鑰，對密鑰簽章',
  ],
];

const separators: TextPair[] = [
  ['a dot', '句點'],
  ['a line break', '換行'],
  ['a colon', '冒號'],
  ['a bar', '直線（|）'],
  ['an ampersand', '「&」'],
  ['a comma', '逗號'],
  ['a space', '空格'],
];

const hashedOrders: TextPair[] = [
  ['body, timestamp and secret', '請求內容、時間戳記與密鑰'],
  ['secret, body and timestamp', '密鑰、請求內容與時間戳記'],
  ['secret, timestamp and body', '密鑰、時間戳記與請求內容'],
  ['timestamp, body and secret', '時間戳記、請求內容與密鑰'],
  ['body, secret and timestamp', '請求內容、密鑰與時間戳記'],
  ['body and timestamp, without a secret', '請求內容與時間戳記（沒有密鑰）'],
  ['the body, without a secret', '請求內容（沒有密鑰）'],
];

const timestampWays: TextPair[] = [
  ['in seconds', '簽的是秒'],
  ['in milliseconds', '簽的是毫秒'],
  ['{seconds} s earlier', '早了 {seconds} 秒'],
  ['{seconds} s later', '晚了 {seconds} 秒'],
];

const secretWays: TextPair[] = [
  ['with a line break at its end (as a file has one)', '結尾多了換行（檔案結尾常有）'],
  ['with a CRLF at its end', '結尾多了 CRLF'],
  ['with a carriage return at its end (as a line of a Windows file has one)', '結尾多了歸位字元 CR（Windows 檔案的每行結尾都有）'],
  ['with a space at its end', '結尾多了空格'],
  ['with a semicolon at its end', '結尾多了分號'],
  ['in UTF-16 (Encoding.Unicode in .NET)', '使用了 UTF-16（.NET 的 Encoding.Unicode）'],
  ['with a byte order mark before it', '前面多了 BOM'],
  ['with a space before it', '前面多了空格'],
  ['with {text} before it', '前面多了「{text}」'],
  ['without the white space around it', '少了前後的空白'],
  ['with double quotes around it', '前後多了雙引號'],
  ['with single quotes around it', '前後多了單引號'],
  ['with angle brackets around it', '前後多了角括號'],
  ['without its prefix', '少了前綴'],
  ['decoded from base64', '經過 base64 解碼'],
  ['without its prefix, decoded from base64', '少了前綴，且經過 base64 解碼'],
  ['decoded from hex', '經過十六進位解碼'],
  ['in base64', '轉成了 base64'],
  ['in hex', '轉成了十六進位'],
  ['without its last character', '少了最後一個字元'],
  ['without its first character', '少了第一個字元'],
  ['in lower case', '變成了小寫'],
  ['in upper case', '變成了大寫'],
  ['as its SHA-256 in hex', '使用了它的 SHA-256（十六進位）'],
  ['as its MD5 in hex', '使用了它的 MD5（十六進位）'],
];

const tried: TextPair[] = [
  ['What came is no JSON object: send the JSON text that you sign. {rest:tried}', '收到的不是 JSON 物件：請送出簽章的 JSON 文字。{rest}'],
  [
    'What came is no JSON object but looks like a form (name=value): send the JSON text that you sign. {rest:tried}',
    '收到的不是 JSON 物件，看起來像表單（name=value）：請送出簽章的 JSON 文字。{rest}',
  ],
  [
    'The headers are there, the account is registered, the clock and the form of sign are right. {rest:tried}',
    '標頭齊全，帳號已登記，時鐘與 sign 的格式都正確。{rest}',
  ],
  ['The signature fits none of the usual mistakes', '簽章不符合任何常見的錯誤'],
  ['The signature fits none of those mistakes that there was time to try', '在時限內嘗試過的常見錯誤都不符合'],
];

const bodies: TextPair[] = [
  [
    '{bytes} bytes, first byte {first}, last byte {last}, SHA-256 {hash}',
    '{bytes} 位元組，第一個位元組 {first}，最後一個 {last}，SHA-256 {hash}',
  ],
  ['{bytes} bytes, SHA-256 {hash}', '{bytes} 位元組，SHA-256 {hash}'],
];

/** What is remembered of the last run of a job. */
const jobOutcomes: TextPair[] = [
  ['failed', '失敗'],
  ['forgot {count} secrets whose overlap had ended', '清除了 {count} 組已過重疊期的密鑰'],
  ['dropped {partitions}', '已移除 {partitions}'],
  ['nothing to drop', '沒有可移除的'],
  ['forgot {count} sessions that ended more than {days} days ago', '清除了 {count} 筆結束超過 {days} 天的登入紀錄'],
  ['made token key {kid}; forgot {count} that had ended', '產生了權杖金鑰 {kid}；清除了 {count} 把已失效的'],
  ['the token key in use is young enough; forgot {count} that had ended', '目前的權杖金鑰仍新；清除了 {count} 把已失效的'],
  ['nothing to purge', '沒有可清除的'],
  ['purged {counts:purged}', '清除了 {counts}'],
  ['was stopped after it had purged {counts:purged}', '中途停止，已清除 {counts}'],
  ['{audited:audited}: everything adds up', '稽核 {audited}：全部相符'],
  ['{count} findings in {audited:audited}: {finding:findings}', '稽核 {audited}，發現 {count} 項不符：{finding}'],
];

const purged: TextPair[] = [
  [
    '{orders} orders and {inbounds} inbound documents, with {movements} movements and {callbacks} callbacks; {units} units kept for what is younger',
    '{orders} 筆訂單與 {inbounds} 張進貨單，連同 {movements} 筆異動與 {callbacks} 筆回呼；為較新的單據保留 {units} 件',
  ],
  [
    '{orders} orders and {inbounds} inbound documents, with {movements} movements and {callbacks} callbacks',
    '{orders} 筆訂單與 {inbounds} 張進貨單，連同 {movements} 筆異動與 {callbacks} 筆回呼',
  ],
];

const audited: TextPair[] = [
  ['{lots} lots, {orders} orders and {inbounds} inbound documents', '{lots} 個批次、{orders} 筆訂單與 {inbounds} 張進貨單'],
];

const findings: TextPair[] = [
  ['lot {lot} of {account} does not exist, but has movements', '{account} 的批次 {lot} 不存在，卻有異動紀錄'],
  [
    'lot {lot} ({account}, sku {sku}, warehouse {warehouse}): {difference:differences}',
    '批次 {lot}（{account}，SKU {sku}，倉庫 {warehouse}）：{difference}',
  ],
  [
    '{holder:holders} of {account} holds {held} of sku {sku}, and should hold {owed}',
    '{account} 的{holder}鎖定 SKU {sku} {held} 件，應為 {owed} 件',
  ],
  [
    'inbound document {document} (does not exist) of {account} has brought {received} of sku {sku}, and should have brought {right:ranges} (announced: {announced})',
    '{account} 的進貨單 {document}（不存在）已入庫 SKU {sku} {received} 件，應為 {right} 件（預告 {announced}）',
  ],
  [
    'inbound document {document} ({status}) of {account} has brought {received} of sku {sku}, and should have brought {right:ranges} (announced: {announced})',
    '{account} 的進貨單 {document}（{status}）已入庫 SKU {sku} {received} 件，應為 {right} 件（預告 {announced}）',
  ],
];

const differences: TextPair[] = [
  ['on hand {shown}, by its movements {moved}', '在庫 {shown}，依異動應為 {moved}'],
  ['locked {shown}, by its movements {moved}', '鎖定 {shown}，依異動應為 {moved}'],
];

const holders: TextPair[] = [
  ['no order', '無對應訂單者'],
  ['order {order} (does not exist)', '訂單 {order}（不存在）'],
  ['order {order} ({status})', '訂單 {order}（{status}）'],
];

const ranges: TextPair[] = [
  ['{least} to {most}', '{least} 至 {most}'],
  ['{count}', '{count}'],
];

/** How the last wave to a warehouse ended. */
const waveOutcomes: TextPair[] = [
  ['{counts:transferred}', '{counts}'],
  ['interrupted: {counts:transferred}', '中斷：{counts}'],
  ['turn over: {counts:transferred}', '輪到其他倉庫：{counts}'],
  ['failed: {why:troubles}', '失敗：{why}'],
];

const transferred: TextPair[] = [
  ['transferred {count}, put aside {aside}', '已拋轉 {count}，擱置 {aside}'],
  ['transferred {count}, put aside {aside}, stuck {stuck}', '已拋轉 {count}，擱置 {aside}，卡住 {stuck}'],
];

/** Why a post, to a warehouse or of a callback, was not answered. */
const unanswered: TextPair[] = [
  ['no secret to sign with', '沒有可用來簽章的密鑰'],
  ['timed out after {seconds} s', '{seconds} 秒後逾時'],
  ['stopped', '服務停止'],
  ['name does not resolve at the moment', '目前無法解析主機名稱'],
  ['name does not resolve', '無法解析主機名稱'],
  ['connection refused', '連線遭拒'],
  ['connection timed out', '連線逾時'],
  ['connection reset', '連線中斷'],
  ['host unreachable', '無法連到主機'],
  ['network unreachable', '無法連到網路'],
  ['address {address} is not allowed', '不允許的位址 {address}'],
  ['not an http(s) URL', '不是 http(s) 網址'],
  ['user name or password in the URL', '網址中有使用者名稱或密碼'],
  ['malformed HTTP', 'HTTP 格式錯誤'],
  ['malformed HTTP: {detail}', 'HTTP 格式錯誤：{detail}'],
  ['headers that cannot be sent', '有無法送出的標頭'],
  ['unexpected error', '未預期的錯誤'],
  ['unexpected error {code}', '未預期的錯誤 {code}'],
];

/** Why a wave failed; a status or a code is the same in both languages. */
const troubles: TextPair[] = [...unanswered, ['internal error', '內部錯誤'], ['{other}', '{other}']];

/** In Traditional Chinese as used in Taiwan: what the server writes into its request log, its schedule and its diagnoses. */
export const serverTextsZh: TextLists = {
  sentences: [
    ...explanationsZh,
    ...messagesZh,
    ...reasons,
    ...diagnoses,
    ...jobOutcomes,
    ...waveOutcomes,
    ...findings,
    ...differences,
    ...unanswered,
    ['{said:sentences} (and {count} more requests like it)', '{said}（另有 {count} 個相同的請求）'],
    ['(and {count} more requests like it)', '（另有 {count} 個相同的請求）'],
    ['{said:sentences} (and {count} more)', '{said}（另有 {count} 項）'],
    ['the body {problem:problems}', '請求內容{problem}'],
    ['{field} {problem:problems}', '{field} {problem}'],
    ['{problem:problems}', '{problem}'],
  ],
  problems: problemsZh,
  ...{ secrets, things, missing, timestampForms, skews, signForms, bodyWays, indents, layoutWays, separators, hashedOrders },
  ...{ timestampWays, secretWays, tried, bodies, purged, audited, findings, differences, holders, ranges, transferred, troubles },
};

export const translateServerText = makeTranslate(serverTextsZh);
