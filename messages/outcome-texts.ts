import { messagesOf } from './message.ts';

/** How runs of jobs and waves ended. */
export const outcomeTexts = {
  secrets_forgotten: ['forgot {count} secrets whose overlap had ended', '清除了 {count} 組已過重疊期的密鑰'],
  secrets_judged: ['secrets that are weak by the present rules: {count}', '依現行規則強度不足的密鑰：{count}'],
  partitions_dropped: ['dropped {partitions}', '已移除 {partitions}'],
  nothing_dropped: ['nothing to drop', '沒有可移除的'],
  sessions_forgotten: [
    'forgot {count} sessions that ended more than {days} days ago',
    '清除了 {count} 筆結束超過 {days} 天的登入紀錄',
  ],
  token_key_made: [
    'made token key {kid}; forgot {count} that had ended',
    '產生了權杖金鑰 {kid}；清除了 {count} 把已失效的',
  ],
  token_key_kept: [
    'the token key in use is young enough; forgot {count} that had ended',
    '目前的權杖金鑰仍新；清除了 {count} 把已失效的',
  ],

  backed_up: [
    'made backup {name} ({mebibytes} MiB) and verified it; removed {removed} old ones',
    '已建立備份 {name}（{mebibytes} MiB）並完成驗證；移除 {removed} 份舊備份',
  ],
  backup_stopped: ['was stopped; the next node makes the backup', '中途停止；下一個節點會重新備份'],

  changes_settled: ['{count} unanswered changes refused', '{count} 項未回覆的變更視為拒絕'],
  forms_received: [
    'received {count} forms whose time had come; {left} could not be received',
    '已自動收貨 {count} 張到期單據；{left} 張無法收貨',
  ],
  planned_shipped: [
    'shipped {count} orders that could no longer be undone; {refused} could not be shipped',
    '已出貨 {count} 筆超過復原時間的訂單；{refused} 筆無法出貨',
  ],
  search_filled: ['added {count} documents and products to the search', '已將 {count} 筆單據與商品加入搜尋'],
  trends_counted: [
    'counted {count} hours of calls and {orders} orders',
    '已統計 {count} 個小時的呼叫與 {orders} 筆訂單',
  ],
  alerts_done: [
    'looked for {rules} rules: {made} new messages, {sent} sent, {unsent} not sent yet',
    '已檢查 {rules} 條規則：新訊息 {made} 則，已送出 {sent} 則，未送出 {unsent} 則',
  ],
  nothing_purged: ['nothing to purge', '沒有可清除的'],
  purged: ['purged {counts}', '清除了 {counts}'],
  purge_stopped: ['was stopped after it had purged {counts}', '中途停止，已清除 {counts}'],
  purge_counts: [
    '{orders} orders and {inbounds} inbound documents, with {movements} movements and {callbacks} callbacks',
    '{orders} 筆訂單與 {inbounds} 張進貨單，連同 {movements} 筆異動與 {callbacks} 筆回呼',
  ],
  purge_counts_and_units: ['{counts}; {units} units kept for newer documents', '{counts}；為較新的單據保留 {units} 件'],

  recipients_kept: ['RECIPIENT_RETENTION_DAYS is off', 'RECIPIENT_RETENTION_DAYS 未啟用'],
  nothing_erased: ['no recipient is past its retention', '沒有超過保存期限的收件人資料'],
  recipients_erased: ['erased {counts}', '已刪除 {counts}'],
  erasure_stopped: ['was stopped after it had erased {counts}', '中途停止，已刪除 {counts}'],
  erasure_counts: [
    'the recipients of {orders} orders, with {callbacks} callback bodies and {notes} notes',
    '{orders} 筆訂單的收件人資料，連同 {callbacks} 筆回呼內容與 {notes} 則備註',
  ],

  transferred: ['transferred {count}, rejected {rejected}', '已拋單 {count}，遭拒收 {rejected}'],
  transferred_but_blocked: [
    'transferred {count}, rejected {rejected}, blocked {blocked}',
    '已拋單 {count}，遭拒收 {rejected}，受阻 {blocked}',
  ],
  wave_interrupted: ['interrupted: {counts}', '中斷：{counts}'],
  wave_turn_over: ['turn over: {counts}', '輪到其他倉庫：{counts}'],
  wave_failed: ['failed: {why}', '失敗：{why}'],

  audit_clean: ['{audited}: the books match', '稽核 {audited}：帳目相符'],
  audit_findings: ['{count} findings in {audited}: {findings}', '稽核 {audited}，發現 {count} 項不符：{findings}'],
  audited_counts: [
    '{lots} lots, {orders} orders and {inbounds} inbound documents',
    '{lots} 個批次、{orders} 筆訂單與 {inbounds} 張進貨單',
  ],
  lot_absent: [
    'lot {lot} of {account} does not exist, but has movements',
    '{account} 的批次 {lot} 不存在，卻有異動紀錄',
  ],
  lot_differs: [
    'lot {lot} ({account}, sku {sku}, warehouse {warehouse}): {differences}',
    '批次 {lot}（{account}，SKU {sku}，倉庫 {warehouse}）：{differences}',
  ],
  on_hand_differs: ['on hand {shown}, by its movements {moved}', '在庫 {shown}，依異動應為 {moved}'],
  locked_differs: ['locked {shown}, by its movements {moved}', '鎖定 {shown}，依異動應為 {moved}'],
  lock_differs: [
    '{holder} of {account} holds {held} of sku {sku}, and should hold {owed}',
    '{account} 的{holder}鎖定 SKU {sku} {held} 件，應為 {owed} 件',
  ],
  held_by_no_order: ['no order', '無對應訂單者'],
  held_by_order: ['order {order} ({status})', '訂單 {order}（{status}）'],
  parcels_unbalanced: [
    'order {order} ({status}) of {account} has {packed} of sku {sku} in parcels and {shipped} shipped, {short} short and {unlocked} unlocked, of {ordered} ordered',
    '{account} 的訂單 {order}（{status}）SKU {sku}：包裹 {packed} 件、出貨 {shipped} 件、短出 {short} 件、解鎖 {unlocked} 件，訂購 {ordered} 件',
  ],
  delivery_differs: [
    'order {order} ({status}) of {account}: reason of the failed delivery: {reason}; expected returns: {returns}',
    '{account} 的訂單 {order}（{status}）：未送達原因：{reason}；預期退貨單 {returns} 張',
  ],
  no_reason: ['none', '無'],
  inbound_differs: [
    'inbound document {document} ({status}) of {account} has brought {received} of sku {sku}, and should have brought {right} (announced: {announced})',
    '{account} 的進貨單 {document}（{status}）已入庫 SKU {sku} {received} 件，應為 {right} 件（預告 {announced}）',
  ],
  move_differs: [
    'move {reference} of {account}: {departed} of sku {sku} have left, and {arrived} have arrived',
    '{account} 的調撥 {reference}：SKU {sku} 移出 {departed} 件，移入 {arrived} 件',
  ],
  reference_broken: [
    '{table} with {column} {id} of {account} refers to {target} {missing}, which does not exist',
    '{account} 的 {table}（{column} {id}）參照不存在的 {target} {missing}',
  ],
  does_not_exist: ['does not exist', '不存在'],
  from_to: ['{least} to {most}', '{least} 至 {most}'],
} as const;

export const outcome = messagesOf(outcomeTexts);
