import type { LinkLanguage, LinkState } from '../../domain/onboarding/handover-link.ts';
import type { SecretKind } from '../../domain/partners/secret.ts';

interface HandoverWords {
  title: string;
  intro: string;
  once: string;
  open: string;
  code: string;
  codeHint: string;
  other: string;
  opened: (account: string) => string;
  environment: Record<'uat' | 'production', string>;
  saveNow: string;
  secret: Record<SecretKind, string>;
  use: Record<SecretKind, string>;
  belongsTo: string;
  copy: string;
  copied: string;
  next: string;
  signing: string;
  quickstart: string;
  reference: string;
  cannot: string;
  ended: Record<Exclude<LinkState, 'waiting'>, (issuedBy: string) => string>;
  unknown: string;
  throttled: (seconds: string) => string;
  unavailable: string;
  again: string;
}

/** The texts of the page that opens a link. */
export const handoverWords: Record<LinkLanguage, HandoverWords> = {
  en: {
    title: 'Your credentials',
    intro: 'Somebody has sent you the credentials for connecting your system.',
    once: 'They are shown once only. Open them when you are ready to save them, for example in a password manager.',
    open: 'Show the credentials',
    code: 'Code',
    codeHint: 'The part of the link after #',
    other: '中文',
    opened: (account) => `Credentials of account ${account}`,
    environment: { uat: 'Test environment (UAT)', production: 'Production' },
    saveNow: 'Save them now. This page cannot be opened again.',
    secret: {
      account_secret: 'Account secret',
      check_value: 'CheckValue',
      logistics_key: 'API key',
      callback_secret: 'Callback secret',
      account_callback_secret: 'Callback secret',
      tenant_callback_secret: 'Callback secret',
      connector_secret: 'Connector secret',
      operator_password: 'Password',
    },
    use: {
      account_secret: 'Signs requests of the warehouse API.',
      check_value: 'Together with the ClientId, gets access tokens for the main API.',
      logistics_key: 'Sent in the Authorization header of calls to the logistics webhook.',
      callback_secret: 'Verifies that callbacks of documents with this key come from us.',
      account_callback_secret: 'Verifies that callbacks come from us.',
      tenant_callback_secret: 'Verifies that callbacks of this tenant come from us.',
      connector_secret: 'Verifies that orders come from us.',
      operator_password: 'Signs in to the console.',
    },
    belongsTo: 'Belongs to',
    copy: 'Copy',
    copied: 'Copied',
    next: 'Next steps',
    signing: 'How to sign requests',
    quickstart: 'Quick start',
    reference: 'Reference',
    cannot: 'This link cannot be opened',
    ended: {
      opened: (issuedBy) => `It was opened before, and opens once only. If that was not you, tell ${issuedBy} at once.`,
      expired: (issuedBy) => `It has expired. Ask ${issuedBy} for a new one.`,
      revoked: (issuedBy) => `It was revoked. Ask ${issuedBy} for a new one.`,
    },
    unknown: 'It was not copied completely, or is not valid any more. Ask the person who sent it for a new one.',
    throttled: (seconds) => `Too many attempts. Try again in ${seconds} seconds.`,
    unavailable: 'The service is not available at the moment. Try again soon.',
    again: 'Try again',
  },
  'zh-TW': {
    title: '您的串接憑證',
    intro: '對方傳給您系統串接所需的憑證。',
    once: '憑證只會顯示一次。請在可以立即保存時（例如存入密碼管理工具）再開啟。',
    open: '顯示憑證',
    code: '代碼',
    codeHint: '連結中 # 之後的文字',
    other: 'English',
    opened: (account) => `貨主 ${account} 的憑證`,
    environment: { uat: '測試環境（UAT）', production: '正式環境' },
    saveNow: '請立即保存，此頁無法再次開啟。',
    secret: {
      account_secret: '貨主密鑰',
      check_value: 'CheckValue',
      logistics_key: 'API 金鑰',
      callback_secret: '回呼密鑰',
      account_callback_secret: '回呼密鑰',
      tenant_callback_secret: '回呼密鑰',
      connector_secret: '連接密鑰',
      operator_password: '密碼',
    },
    use: {
      account_secret: '用於倉儲 API 的請求簽章。',
      check_value: '與 ClientId 一起換取主 API 的存取權杖。',
      logistics_key: '呼叫物流 Webhook 時放在 Authorization 標頭。',
      callback_secret: '用於驗證以此金鑰建立之單據的回呼確實由我們發出。',
      account_callback_secret: '用於驗證回呼確實由我們發出。',
      tenant_callback_secret: '用於驗證此租戶的回呼確實由我們發出。',
      connector_secret: '用於驗證訂單確實由我們發出。',
      operator_password: '用於登入管理後台。',
    },
    belongsTo: '屬於',
    copy: '複製',
    copied: '已複製',
    next: '接下來',
    signing: '請求簽章說明',
    quickstart: '快速開始',
    reference: 'API 文件',
    cannot: '無法開啟此連結',
    ended: {
      opened: (issuedBy) => `此連結已開啟過，且只能開啟一次。若不是您本人開啟，請立即通知 ${issuedBy}。`,
      expired: (issuedBy) => `此連結已過期，請向 ${issuedBy} 索取新的連結。`,
      revoked: (issuedBy) => `此連結已撤銷，請向 ${issuedBy} 索取新的連結。`,
    },
    unknown: '連結未完整複製，或已失效。請向傳送連結的人索取新的連結。',
    throttled: (seconds) => `嘗試次數過多，請於 ${seconds} 秒後再試。`,
    unavailable: '服務暫時無法使用，請稍後再試。',
    again: '再試一次',
  },
};
