import { messagesOf } from './message.ts';

/** Why a request was rejected, in more detail than the response to the caller. */
export const reasonTexts = {
  header_absent: ['header {name} is missing', '缺少標頭 {name}'],
  header_repeated: ['the header {name} came twice', '標頭 {name} 出現兩次'],
  timestamp_not_seconds: ['timestamp is not 10 digits (Unix time in seconds)', '時間戳記不是 10 位數字（Unix 秒數）'],
  sign_not_hex: ['sign is not 64 lowercase hex digits', 'sign 不是 64 個小寫十六進位字元'],
  timestamp_off: ['timestamp is off by {seconds} s', '時間戳記誤差 {seconds} 秒'],
  signature_mismatch: ['the signature does not match', '簽章不符'],
  account_not_registered: ['account-no is not registered', 'account-no 未登記'],
  warehouse_api_off: ['WAREHOUSE_API is off', 'WAREHOUSE_API 為關閉'],
  account_warehouse_api_off: ['warehouse_api of the account is off', '此貨主未開啟倉儲 API'],
  diagnosis_for_uat_only: [
    'a diagnosis for the sender: account-no is not an enabled UAT account',
    '向送出方提供的診斷：account-no 不是已啟用的 UAT 貨主',
  ],
  diagnoser_busy: ['too many signatures are being diagnosed', '正在診斷的簽章過多'],
  account_disabled: ['the account is disabled', '貨主已停用'],

  client_not_registered: ['ClientId is not registered', 'ClientId 未登記'],
  check_value_mismatch: ['the CheckValue of client {client} does not match', '用戶端 {client} 的 CheckValue 不符'],
  client_disabled: ['client {client} is disabled', '用戶端 {client} 已停用'],
  client_account_disabled: ['the account of client {client} is disabled', '用戶端 {client} 的貨主已停用'],
  too_many_check_values: ['too many wrong CheckValues', '錯誤的 CheckValue 過多'],
  too_many_searches: ['too many searches of this account are waiting', '此貨主等待中的搜尋過多'],
  no_bearer: ['header Authorization does not begin with Bearer', '標頭 Authorization 不是以 Bearer 開頭'],
  no_token: ['no token follows Bearer in header Authorization', '標頭 Authorization 的 Bearer 之後沒有權杖'],
  token_expired: ['the token has expired', '權杖已過期'],
  token_key_ended: ['the key of the token has ended', '權杖的金鑰已失效'],
  token_client_unknown: ['the client of the token does not exist', '權杖的用戶端不存在'],
  token_before_disabling: ['the token is older than the disabling of its client', '權杖早於其用戶端被停用的時間'],
  token_key_unknown: [
    'the token is signed with a key that is not ours or has ended',
    '權杖的簽署金鑰不是本系統的，或已失效',
  ],
  token_too_long: ['the token is longer than {max} characters', '權杖超過 {max} 個字元'],
  token_not_three_parts: ['the token is not three parts in base64url', '權杖不是三段 base64url'],
  token_header_unreadable: ['the header of the token cannot be read', '權杖的標頭無法解讀'],
  token_algorithm: ['the algorithm of the token is not {algorithm}', '權杖的演算法不是 {algorithm}'],
  token_without_key: ['the token names no key', '權杖沒有指明金鑰'],
  token_header_extra: ['the header of the token has unexpected fields', '權杖的標頭內容比本系統核發的多'],
  token_damaged: ['the token was cut off or changed on its way', '權杖在傳送途中被截斷或變更'],
  token_subject: ['the sub claim of the token has a wrong format', '權杖的 sub 格式與本系統核發的不同'],
  token_signature: ['the signature of the token does not match', '權杖的簽章不符'],
  token_claim: ['the claim {claim} of the token is not valid', '權杖的 {claim} 驗證未通過'],
  token_unverifiable: ['the token cannot be verified ({error})', '權杖無法驗證（{error}）'],
  no_such_api_key: ['no such API key', '沒有這個 API 金鑰'],
  key_disabled: ['key {key} is disabled', '金鑰 {key} 已停用'],

  other_secret: [
    '{reason}; the value sent looks like {given}, not {wanted}',
    '{reason}；送來的看起來是{given}，而不是{wanted}',
  ],
  account_secret: ['an account secret', '貨主密鑰'],
  check_value: ['a CheckValue', ' CheckValue 驗證碼'],
  logistics_key: ['a logistics API key', '物流 API 金鑰'],
  callback_secret: ['a callback secret', '回呼密鑰'],
  account_callback_secret: ['a callback secret', '回呼密鑰'],
  tenant_callback_secret: ['a callback secret', '回呼密鑰'],
  connector_secret: ['a connector secret', '連接密鑰'],
  operator_password: ['a password', '密碼'],
  access_token: ['an access token of the main API', '主 API 的存取權杖'],

  bodies_held: ['bodies of {bytes} bytes are held', '處理中的請求內容已達 {bytes} 位元組'],
  overloaded: ['{detail}', '服務忙碌：{detail}'],
  database_unavailable: ['{detail}', '資料庫無法使用：{detail}'],

  no_session: ['no open session', '尚未登入'],
  too_many_codes: [
    'too many wrong codes of operator {username} in a day',
    '操作員 {username} 一天內輸入錯誤的驗證碼過多',
  ],
  too_many_sign_ins: ['too many failed sign-ins', '登入失敗次數過多'],
  operator_unknown: ['there is no such operator', '沒有這位操作人員'],
  wrong_password: ['the password of operator {username} does not match', '操作人員 {username} 的密碼不符'],
  operator_disabled: ['operator {username} is disabled', '操作人員 {username} 已停用'],
  operator_without_password: [
    'operator {username} has no password and signs in with the identity provider',
    '操作人員 {username} 沒有密碼，須以單一登入登入',
  ],
  passwords_off: [
    'passwords are switched off, and operator {username} has no emergency access',
    '密碼登入已關閉，且操作人員 {username} 沒有緊急登入權限',
  ],
  wrong_code: [
    'the one-time code of operator {username} is wrong or used',
    '操作人員 {username} 的一次性驗證碼錯誤或已使用',
  ],
  sign_in_expired: ['the sign-in took too long or was altered', '登入逾時或內容遭變更'],
  identity_refused: [
    'the identity provider did not confirm the sign-in ({detail})',
    '身分提供者未確認登入（{detail}）',
  ],
  identity_unreachable: ['the identity provider cannot be reached ({detail})', '無法連線至身分提供者（{detail}）'],
  identity_without_role: [
    'the identity provider gave {username} none of the roles of the settings',
    '身分提供者未給予 {username} 任何已設定的角色',
  ],
  identity_without_name: ['the identity provider sent no usable user name', '身分提供者未提供可用的使用者名稱'],
  identity_name_taken: [
    '{username} is an operator with a password; the identity provider cannot take that name over',
    '{username} 是使用密碼的操作人員，單一登入不可取代此名稱',
  ],
  operator_changed: ['the operator changed at this moment', '操作人員的資料剛被變更'],
  too_many_prints: ['too many orders printed within an hour', '一小時內列印的訂單過多'],
  too_many_views: ['too many recipients viewed within an hour', '一小時內檢視收件人資料過多'],
  too_many_exports: ['too many exports', '同時匯出過多'],

  repeated: ['{reason} (and {count} more requests like it)', '{reason}（另有 {count} 個相同的請求）'],
  repeated_only: ['(and {count} more requests like it)', '（另有 {count} 個相同的請求）'],
} as const;

export const reason = messagesOf(reasonTexts);
