import { exportColumnTitles as titles } from './export-texts.ts';

/** A column of a file that can be imported. */
export interface ImportColumn {
  /** The name of the field in the APIs. */
  name: string;
  /** In English and Chinese. Exported files have the same titles. */
  title: readonly [english: string, chinese: string];
  /** Other titles under which the column is known. */
  others?: readonly string[];
  isRequired?: true;
  meaning: readonly [english: string, chinese: string];
  /** One value for each example row of the template. */
  examples: readonly [string, string];
}

const sku = {
  name: 'sku_id',
  title: titles.sku,
  others: ['商品編號', '品號', '貨號'],
  isRequired: true,
} as const;
const quantity = {
  name: 'qty',
  title: titles.quantity,
  isRequired: true,
  meaning: ['Units: a whole number, 1 or more', '件數：1 以上的整數'],
} as const;

const products: readonly ImportColumn[] = [
  { ...sku, meaning: ['The product. A row for each of its codes', '商品；每個條碼一列'], examples: ['TEA-1', 'TEA-1'] },
  {
    name: 'name',
    title: titles.productName,
    others: ['sku_name', '品名', '商品名稱'],
    meaning: ['Name of the product; needed for a new one', '商品名稱；新商品必填'],
    examples: ['高山烏龍茶 150 g', ''],
  },
  {
    name: 'storage_type',
    title: titles.storage,
    meaning: [
      'Ambient, Air-conditioned, Frozen or Chilled (常溫、空調、冷凍、冷藏); needed for a new product',
      '常溫、空調、冷凍或冷藏（ambient、air_conditioned、frozen、chilled）；新商品必填',
    ],
    examples: ['Ambient', ''],
  },
  {
    name: 'code',
    title: titles.codes,
    others: ['barcode', 'EAN', '國際條碼'],
    meaning: [
      'EAN or carton code, as text. Several with the same units: separated by a comma and a space',
      '商品條碼或箱條碼（文字格式）；件數相同的多個條碼以逗號加空格分隔',
    ],
    examples: ['0471000000001', '10471000000008'],
  },
  {
    name: 'units',
    title: ['Units per code', '箱入數'],
    others: ['件數', 'units'],
    meaning: ['How many units one scan of the code means; 1 if empty', '刷一次條碼代表幾件；留空為 1'],
    examples: ['1', '12'],
  },
  {
    name: 'carton_codes',
    title: titles.cartonCodes,
    meaning: [
      'Carton codes with their units, as exports write them: 1471 (12), 2471 (24)',
      '箱條碼與箱入數，格式同匯出檔：1471 (12), 2471 (24)',
    ],
    examples: ['', ''],
  },
  {
    name: 'warehouse_no',
    title: titles.warehouse,
    meaning: ['Number of the warehouse of the location', '儲位所在的倉庫編號'],
    examples: ['1', ''],
  },
  {
    name: 'location',
    title: titles.locations,
    others: ['location'],
    meaning: [
      'Location in that warehouse. Without a warehouse, as exports write it: 1: A-02-13, 2: B-10-1',
      '該倉庫的儲位；未填倉庫時，格式同匯出檔：1: A-02-13, 2: B-10-1',
    ],
    examples: ['A-02-13', ''],
  },
  { name: 'length', title: titles.length, meaning: ['Centimetres', '公分'], examples: ['10', ''] },
  { name: 'width', title: titles.width, meaning: ['Centimetres', '公分'], examples: ['8', ''] },
  { name: 'height', title: titles.height, meaning: ['Centimetres', '公分'], examples: ['20.5', ''] },
  { name: 'weight', title: titles.weight, meaning: ['Kilograms', '公斤'], examples: ['0.2', ''] },
];

