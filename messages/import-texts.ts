import { messagesOf } from './message.ts';

/** The mistakes in a row of a file with products, inbound documents or orders. */
export const importTexts = {
  import_empty: ['there are no rows below the names of the columns', '欄位名稱下方沒有資料'],
  import_column_missing: [
    'the first line must name the columns, among them {columns}',
    '第一行須為欄位名稱，且包含 {columns}',
  ],
  import_column_unknown: [
    'there is no column {column}; the columns are {columns}',
    '沒有欄位 {column}；可用欄位：{columns}',
  ],
  import_column_twice: ['the column {column} is there twice', '欄位 {column} 重複'],
  import_too_many: ['there are more than {max} rows; split the file', '超過 {max} 列，請分成多個檔案'],
  import_too_many_rows: ['{name} has more than {max} rows', '{name} 超過 {max} 列'],
  import_open_quote: ['a quotation mark has no counterpart', '引號未成對'],
  import_more_fields: ['there are more fields than columns', '欄位數多於第一行'],
  import_missing: ['is missing', '未填寫'],
  import_sku_missing: ['sku_id is missing', '缺少 sku_id'],
  import_units: ['units must be a whole number from 1 to 1000000', '件數須為 1 到 1000000 的整數'],
  import_warehouse_no: ['warehouse_no must be the number of a warehouse', 'warehouse_no 須為倉庫編號'],
  import_shortened: [
    'a spreadsheet has shortened the number to {code}; format the column as text',
    '試算表把號碼縮成 {code}，請先將該欄設為文字格式',
  ],
  import_cell_error: ['the cell has the error {error}', '儲存格有錯誤 {error}'],
  import_not_a_number: ['must be a number', '須為數字'],
  import_lost_zero: ['lacks its leading 0; format the column as text', '缺少開頭的 0，請先將該欄設為文字格式'],
  import_quantity: ['must be a whole number of units, 1 or more', '須為 1 以上的整數'],
  import_arrival: [
    'must be a day or a time such as 2027-06-30 or 2027-06-30 14:00',
    '須為日期或時間，例如 2027-06-30 或 2027-06-30 14:00',
  ],
  import_one_of: ['must be one of: {values}', '須為下列之一：{values}'],
  import_carton_codes: [
    'must be codes with their units, such as 1471 (12), 2471 (24)',
    '須為條碼與箱入數，例如 1471 (12), 2471 (24)',
  ],
  import_nothing: ['there is neither a code nor a location', '沒有條碼，也沒有儲位'],
  import_units_alone: ['there are units without a code', '有件數，但沒有條碼'],
  import_half_location: ['warehouse_no and location belong together', 'warehouse_no 與 location 須一併填寫'],
  import_code_twice: [
    'line {line} has the code {code} too, with another product or other units',
    '條碼 {code} 在第 {line} 行已有不同的商品或件數',
  ],
  import_location_twice: [
    'line {line} has another location of {sku} in warehouse {warehouse}',
    '第 {line} 行已有 {sku} 在倉庫 {warehouse} 的另一個儲位',
  ],
  import_differs_from_row: ['row {row} of the same number has another value', '與同一單號第 {row} 列的值不同'],
  import_unknown_product: ['the account has no product {sku}', '貨主沒有商品 {sku}'],
  import_incomplete_product: [
    '{sku} is new: it needs a name and a storage type',
    '{sku} 是新商品，須填寫商品名稱與溫層',
  ],
  import_code_of_other: ['the code {code} belongs to {sku}', '{code} 已是 {sku} 的條碼'],
  import_unknown_warehouse: ['the account does not use warehouse {warehouse}', '貨主未使用倉庫 {warehouse}'],
  import_too_many_codes: ['{sku} would have more than {max} codes', '{sku} 的條碼會超過 {max} 個'],
  import_return_without_order: ['a return needs the number of the returned order', '退貨須填寫退貨原訂單'],
  import_order_without_return: ['only a return has a returned order', '僅退貨可填寫退貨原訂單'],
  import_differs: [
    'the number is there already with other content, which stays as it is',
    '此單號已存在且內容不同；原單據不會變更',
  ],
} as const;

export const importMistake = messagesOf(importTexts);
