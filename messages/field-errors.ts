/** Fields that break a rule. The path of the field precedes the message. */
export const fieldErrors = {
  field_missing: {
    message: ['is missing', '未提供'],
    cause: ['The field is not in the body, or its name is misspelled.', '請求內容中沒有此欄位，或拼法不同。'],
    fix: ['Send the field; names are case-sensitive.', '請提供；名稱須完全相符，區分大小寫。'],
  },
  not_string: {
    message: ['must be string', '必須是字串'],
    cause: ['The value is a number, an array, `null` or another type.', '它是數字、清單、`null` 或其他型別。'],
    fix: ['Send a quoted string: `"1001"`, not `1001`.', '請送加引號的文字：`"1001"`，不是 `1001`。'],
  },
  not_integer: {
    message: ['must be integer', '必須是整數'],
    cause: ['The value is a string, or has decimals.', '它是文字，或帶有小數。'],
    fix: ['Send an integer without quotes: `3`, not `"3"`.', '請送不加引號的整數：`3`，不是 `"3"`。'],
  },
  not_number: {
    message: ['must be number', '必須是數字'],
    cause: ['The value is a string or another type.', '它是文字或其他型別。'],
    fix: ['Send a number without quotes.', '請送不加引號的數字。'],
  },
  not_boolean: {
    message: ['must be boolean', '必須是布林值'],
    cause: ['The value is a string, a number or another type.', '它是文字、數字或其他型別。'],
    fix: ['Send `true` or `false` without quotes.', '請送不加引號的 `true` 或 `false`。'],
  },
  not_object: {
    message: ['must be object', '必須是物件'],
    cause: ['The value is an array, a string or another type.', '它是清單、文字或其他型別。'],
    fix: ['Send an object: `{...}`.', '請送物件：`{...}`。'],
  },
  not_array: {
    message: ['must be array', '必須是陣列'],
    cause: ['The value is not an array.', '它是單一的值。'],
    fix: ['Send an array: `[...]`, even for a single entry.', '請送清單：`[...]`，即使只有一項。'],
  },
  not_null: {
    message: ['must be null', '必須是 null'],
    cause: ['Only `null` is allowed here.', '這裡只能是 `null`。'],
    fix: ['Send `null`, or omit the field.', '請送 `null`，或省略此欄位。'],
  },
  not_one_of: {
    message: ['must be one of {values}', '必須是下列之一：{values}'],
    cause: ['The value is not one of the listed values.', '值不在所列的選項中。'],
    fix: [
      'Send one of the listed values exactly; send numbers without quotes.',
      '請送其中之一，須完全相符；數字不加引號。',
    ],
  },
  below_minimum: {
    message: ['must be >= {limit}', '必須大於或等於 {limit}'],
    cause: ['The number is too small.', '數字太小。'],
    fix: ['Send a number in the range; omit lines with 0 units.', '請送範圍內的數字；若數量為 0，請省略該明細。'],
  },
  above_maximum: {
    message: ['must be <= {limit}', '必須小於或等於 {limit}'],
    cause: ['The number is too large.', '數字太大。'],
    fix: ['Send a number in the range; check its unit.', '請送範圍內的數字，並檢查單位。'],
  },
  too_few_items: {
    message: ['must not have fewer than {limit} items', '不可少於 {limit} 項'],
    cause: ['The list is empty.', '清單是空的。'],
    fix: [
      'Send at least that many entries; if there are none, do not send the request.',
      '請至少送這麼多項；沒有資料時請不要呼叫。',
    ],
  },
  too_many_items: {
    message: ['must not have more than {limit} items', '不可超過 {limit} 項'],
    cause: ['The list is too long.', '清單太長。'],
    fix: ['Split it over several requests.', '請分成多次呼叫。'],
  },
  too_many_characters: {
    message: ['must not have more than {limit} characters', '不可超過 {limit} 個字元'],
    cause: ['The text is too long.', '文字太長。'],
    fix: ['Shorten it.', '請縮短。'],
  },
  not_credential: {
    message: ['must be 1-{limit} characters', '必須是 1–{limit} 個字元'],
    cause: ['The value is empty or too long.', '它是空的或太長。'],
    fix: ['Send it exactly as the operator gave it to you.', '請依營運方提供的內容原樣送出。'],
  },
  not_identifier: {
    message: [
      'must be 1-{limit} characters, without control, zero-width or bidirectional characters and without white space at either end',
      '必須是 1–{limit} 個字元，不含控制字元、零寬字元或雙向控制字元，頭尾不可有空白',
    ],
    cause: [
      'Identifiers are compared exactly. This one is empty, too long, contains an invisible character, or has leading or trailing white space.',
      '這是識別碼，須完全相符。它是空的、太長、含有看不見的字元，或前後有空白。',
    ],
    fix: [
      'Trim it, and shorten it to the limit, which counts characters, not bytes.',
      '請去除頭尾空白並縮短至長度上限；以字元計算，不是位元組。',
    ],
  },
  not_identifier_or_empty: {
    message: [
      'must be at most {limit} characters, without control, zero-width or bidirectional characters and without white space at either end',
      '最多 {limit} 個字元，不含控制字元、零寬字元或雙向控制字元，頭尾不可有空白',
    ],
    cause: [
      'This identifier may be empty, but it is too long, contains an invisible character, or has leading or trailing white space.',
      '這是識別碼，可以為空。它太長、含有看不見的字元，或前後有空白。',
    ],
    fix: [
      'Trim it, and shorten it to the limit, which counts characters, not bytes.',
      '請去除頭尾空白並縮短至長度上限；以字元計算，不是位元組。',
    ],
  },
  not_title: {
    message: [
      'must be 1-{limit} characters, not blank, without control characters other than line breaks and tabs, which become spaces',
      '必須是 1–{limit} 個字元，不可全為空白，除換行與定位字元（會轉為空白）外不含控制字元',
    ],
    cause: [
      'The value is empty, blank or too long, or contains a control character.',
      '它是空的、太長、含有控制字元，或只有空白。',
    ],
    fix: ['Remove control characters; shorten it.', '請移除控制字元並縮短。'],
  },
  not_free_text: {
    message: [
      'must be at most {limit} characters, without control characters other than line breaks and tabs, which become spaces',
      '最多 {limit} 個字元，除換行與定位字元（會轉為空白）外不含控制字元',
    ],
    cause: ['The value is too long, or contains a control character.', '它太長，或含有控制字元。'],
    fix: ['Remove control characters; shorten it.', '請移除控制字元並縮短。'],
  },
  not_note: {
    message: [
      'must be at most {limit} characters, without control characters other than line breaks and tabs',
      '最多 {limit} 個字元，除換行與定位字元外不含控制字元',
    ],
    cause: ['The value is too long, or contains a control character.', '它太長，或含有控制字元。'],
    fix: ['Remove control characters; shorten it.', '請移除控制字元並縮短。'],
  },
  not_date: {
    message: ['must be a date, YYYY-MM-DD', '必須是 YYYY-MM-DD 格式的日期'],
    cause: [
      'The value is not a calendar date in this format, such as `2027-02-30` or `2027/02/28`, or it includes a time.',
      '不是此格式的有效日期：例如 `2027-02-30`、`2027/02/28`，或帶有時間。',
    ],
    fix: [
      'Use the format `2027-02-28`; omit `expire_date` for goods that do not expire.',
      '請送 `2027-02-28` 這種格式；沒有效期的商品不必送 `expire_date`。',
    ],
  },
  not_instant: {
    message: [
      'must be a time as in RFC 3339, with its offset and at most 6 decimals',
      '必須是 RFC 3339 格式的時間，含時區位移，小數最多 6 位',
    ],
    cause: [
      'The value is not a time in this format; often the offset is missing.',
      '不是此格式的時間；常見的是缺少時區位移。',
    ],
    fix: ['Use the format `2026-11-15T09:30:00+08:00`.', '請送 `2026-11-15T09:30:00+08:00` 這種格式。'],
  },
  not_instant_or_date: {
    message: [
      'must be a date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset',
      '必須是日期（YYYY-MM-DD，以臺北時間計）或 RFC 3339 格式的時間（含時區位移）',
    ],
    cause: [
      'The value is neither a calendar date nor a time in this format; often the offset is missing.',
      '不是有效日期，也不是此格式的時間；常見的是缺少時區位移。',
    ],
    fix: [
      'Use the format `2026-11-15` or `2026-11-15T09:30:00+08:00`.',
      '請送 `2026-11-15` 或 `2026-11-15T09:30:00+08:00` 這種格式。',
    ],
  },
  not_digits: {
    message: ['must be 1-{limit} digits', '必須是 1-{limit} 位數字'],
    cause: [
      'The value has spaces, hyphens or other characters, or is a number without quotes.',
      '含有空白、連字號或其他字元，或是未加引號的數字。',
    ],
    fix: [
      'Send only the digits as text, such as `"0900000000"`, or the last four.',
      '請以文字只送數字，例如 `"0900000000"`，或最後四碼。',
    ],
  },
  not_true_or_false: {
    message: ['must be true or false', '必須是 true 或 false'],
    cause: ['The value is a string or a number.', '值是文字或數字。'],
    fix: ['Send `true` or `false` without quotes.', '請送不加引號的 `true` 或 `false`。'],
  },
  not_web_address: {
    message: ['must be an absolute http(s) URL', '必須是完整的 http(s) 網址'],
    cause: [
      'The value is not a complete URL with a scheme, or it contains spaces.',
      '不是含協定的完整網址，或帶有空白。',
    ],
    fix: ['Use the format `https://host/path`.', '請送 `https://host/path` 這種格式。'],
  },
  not_uuid: {
    message: ['must be a UUID in lower case', '必須是小寫的 UUID'],
    cause: ['The value is not an event ID.', '不是事件編號。'],
    fix: ['Send `event_id` exactly as you received it.', '請原樣送出 `event_id`。'],
  },
  qty_not_sum: {
    message: ['must equal the sum of the qty of its expires', '必須等於其 expires 中 qty 的總和'],
    cause: ['The `qty` of a detail differs from the sum of its `expires`.', '明細的 `qty` 與其 `expires` 的總和不符。'],
    fix: ['Omit `qty`, or send the sum.', '請省略 `qty`，或送出總和。'],
  },
  too_many_expires: {
    message: ['must not have more than {limit} expires in all', 'expires 合計不可超過 {limit} 筆'],
    cause: [
      'The details have more `expires` in total than one document allows.',
      '所有明細的 `expires` 合計超過一張單據的上限。',
    ],
    fix: ['Split the document; give each part its own number.', '請拆成多張單據，各用自己的編號。'],
  },
  label_too_large: {
    message: ['must be at most 64 KiB of JSON', 'JSON 不可超過 64 KiB'],
    cause: ['`store_pickup_label_data` is too large.', '`store_pickup_label_data` 太大。'],
    fix: ['Send only the data that the label needs, and no images.', '只送標籤所需的資料，不要送圖片。'],
  },
  url_not_http: {
    message: ['must be an http(s) URL', '必須是 http(s) 網址'],
    cause: ['The URL has another scheme.', '網址使用了其他協定。'],
    fix: ['Use http or https.', '請使用 http 或 https。'],
  },
  url_with_credentials: {
    message: ['must not contain a user name or a password', '不可包含使用者名稱或密碼'],
    cause: ['The URL contains credentials, such as `user:password@`.', '網址中有 `user:password@` 之類的內容。'],
    fix: ['Remove them; verify our signature instead.', '請移除；改以驗證本系統的簽章。'],
  },
  url_port_zero: {
    message: ['must not use port 0', '不可使用連接埠 0'],
    cause: ['No server can listen on port 0.', '連接埠 0 無法接收。'],
    fix: ['Use the port of your receiver.', '請指定接收端的連接埠。'],
  },
  url_private: {
    message: ['must not point to a private or reserved address', '不可指向私有或保留位址'],
    cause: [
      'The address is not on the public internet; `localhost` refers to our server, not to yours.',
      '此位址不在公開網際網路上；`localhost` 是本系統的主機，不是您的。',
    ],
    fix: [
      'Use a public address, or ask the operator to allow your network (`CALLBACK_ALLOW_CIDRS`).',
      '請使用公開位址，或請營運方允許您的網段（`CALLBACK_ALLOW_CIDRS`）。',
    ],
  },
  no_orders_named: {
    message: ['is missing; or name orders by internal_names', '未提供；或以 internal_names 指定訂單'],
    cause: ['The request contains neither of the two lists.', '兩個清單都沒有提供。'],
    fix: [
      'Send `outbound_short_ids`, `internal_names`, or both.',
      '請送 `outbound_short_ids`、`internal_names`，或兩者。',
    ],
  },
  no_documents_named: {
    message: ['is missing; or name documents by form_nos', '未提供；或以 form_nos 指定單據'],
    cause: ['The request contains neither of the two lists.', '兩個清單都沒有提供。'],
    fix: ['Send `inbound_short_ids`, `form_nos`, or both.', '請送 `inbound_short_ids`、`form_nos`，或兩者。'],
  },
  no_document_named: {
    message: ['is missing; or name the document by form_no', '未提供；或以 form_no 指定單據'],
    cause: ['The request does not name a document.', '沒有指定單據。'],
    fix: ['Send `inbound_short_id` or `form_no`.', '請送 `inbound_short_id` 或 `form_no`。'],
  },
  two_documents_named: {
    message: ['must not stand beside inbound_short_id', '不可與 inbound_short_id 同時提供'],
    cause: ['The request names two documents.', '指定了兩張單據。'],
    fix: ['Send either `inbound_short_id` or `form_no`, not both.', '`inbound_short_id` 與 `form_no` 請擇一。'],
  },
  nothing_received: {
    message: ['must not be empty, unless final is true', '不可為空，除非 final 為 true'],
    cause: ['The report contains no goods.', '沒有回報任何到貨。'],
    fix: [
      'Send the goods that arrived, or `final: true` if no more will arrive.',
      '請送出到貨內容；若不會再有到貨，請送 `final: true`。',
    ],
  },
  no_order_named: {
    message: ['is missing, or internal_name', '未提供，也沒有 internal_name'],
    cause: ['A report does not name an order.', '有一筆回報沒有指定訂單。'],
    fix: ['Send `outbound_short_id` or `internal_name`.', '請送 `outbound_short_id` 或 `internal_name`。'],
  },
  no_change_given: {
    message: ['is missing; send at least one field to change', '未提供；請至少送出一個要變更的欄位'],
    cause: ['An entry names an order but no field to change.', '有一筆指定了訂單，但沒有要變更的欄位。'],
    fix: [
      'Send at least one field to change. A field that is `null` or empty stays as it is.',
      '請至少提供一個要變更的欄位；`null` 或空值表示不變。',
    ],
  },
  two_orders_named: {
    message: ['must not be given as well', '不可同時提供'],
    cause: ['A report names two orders.', '有一筆回報指定了兩筆訂單。'],
    fix: [
      'Send either `outbound_short_id` or `internal_name`, not both.',
      '`outbound_short_id` 與 `internal_name` 請擇一。',
    ],
  },
  not_a_filter: {
    message: ['is not a filter of this list; there are {filters}', '不是此清單的篩選條件，可用的有 {filters}'],
    cause: [
      'This list has no such filter, or the field name lacks the prefix of the list.',
      '此清單不能用該欄位搜尋，或欄位缺少清單的前綴。',
    ],
    fix: ['Use one of the listed filters, such as `orders.status`.', '請使用所列的篩選條件，例如 `orders.status`。'],
  },
  too_many_filter_values: {
    message: ['must have 1 to {limit} values', '必須有 1 到 {limit} 個值'],
    cause: ['The array of values is empty or too long.', '值的清單是空的或太長。'],
    fix: ['Split the search over several requests.', '請分成多次查詢。'],
  },
  not_filter_value: {
    message: ['must be a value, or a list of values', '必須是一個值或一組值'],
    cause: ['This field supports exact matches only.', '此欄位只能以完整的值搜尋。'],
    fix: ['Send the value itself, or an array of values, without an operator.', '請直接送出值或一組值，不要加運算子。'],
  },
  no_operator: {
    message: ['must name an operator: {operators}', '必須指定運算子：{operators}'],
    cause: ['The filter is an empty object.', '篩選條件的物件是空的。'],
    fix: ['Use one of the listed operators, such as `{"gte": ...}`.', '請使用所列的其中之一，例如 `{"gte": ...}`。'],
  },
  not_an_operator: {
    message: [
      'is not an operator of this filter; there are {operators}',
      '不是此篩選條件的運算子，可用的有 {operators}',
    ],
    cause: ['The field does not support this operator.', '此欄位不能這樣比較。'],
    fix: ['Use one of the listed operators.', '請使用所列的其中之一。'],
  },
  not_sort: {
    message: [
      'must be a field, or "-" and a field; there are {fields}',
      '必須是欄位名稱，或在前面加上「-」，可用的有 {fields}',
    ],
    cause: ['`sort` is not a string.', '`sort` 不是文字。'],
    fix: ['Use one of the listed fields, such as `"-created_at"`.', '請使用所列的其中之一，例如 `"-created_at"`。'],
  },
  not_a_sort_key: {
    message: [
      '{key} is not a sort key of this list; there are {fields}',
      '{key} 不是此清單的排序欄位，可用的有 {fields}',
    ],
    cause: ['The list cannot be sorted by that field.', '此清單不能依該欄位排序。'],
    fix: [
      'Use one of the listed fields; put `-` before it for descending order.',
      '請使用所列的其中之一；前面加 `-` 表示遞減排序。',
    ],
  },
  not_page_size: {
    message: ['must be a whole number from 1 to {limit}', '必須是 1 到 {limit} 的整數'],
    cause: ['The page size is too large, or is not a number.', '每頁筆數太大，或不是數字。'],
    fix: ['Request at most 500 rows, and continue with `next_cursor`.', '每頁最多 500 筆，再以 `next_cursor` 繼續。'],
  },
  not_cursor: {
    message: [
      'must be the next_cursor of an earlier answer; leave it out for the first page',
      '必須是先前回應中的 next_cursor；第一頁請省略',
    ],
    cause: ['The cursor is empty, `null`, too long or not a string.', '游標是空的、`null`、太長或不是文字。'],
    fix: [
      'Omit `cursor` for the first page; then send `next_cursor` exactly as you received it.',
      '第一頁請省略 `cursor`，之後原樣送出 `next_cursor`。',
    ],
  },
  cursor_of_other_search: {
    message: ['is not of this search: same list, filters and sort', '不屬於這次搜尋：清單、篩選條件與排序必須相同'],
    cause: ['The cursor belongs to another search, or is not a cursor.', '游標來自其他搜尋，或根本不是游標。'],
    fix: [
      'Send the same filters and the same `sort` for every page, or start over without a cursor.',
      '每一頁請送相同的篩選條件與 `sort`，或不帶游標重新開始。',
    ],
  },
  for_searching_only: {
    message: ['is for searching only', '僅供搜尋使用'],
    cause: ['A redelivery is not paged.', '重送沒有分頁。'],
    fix: ['Omit `page_size`, `cursor`, `sort` and `total`.', '請省略 `page_size`、`cursor`、`sort` 與 `total`。'],
  },
  no_operator_value: {
    message: ['must have a value; omit it to select more callbacks', '必須有值；若要選取更多回呼請省略'],
    cause: [
      'An operator of a filter is `null` or empty. A search ignores it, but a redelivery would send more callbacks than intended.',
      '篩選條件的運算子是 `null` 或空字串。搜尋會忽略它，但重送可能因此送出非預期的回呼。',
    ],
    fix: ['Send a value, or omit the operator.', '請送出值，或省略該運算子。'],
  },
  no_callbacks_named: {
    message: ['is missing; or say by filters which', '未提供；或以篩選條件指定'],
    cause: ['The request does not say which callbacks to redeliver.', '沒有指定要重送哪些回呼。'],
    fix: [
      'Send `event_ids`, or filters such as `{"callbacks.status": "failed"}`.',
      '請送 `event_ids`，或篩選條件，例如 `{"callbacks.status": "failed"}`。',
    ],
  },
  callbacks_named_twice: {
    message: ['must not be given together with filters', '不可與篩選條件同時提供'],
    cause: ['The request contains both `event_ids` and filters.', '同時有 `event_ids` 與篩選條件。'],
    fix: ['Send either one, not both.', '請擇一。'],
  },
  delta_and_counted: {
    message: ['must not be given together with delta', '不可與 delta 同時提供'],
    cause: ['A line has both `delta` and `counted`.', '有一行同時有 `delta` 與 `counted`。'],
    fix: ['Send either one, not both.', '請擇一。'],
  },
  no_units_given: {
    message: ['is missing; send delta or counted', '未提供；請送出 delta 或 counted'],
    cause: ['A line has neither `delta` nor `counted`.', '有一行沒有 `delta` 也沒有 `counted`。'],
    fix: [
      'Send `delta` for units to add or remove, or `counted` for all units that are on hand.',
      '增減數量請送 `delta`，盤點後的在庫總數請送 `counted`。',
    ],
  },
  product_unknown: {
    message: ['is not a product of your account', '不是您的商品'],
    cause: ['The product has not been synced in this account.', '商品尚未在此貨主同步。'],
    fix: [
      'Sync the product with `product/sync`, then send the same request again.',
      '請先以 `product/sync` 同步，再重新送出。',
    ],
  },
  warehouse_unknown: {
    message: ['is not a warehouse of your account', '不是您使用的倉庫'],
    cause: [
      'Your account has neither a tenant nor a logistics key in this warehouse, so its stock there could never be ordered.',
      '您在此倉庫沒有租戶或物流金鑰，放在那裡的庫存無法被訂購。',
    ],
    fix: [
      'Use the number of one of your warehouses, or ask the operator for a tenant there.',
      '請使用您的倉庫編號，或請營運方建立租戶。',
    ],
  },
  lot_unknown: {
    message: ['names a lot that does not exist, so it has no units to remove', '指定的批次不存在，沒有可減少的數量'],
    cause: [
      'There is no lot with this warehouse, product, `stock_type`, `batch_id` and `expire_date`.',
      '沒有這個倉庫、商品、`stock_type`、`batch_id` 與 `expire_date` 的批次。',
    ],
    fix: ['Name the lot as `getStocksData/searchList` lists it.', '請依 `getStocksData/searchList` 列出的批次填寫。'],
  },
  units_not_free: {
    message: [
      'would remove {units} units, but only {free} are free and {locked} are locked by orders',
      '將減少 {units} 件，但可用量只有 {free}，另有 {locked} 件已被訂單鎖定',
    ],
    cause: [
      'The lot has fewer free units than the line removes. Units that orders have locked cannot be removed or moved.',
      '批次的可用量少於要減少的數量。已被訂單鎖定的數量不能減少或調撥。',
    ],
    fix: [
      'Cancel the orders that hold the units first, or remove fewer units. Nothing in this request was changed.',
      '請先取消鎖定這些數量的訂單，或減少數量。這次請求沒有任何變更。',
    ],
  },
  counted_below_locked: {
    message: ['is less than the {locked} units that orders have locked', '少於訂單已鎖定的 {locked} 件'],
    cause: [
      '`counted` includes units that orders have locked, and fewer units were counted than that.',
      '`counted` 包含已被訂單鎖定的數量，而盤點的數量比鎖定的還少。',
    ],
    fix: [
      'Count again, and report shipped orders first; then cancel orders whose units are missing. Nothing in this request was changed.',
      '請重新盤點，並先回報已出貨的訂單；再取消缺貨的訂單。這次請求沒有任何變更。',
    ],
  },
  lot_would_overflow: {
    message: ['would bring the lot to more than {max} units', '會使批次超過 {max} 件'],
    cause: ['A single lot would exceed the maximum number of units.', '單一批次的數量將超過可計算的上限。'],
    fix: ['Check the quantities and their unit.', '請檢查數量及其單位。'],
  },
  listed_twice: {
    message: ['is listed twice', '重複列出'],
    cause: [
      'Two entries of the request have the same value, so it is not clear which of them counts.',
      '請求中有兩筆相同的值，無法判斷以哪一筆為準。',
    ],
    fix: ['Send it once.', '請只送一次。'],
  },
  code_of_other: {
    message: ['belongs to another product', '已屬於其他商品'],
    cause: [
      'Within an account, a code belongs to one product, because a scan must not be ambiguous.',
      '同一貨主的條碼只能屬於一項商品，否則掃描時無法判斷。',
    ],
    fix: [
      'Remove the code from the other product, in an earlier request or in the same one.',
      '請先從另一項商品移除此條碼，或在同一請求中一併移除。',
    ],
  },
  lot_counted_twice: {
    message: [
      'names a lot that an earlier line names too, and one of the two is a count',
      '與前面的一行指定了同一個批次，而其中一行是盤點數量',
    ],
    cause: [
      'A count is the total of its lot, so another line for the same lot contradicts it or is already part of it.',
      '盤點數量是批次的總數，同一批次的其他行會與它矛盾或已包含在內。',
    ],
    fix: ['Add up the counts of a lot and send one line for it.', '請把同一批次的盤點數量加總後，只送一行。'],
  },
  same_warehouse: {
    message: ['must be another warehouse than from_warehouse_no', '必須與 from_warehouse_no 不同'],
    cause: ['The units would not move.', '貨品不會移動。'],
    fix: ['Send the warehouse that the units go to.', '請填貨品要移入的倉庫。'],
  },
  document_not_found: {
    message: ['not found', '不存在'],
    cause: ['Your account has no document with that number.', '您沒有這個編號的單據。'],
    fix: [
      'Send the document first. Documents of the warehouse API are identified by `inbound_short_id`, those of the logistics webhook by `form_no`.',
      '請先送出單據。倉儲 API 的編號是 `inbound_short_id`，物流 Webhook 的是 `form_no`。',
    ],
  },
  cannot_stop: {
    message: ['is {status} already; receiving cannot be stopped', '已是 {status}，無法終止收貨'],
    cause: [
      'The document is already received or cancelled, so there is nothing left to stop.',
      '單據已收貨或已取消，沒有可終止的內容。',
    ],
    fix: ['No action is needed.', '不需要處理。'],
  },
  cannot_receive: {
    message: ['is {status} already; nothing more can be received', '已是 {status}，無法再收貨'],
    cause: [
      'The document is already received, stopped or cancelled. Documents of a UAT account are received on creation.',
      '單據已收貨、終止或取消；UAT 貨主的單據在建立時即視為已收貨。',
    ],
    fix: ['Announce further goods in a new document.', '其他到貨請以新單據預告。'],
  },
  too_many_portions: {
    message: [
      'has come in {portions} portions already; say final, or stop it',
      '已分 {portions} 次到貨；請設定 final，或終止收貨',
    ],
    cause: [
      'Each request that records goods is a portion, and the number of portions per document is limited.',
      '每次計入的呼叫算一次到貨，一張單據的次數有上限。',
    ],
    fix: [
      'Report more units per request; close the document with `final: true` or `inbounds/stop`.',
      '每次呼叫請回報更多數量；以 `final: true` 或 `inbounds/stop` 結束單據。',
    ],
  },
} as const;