const inbound: readonly ImportColumn[] = [
  {
    name: 'inbound_short_id',
    title: titles.number,
    others: ['進貨單號', 'inbound number'],
    isRequired: true,
    meaning: ['Your number for the document. Its lines share it', '進貨單號；同一單的各品項填相同單號'],
    examples: ['PO-00017', 'PO-00017'],
  },
  {
    name: 'kind',
    title: titles.kind,
    meaning: ['Inbound or Return (進貨、退貨); Inbound if empty', '進貨或退貨（Inbound、Return）；留空為進貨'],
    examples: ['Inbound', ''],
  },
  {
    name: 'outbound_short_id',
    title: titles.originalOrder,
    meaning: ['Only for a return: the number of the returned order', '僅退貨填寫：退貨的原訂單單號'],
    examples: ['', ''],
  },
  {
    name: 'estimated_arrival_time',
    title: titles.arrival,
    meaning: [
      'Day or time of arrival: 2027-06-30 or 2027-06-30 14:00',
      '預計到貨日或時間：2027-06-30 或 2027-06-30 14:00',
    ],
    examples: ['2027-06-30', ''],
  },
  { ...sku, meaning: ['A registered product', '已建立的商品'], examples: ['TEA-1', 'CUP-9'] },
  { ...quantity, examples: ['120', '48'] },
  {
    name: 'expire_date',
    title: titles.expiry,
    others: ['有效日期', '到期日'],
    meaning: ['2027-06-30; empty if the units do not expire', '2027-06-30；沒有效期則留空'],
    examples: ['2028-12-31', ''],
  },
  {
    name: 'batch',
    title: titles.batch,
    others: ['batch_id'],
    meaning: ['Batch of the units, if there is one', '批號；沒有則留空'],
    examples: ['L-0312', ''],
  },
];

const orders: readonly ImportColumn[] = [
  {
    name: 'outbound_short_id',
    title: titles.number,
    others: ['訂單編號', '訂單號碼', 'order number'],
    isRequired: true,
    meaning: ['Your number for the order. Its lines share it', '訂單單號；同一訂單的各品項填相同單號'],
    examples: ['OUT-00017', 'OUT-00017'],
  },
  {
    name: 'logistics_type',
    title: titles.delivery,
    meaning: [
      'Home delivery or Store pickup (宅配、超商取貨); known from the carrier if empty',
      '宅配或超商取貨；留空則依物流商判斷',
    ],
    examples: ['Home delivery', ''],
  },
  {
    name: 'express_type',
    title: titles.express,
    others: ['物流商', '超商'],
    isRequired: true,
    meaning: [
      'Home delivery: T-Cat, HCT Logistics, Chunghwa Post. Store pickup: 7-ELEVEN, FamilyMart, Hi-Life',
      '宅配：黑貓宅急便、新竹物流、中華郵政；超商取貨：7-ELEVEN、全家、萊爾富',
    ],
    examples: ['T-Cat', ''],
  },
  { ...sku, meaning: ['A registered product', '已建立的商品'], examples: ['TEA-1', 'CUP-9'] },
  { ...quantity, examples: ['2', '1'] },
  {
    name: 'consignee_name',
    title: titles.recipient,
    others: ['收件人姓名'],
    meaning: ['Name of the recipient', '收件人姓名'],
    examples: ['林美華', ''],
  },
  {
    name: 'consignee_phone',
    title: titles.phone,
    others: ['手機', '收件人電話'],
    meaning: ['Phone number, as text: 0900000000', '電話（文字格式）：0900000000'],
    examples: ['0900000000', ''],
  },
  { name: 'consignee_zip', title: titles.zip, meaning: ['Postal code', '郵遞區號'], examples: ['100', ''] },
  {
    name: 'city',
    title: titles.city,
    meaning: ['City, if it is not in the address', '縣市；已寫在地址中則留空'],
    examples: ['臺北市', ''],
  },
  {
    name: 'consignee_address',
    title: titles.address,
    others: ['收件地址'],
    meaning: ['Address, or the pickup store', '地址，或取貨門市'],
    examples: ['中正區範例路 1 號', ''],
  },
];

export const importColumns = { products, inbound, orders };
export type ImportKind = keyof typeof importColumns;

/** Titles of files and of the sheet that explains the columns. */
export const importTemplateTexts = {
  products: ['Products', '商品'],
  inbound: ['Inbound', '進貨'],
  orders: ['Orders', '訂單'],
  explanation: ['Columns', '欄位說明'],
  column: ['Column', '欄位'],
  required: ['Required', '必填'],
  meaning: ['Meaning', '說明'],
  yes: ['yes', '是'],
  no: ['no', '否'],
  deleteExamples: [
    'Replace the example rows. Rows that begin with # are ignored.',
    '請以實際資料取代範例列；以 # 開頭的列不會匯入。',
  ],
} as const;
