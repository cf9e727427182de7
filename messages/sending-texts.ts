import { messagesOf } from './message.ts';

/** Why a request of ours, to a warehouse or with a callback, was not answered or not accepted. */
export const sendingTexts = {
  no_secret: ['no secret to sign with', '沒有可用來簽章的密鑰'],
  timed_out: ['timed out after {seconds} s', '{seconds} 秒後逾時'],
  stopped: ['stopped', '服務停止'],
  name_unresolved: ['name does not resolve', '無法解析主機名稱'],
  name_unresolved_now: ['name does not resolve at the moment', '目前無法解析主機名稱'],
  address_not_allowed: ['address {address} is not allowed', '不允許的位址 {address}'],
  no_connection: ['no connection within {seconds} s', '{seconds} 秒內無法連線'],
  connection_refused: ['connection refused', '連線遭拒'],
  connection_timed_out: ['connection timed out', '連線逾時'],
  connection_reset: ['connection reset', '連線中斷'],
  host_unreachable: ['host unreachable', '無法連到主機'],
  network_unreachable: ['network unreachable', '無法連到網路'],
  not_http_url: ['not an http(s) URL', '不是 http(s) 網址'],
  credentials_in_url: ['user name or password in the URL', '網址中有使用者名稱或密碼'],
  malformed_http: ['malformed HTTP', 'HTTP 格式錯誤'],
  no_answer_within: ['malformed HTTP: no answer within {kib} KiB', 'HTTP 格式錯誤：{kib} KiB 內沒有回應'],
  headers_beyond: ['malformed HTTP: headers beyond {kib} KiB', 'HTTP 格式錯誤：標頭超過 {kib} KiB'],
  unsendable_headers: ['headers that cannot be sent', '有無法送出的標頭'],
  tls_failed: ['TLS: {code}', 'TLS：{code}'],
  unexpected_error: ['unexpected error', '未預期的錯誤'],
  unexpected_error_code: ['unexpected error {code}', '未預期的錯誤 {code}'],
  failed_internally: ['internal error', '內部錯誤'],
  given_up: ['given up: the receiver did not answer for {hours} h', '已放棄：接收端 {hours} 小時未回應'],

  smtp_answer: ['the mail server answered: {response}', '郵件伺服器回應：{response}'],
  smtp_login_refused: [
    'the mail server refused the user or the password: {response}',
    '郵件伺服器拒絕使用者或密碼：{response}',
  ],
  smtp_no_starttls: ['the mail server does not offer STARTTLS', '郵件伺服器不支援 STARTTLS'],
  smtp_certificate: [
    'the certificate of the mail server is not trusted ({code})',
    '郵件伺服器的憑證不受信任（{code}）',
  ],
  smtp_not_set: ['SMTP_URL is not set', '未設定 SMTP_URL'],
  smtp_some_refused: [
    '{result}; the mail server will not take {count} of the recipients: {recipients}',
    '{result}；郵件伺服器不接受其中 {count} 個收件者：{recipients}',
  ],
  recipients_removed: ['the rule no longer has these recipients', '規則已移除這些收件者'],
  rule_switched_off: ['the rule was switched off, or no longer has this channel', '規則已停用，或已不使用此方式'],

  http_status: ['HTTP {status}', 'HTTP {status}'],
  rejected_with: ['HTTP {status}: {response}', 'HTTP {status}：{response}'],
  /** The text is the warehouse's own. As a param, it cannot be mistaken for a message of ours. */
  warehouse_reason: ['{text}', '{text}'],
  no_reason_given: ['no reason given', '未說明原因'],
  asked_system_replaced: [
    'the warehouse has another system now, and the one that was asked did not answer',
    '倉庫已更換系統，原系統未回覆',
  ],
  takes_no_changes: ['the warehouse no longer accepts changes', '倉庫已不再接受變更'],
} as const;

export const sending = messagesOf(sendingTexts);
