/** Bodies that are rejected before validation; positions count from 0. */
export const bodyErrors = {
  no_body: {
    message: ['The body is empty.', '請求內容是空的。'],
    cause: ['The request has no body.', '沒有請求內容。'],
    fix: [
      'Send a JSON object, at least `{}`; check whether a redirect or a proxy drops the body.',
      '請送出 JSON 物件，至少為 `{}`；檢查是否被重新導向或代理伺服器丟棄。',
    ],
  },
  not_utf8: {
    message: ['The body is not valid UTF-8.', '請求內容不是有效的 UTF-8。'],
    cause: ['The body uses another encoding.', '使用了其他編碼。'],
    fix: ['Encode the text as UTF-8.', '請以 UTF-8 編碼。'],
  },
  byte_order_mark: {
    message: ['The body starts with a byte order mark.', '請求內容以 BOM（位元組順序記號）開頭。'],
    cause: ['The first three bytes are a UTF-8 byte order mark.', '最前面三個位元組是 UTF-8 的 BOM。'],
    fix: ['Send the body without it.', '請去除後再送出。'],
  },
  ends_early: {
    message: ['The body is not valid JSON: it ends too early.', '請求內容不是有效的 JSON：不完整。'],
    cause: ['The body is truncated, or a closing bracket is missing.', '內容被截斷，或缺少括號。'],
    fix: [
      'Create the body with a JSON library instead of concatenating strings.',
      '請用 JSON 函式庫產生請求內容，不要手動拼接。',
    ],
  },
  trailing_comma: {
    message: [
      'The body is not valid JSON at character {position}: a comma stands before ] or }.',
      '請求內容在第 {position} 個字元處不是有效的 JSON：] 或 } 前有多餘的逗號。',
    ],
    cause: ['The last entry of an array or object is followed by a comma.', '清單或物件的最後一項之後多了逗號。'],
    fix: [
      'Remove it. Create the body with a JSON library instead of concatenating strings.',
      '請移除。請用 JSON 函式庫產生請求內容，不要手動拼接。',
    ],
  },
  not_json: {
    message: [
      'The body is not valid JSON at character {position}.',
      '請求內容在第 {position} 個字元處不是有效的 JSON。',
    ],
    cause: [
      'The text is not valid JSON from that character on (counted from 0).',
      '從該字元起（由 0 起算）不是 JSON。',
    ],
    fix: [
      'Create the body with a JSON library instead of concatenating strings.',
      '請用 JSON 函式庫產生請求內容，不要手動拼接。',
    ],
  },
  wrong_escape: {
    message: [
      'The body is not valid JSON: the key at byte {position} has a wrong escape.',
      '請求內容不是有效的 JSON：位元組 {position} 處的鍵有錯誤的跳脫字元。',
    ],
    cause: ['A key contains a `\\` that does not start a valid escape sequence.', '鍵中有不構成有效跳脫的 `\\`。'],
    fix: [
      'Create the body with a JSON library instead of concatenating strings.',
      '請用 JSON 函式庫產生請求內容，不要手動拼接。',
    ],
  },
  too_deep: {
    message: [
      'The body nests deeper than {levels} levels at byte {position}.',
      '請求內容在位元組 {position} 處的巢狀超過 {levels} 層。',
    ],
    cause: ['Objects and arrays are nested more than 32 levels deep.', '物件與清單的巢狀超過 32 層。'],
    fix: ['Reduce the nesting of the body.', '請減少請求內容的層數。'],
  },
  inexact_number: {
    message: ['The number at byte {position} cannot be kept exactly.', '位元組 {position} 處的數字無法精確保存。'],
    cause: [
      'The number has more digits than a double-precision float can hold.',
      '數字的位數超過 double 可保存的精度。',
    ],
    fix: ['Send fewer digits; send identifiers as strings.', '請減少位數；識別碼請以文字傳送。'],
  },
  nul_character: {
    message: [
      'A string or key holds a NUL character, which cannot be stored, at byte {position}.',
      '位元組 {position} 處的字串或鍵含有無法儲存的 NUL 字元。',
    ],
    cause: ['The text contains an escaped U+0000 character.', '文字中有 U+0000 的跳脫字元。'],
    fix: ['Remove it; fixed-length fields are often padded with it.', '請移除；固定長度的欄位常以它補滿。'],
  },
  half_surrogate: {
    message: [
      'A string or key holds half of a surrogate pair at byte {position}.',
      '位元組 {position} 處的字串或鍵只有半個代理對（surrogate pair）。',
    ],
    cause: [
      'A character outside the Basic Multilingual Plane was cut in half.',
      '基本多文種平面以外的字元被切成兩半。',
    ],
    fix: [
      'Truncate text between characters, not between UTF-16 code units.',
      '截斷文字時請以字元為單位，不要以 UTF-16 單元為單位。',
    ],
  },
  key_twice: {
    message: [
      'The key "{key}" at byte {position} appears twice in one object.',
      '位元組 {position} 處的鍵「{key}」在同一物件中出現兩次。',
    ],
    cause: ['Two parsers could read different values.', '不同的程式可能讀到不同的值。'],
    fix: ['Send each key once.', '每個鍵只送一次。'],
  },
  key_forbidden: {
    message: ['The key "{key}" at byte {position} is not allowed.', '位元組 {position} 處的鍵「{key}」不允許使用。'],
    cause: [
      '`__proto__` and `constructor` are rejected because they can change how objects in a program behave.',
      '`__proto__` 與 `constructor` 會被拒絕，因為它們可能改變程式中物件的行為。',
    ],
    fix: ['Rename or remove the key.', '請更名或移除該鍵。'],
  },
  too_many_keys: {
    message: [
      'Large objects have more than {keys} keys at byte {position}.',
      '位元組 {position} 處，大型物件的鍵超過 {keys} 個。',
    ],
    cause: [
      'The limit covers the keys of all objects with more than 24 keys, plus all keys with escape sequences. No valid body needs that many.',
      '超過 24 個鍵的物件與含跳脫字元的鍵會合併計算；本系統的請求內容不需要這麼多。',
    ],
    fix: ['Send lists as JSON arrays.', '清單請以陣列傳送。'],
  },
  too_many_values: {
    message: [
      'The body has more than {values} values at byte {position}.',
      '請求內容在位元組 {position} 處超過 {values} 個值。',
    ],
    cause: [
      'The limit covers fields, array entries, objects and arrays together. No valid body needs that many.',
      '欄位、清單項目、物件與清單會合併計算；本系統的請求內容沒有這麼多。',
    ],
    fix: ['Split it into several requests.', '請分成多次請求。'],
  },
} as const;
