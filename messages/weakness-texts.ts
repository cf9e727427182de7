import { messagesOf } from './message.ts';

/** Weaknesses of an installation that its operators can remove. */
export const weaknessTexts = {
  service_is_superuser: [
    'the service logs in to PostgreSQL as {login}, which is a superuser or bypasses row-level security: {consequence}',
    '服務以 {login} 登入 PostgreSQL，而此登入是超級使用者或可略過資料列層級安全：{consequence}',
  ],
  service_owns_tables: [
    'the service logs in to PostgreSQL as {login}, which owns the tables: {consequence}',
    '服務以 {login} 登入 PostgreSQL，而此登入是資料表的擁有者：{consequence}',
  ],
  one_database_login: [
    'the database does not stop it from reading rows of another account or from changing the ledger. Use two logins: the owner in DATABASE_OWNER_URL for "lading migrate", and another one in DATABASE_URL',
    '資料庫無法阻止服務讀取其他貨主的資料，或變更庫存異動帳。請使用兩個登入：擁有者設於 DATABASE_OWNER_URL，供 lading migrate 使用；另一個設於 DATABASE_URL',
  ],
  proxy_not_trusted: [
    'requests from {addresses} have the header X-Forwarded-For, which is ignored, because TRUSTED_PROXIES does not list this address. If it is your proxy, add it: {consequence}',
    '來自 {addresses} 的請求帶有 X-Forwarded-For 標頭，但 TRUSTED_PROXIES 未列出此位址，因此標頭被忽略。若這是您的代理伺服器，請將它加入：{consequence}',
  ],
  https_without_trusted_proxies: [
    'PUBLIC_URL is https, so a proxy in front of the service must decrypt TLS, but TRUSTED_PROXIES is empty. Set it to the address of the proxy: {consequence}',
    'PUBLIC_URL 是 https，表示前方有代理伺服器負責解密 TLS，但 TRUSTED_PROXIES 是空的。請設為代理伺服器的位址：{consequence}',
  ],
  callers_share_an_address: [
    'until then all callers behind the proxy count as one address when wrong passwords are limited, and the audit log shows the address of the proxy',
    '在此之前，代理後方的所有呼叫者在限制密碼錯誤次數時會被視為同一位址，操作紀錄也只會顯示代理的位址',
  ],
} as const;

export const weakness = messagesOf(weaknessTexts);
