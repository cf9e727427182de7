import type { Texts } from './message.ts';

/** The conditions of the home page when they need attention. Alerts have the same texts. */
export const attentionTexts = {
  callbacks_failed: ['Callbacks that failed permanently, last 7 days', '回呼最終失敗（最近 7 天）'],
  receivers_down: ['Receivers that reject callbacks or do not respond', '接收端沒有回應或拒收回呼'],
  receivers_paused: ['Paused receivers with callbacks waiting', '已暫停的接收端有待送回呼'],
  orders_awaiting_stock: ['Orders waiting for stock', '訂單待補貨'],
  transfers_rejected: ['Orders rejected by their warehouse', '訂單遭倉庫拒收'],
  waves_failing: ['Warehouses whose transfer waves fail', '倉庫拋單失敗'],
  lots_expired: ['Expired lots with good units on hand', '已過期批次仍有良品庫存'],
  lots_expiring: ['Lots that expire within 30 days', '批次 30 天內到期'],
  stock_audit: ['Findings of the stock audit', '庫存稽核不符'],
  signatures_failing: ['Accounts with invalid signatures, last hour', '貨主簽章驗證失敗（最近一小時）'],
  tokens_failing: ['Clients denied a token, last hour', '用戶端無法取得權杖（最近一小時）'],
  jobs_failed: ['Jobs whose last run failed', '排程工作上次執行失敗'],
  backup_late: ['The last verified backup is older than twice its schedule', '最近一份已驗證的備份早於兩個備份週期'],
  nodes_silent: ['Nodes that stopped reporting', '節點失去回應'],
  alerts_failing: ['Alert channels that do not work', '警示通知無法送出'],
} as const satisfies Texts;
