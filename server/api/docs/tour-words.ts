import type { DocsLanguage } from './language.ts';

const english = {
  title: 'Guided tour',
  introduction:
    'Make your first calls here, in the recommended order, with the demo account or your UAT account. Each step shows the request, the bytes that are signed, the response, and the same as a program. At the end, this page receives a callback and verifies it.',
  effect: 'The requests take effect in your account. They use numbers that begin with',
  fullStop: '.',
  credentials: 'Your credentials',
  memory:
    'The page signs by itself. Secrets stay in its memory until it is closed or loaded again; it neither stores nor sends them. The main API needs its CheckValue for a token.',
  paste: 'Paste the whole file demo-credentials.env, which the first start has written, or fill in the fields:',
  accountNo: 'account-no',
  secret: 'Shared secret',
  tenant: 'warehouse_tpw_id',
  clientId: 'ClientId (main API)',
  checkValue: 'CheckValue (main API)',
  callbackSecret: 'Callback secret (whsec_…)',
  run: 'Send',
  runAll: 'Send all steps',
  again: 'Send again',
  request: 'Request',
  signed: 'What is signed: the body, directly followed by the timestamp',
  response: 'Response',
  code: 'The same as a program',
  received: 'Received callback',
  waiting: 'Waiting for the callback …',
  notArrived: 'The callback has not arrived within a minute. Is a worker running? "lading status" tells.',
  verified: 'Verified: the signature matches the bytes, and it is recent.',
  notVerified:
    'The signature does not match. Use the callback secret of the key, tenant or account that signs; for the demo account, LADING_CALLBACK_SECRET.',
  finished: 'You have seen every call that an integration needs, and received a callback.',
  next: 'Next: a receiver of your own',
  missing: 'Fill in your credentials first:',
  cannotSign: 'A browser signs only on pages that came by https or from localhost. Open this page so.',
  unreachable: 'The service did not respond. Check the network, then send again: repeats are safe.',
  diagnosis: 'The service has diagnosed the signature:',
  hint: 'What to do',
  stopped: 'This step failed, so the next ones would fail too. Correct it, and send it again.',
  ok: 'Done',
  failed: 'Refused',
};

export type TourWords = Record<keyof typeof english, string>;

const chinese: TourWords = {
  title: '互動導覽',
  introduction:
    '用示範貨主或您的 UAT 貨主，依建議的順序在這裡打第一輪 API。每一步都會列出請求、簽章的位元組、回應，以及同樣功能的程式碼。最後，本頁會實際收到一則回呼並驗證簽章。',
  effect: '這些請求會在您的貨主帳號下生效，所用的編號開頭為',
  fullStop: '。',
  credentials: '您的憑證',
  memory:
    '簽章由本頁自行計算。密鑰只留在本頁的記憶體，關閉或重新載入後即消失；本頁不會儲存，也不會送出。主 API 取得權杖時需要 CheckValue。',
  paste: '貼上首次啟動時產生的 demo-credentials.env 全部內容，或填寫下列欄位：',
  accountNo: 'account-no',
  secret: '共用密鑰',
  tenant: 'warehouse_tpw_id',
  clientId: 'ClientId（主 API）',
  checkValue: 'CheckValue（主 API）',
  callbackSecret: '回呼密鑰（whsec_…）',
  run: '送出',
  runAll: '依序送出全部',
  again: '再送一次',
  request: '請求',
  signed: '簽章的內容：請求內容，後面緊接時間戳記',
  response: '回應',
  code: '同樣功能的程式碼',
  received: '收到的回呼',
  waiting: '等待回呼中…',
  notArrived: '一分鐘內沒有收到回呼。背景作業是否在執行？可用 lading status 查看。',
  verified: '驗證通過：簽章與位元組相符，時間也在期限內。',
  notVerified: '簽章不相符。請使用負責簽章的金鑰、租戶或貨主的回呼密鑰；示範貨主為 LADING_CALLBACK_SECRET。',
  finished: '串接需要的 API 都打過一遍，也收到回呼了。',
  next: '下一步：建立自己的接收端',
  missing: '請先填寫憑證：',
  cannotSign: '瀏覽器只在 https 或 localhost 的頁面提供簽章功能，請改用這類網址開啟本頁。',
  unreachable: '服務沒有回應。請檢查網路後再送一次：重複送出是安全的。',
  diagnosis: '服務的簽章診斷：',
  hint: '處理方式',
  stopped: '這一步失敗，後面的步驟也會失敗。請修正後再送一次。',
  ok: '完成',
  failed: '遭拒絕',
};

export const tourWords: Record<DocsLanguage, TourWords> = { en: english, 'zh-TW': chinese };

/** Title and text of each step. */
export const stepTexts: Record<DocsLanguage, Record<StepName, [title: string, text: string]>> = {
  en: {
    sync: [
      'Sync a product',
      'A product must be known before goods or orders can name it. Syncing it again updates it.',
    ],
    inbound: ['Announce goods', 'Ten units with an expiry date. In UAT they are in stock at once.'],
    stock: ['Look at the stock', '`qty_available` is what orders can take.'],
    order: ['Create an order', 'Two units are locked. `orders_id` is our number for the order.'],
    repeat: [
      'Send the order again',
      'A repeat with the same number changes nothing: the response has the same `orders_id` and `idempotent: true`. So every request can be sent again after a timeout.',
    ],
    return: ['Announce a return', 'It names the order of step 4.'],
    cancelOrder: ['Cancel the order', 'Its units are free again. Each entry has its own result.'],
    cancelInbound: ['Cancel the inbound document', 'That is possible while none of its units are in use.'],
    callback: [
      'Receive a callback',
      'A test callback for the order, with the content of a real one. The same delivery as for all callbacks signs it and records the attempt; this page receives it, and checks the signature with your callback secret.',
    ],
  },
  'zh-TW': {
    sync: ['同步商品', '進貨單與訂單使用商品之前，商品必須先同步。再同步一次就是更新。'],
    inbound: ['建立進貨單', '十件貨品，附效期。在 UAT 會立即入庫。'],
    stock: ['查詢庫存', '`qty_available` 是訂單可用的數量。'],
    order: ['建立訂單', '鎖定兩件。`orders_id` 是我們的訂單編號。'],
    repeat: [
      '同一張訂單再送一次',
      '相同編號重複送出不會有任何變更：回應的 `orders_id` 相同，且 `idempotent: true`。因此每個請求在逾時後都可以放心重送。',
    ],
    return: ['建立退貨單', '退貨單要指定第 4 步的訂單。'],
    cancelOrder: ['取消訂單', '鎖定的數量會釋出。每一筆都有自己的結果。'],
    cancelInbound: ['取消進貨單', '只要商品都還沒被使用，就可以取消。'],
    callback: [
      '接收回呼',
      '送出這張訂單的測試回呼，內容與正式的相同。簽章、遞送與紀錄都和一般回呼走同一套流程；本頁收到後，用您的回呼密鑰檢查簽章。',
    ],
  },
};

export type StepName =
  | 'sync'
  | 'inbound'
  | 'stock'
  | 'order'
  | 'repeat'
  | 'return'
  | 'cancelOrder'
  | 'cancelInbound'
  | 'callback';
