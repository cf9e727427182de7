import { type Message, messagesOf } from './message.ts';

/** Parts of rejections, and rejections of the console's own calls. Those that partners receive are in `errors`. */
export const rejectionTexts = {
  at_field: ['{field} {problem}', '{field} {problem}'],
  at_body: ['the body {problem}', '請求內容{problem}'],
  several: ['{problems}', '{problems}'],
  and_more: ['{problems} (and {count} more)', '{problems}（另有 {count} 項）'],

  unknown_field: ['unknown field', '沒有這個欄位'],
  unknown_field_similar: ['unknown field; did you mean {similar}?', '沒有這個欄位，是否為 {similar}？'],
  whole_number_between: ['must be a whole number between {least} and {most}', '必須是 {least} 到 {most} 之間的整數'],
  not_of_form: ['must be {form}', '必須是：{form}'],
  /** Rules of the schema library that have no message of ours. */
  breaks_rule: ['{rule}', '{rule}'],
  too_many_in_all: ['must not have more than {limit} {field} in all', '{field} 合計不可超過 {limit} 筆'],
  url_not_plain: ['must be an http(s) URL without user name and password', '必須是不含使用者名稱與密碼的 http(s) 網址'],
  no_units: ['must have units, good or bad', '必須有良品或不良品的數量'],
  zero_units: ['must not be 0', '不可為 0'],
  cursor_of_other_list: [
    'is not of this search: same list, accounts, filters and sort',
    '不屬於這次搜尋：清單、貨主、篩選條件與排序必須相同',
  ],
  cursor_of_other_filters: ['is not of this search: same filters', '不屬於這次搜尋：篩選條件必須相同'],
  cursor_of_other_requests: ['is not of this search', '不屬於這次搜尋'],
  cursor_of_other_selection: ['is not of this selection', '不屬於這次選取'],
  cursor_of_other_lot: ['is not of this lot', '不屬於這個批次'],
  too_many_accounts: ['must name up to {max} accounts: there are {count}', '最多指定 {max} 個貨主：共有 {count} 個'],
  disabled_account: ['names {account}, which is disabled', '指定的 {account} 已停用'],
  unknown_account: ['names {account}, which does not exist', '指定的 {account} 不存在'],
  reason_without_fail: ['must only be given with the step fail', '僅能與步驟 fail 一併提供'],
  reason_not_return: ['must only be given for a return', '僅能用於退貨單'],
  reason_without_receipt: ['must only be given with receipt_no', '僅能與 receipt_no 一併提供'],
  order_twice: ['must not name an order twice', '同一筆訂單不可重複'],
  slot_per_order: ['must have one slot for each order', '每筆訂單必須各有一個格位'],
  not_in_this_list: ['is not offered by this list', '此清單不提供'],
  minutes_and_range: ['must not be given with from or to', '不可與 from 或 to 同時提供'],
  range_reversed: ['must be before to', '必須早於 to'],
  range_too_long: ['must be at most {days} days before to', '必須在 to 之前 {days} 天以內'],
  not_an_instant: ['is no instant', '不是有效的時間'],

  sdk_absent: ['the client library is not made yet: npm run sdk makes it', '用戶端函式庫尚未產生：請執行 npm run sdk'],

  sign_in_first: ['sign in first', '請先登入'],
  foreign_page: ['this is for pages of this service only', '僅供本服務的頁面使用'],
  wrong_csrf_token: ['the header {name} is not that of the session', '標頭 {name} 與目前的登入不符'],
  enrol_first: ['set up one-time codes first', '請先設定一次性驗證碼'],
  role_missing: ['this needs the role {needed}; {username} has {role}', '需要 {needed} 權限；{username} 為 {role}'],
  no_such_callback: ['there is no such callback', '沒有這筆回呼'],
  no_such_order: ['there is no such order', '沒有這筆訂單'],
  no_such_batch: ['there is no such pick batch', '沒有這個揀貨批次'],
  code_or_line: ['must be given unless line is', '未提供 line 時必須提供'],
  no_such_inbound: ['there is no such inbound document', '沒有這張進貨單'],
  no_such_receiver: ['there is no such receiver', '沒有這個接收端'],
  no_such_lot: ['there is no such lot', '沒有這個批次'],
  no_such_product: ['there is no such product', '沒有這項商品'],
  no_such_count: ['there is no such stock count', '沒有這張盤點單'],
  only_with_scope: ['must be given with the scope {scope}, and only then', '僅能（且必須）與範圍 {scope} 一併提供'],
  other_warehouse: ['{username} may not work in warehouse {warehouse}', '{username} 沒有倉庫 {warehouse} 的權限'],
  all_warehouses_needed: [
    'this shows or changes all warehouses; {username} is restricted to some',
    '此功能涉及所有倉庫；{username} 僅限部分倉庫',
  ],
  view_of_other: [
    '{username} may not change a view of {owner}; administrators may',
    '{username} 不能變更 {owner} 的檢視；管理員可以',
  ],
  no_such_account: ['there is no such account', '沒有這個貨主'],
} as const;

export const rejection = messagesOf(rejectionTexts);

export function atField(field: string, problem: Message): Message {
  return rejection('at_field', { field, problem });
}

/** The problems, and how many more there are. */
export function listProblems(problems: Message[], more: number): Message {
  if (more > 0) return rejection('and_more', { problems, count: more });
  return problems.length === 1 ? problems[0]! : rejection('several', { problems });
}
