import { createHmac } from 'node:crypto';
import { type CallbackError, type ReceivedCallback, verifyCallback } from '../../../sdk/verify-callback.ts';
import { alpha } from '../../support/app.ts';
import { form, formPath, item, orderPath, shippingOrder } from '../../support/logistics.ts';
import { orderBody } from '../../support/warehouse.ts';
import { logistics, type Mistake, main, type Seen, seen, send } from './mistake.ts';

/** A client that may only read. */
export const reader = { clientId: 'reader', checkValue: 'reader-check-value-of-thirty-two-characters' };

const list = '/api/v2/default/getOrdersData/searchList';

export const tokenMistakes: Mistake[] = [
  {
    mistake: ['ClientId or CheckValue is wrong', 'ClientId 或 CheckValue 錯誤'],
    make: async (app) =>
      seen(
        await send(app, {
          url: '/api/v1/token/getToken',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ClientId: alpha.clientId, CheckValue: 'wrong' }),
        }),
      ),
    names: /invalid ClientId or CheckValue/,
    fix: [
      'Copy both again. This response has the status 200: read `done`.',
      '重新複製兩者。此回應的狀態碼是 200，請看 `done`。',
    ],
  },
  {
    mistake: ['`Bearer` is missing before the token', '權杖前面少了 `Bearer`'],
    make: async (app) => {
      const headers = { 'content-type': 'application/json', authorization: await app.tokenOf() };
      return seen(await send(app, { url: list, headers, body: '{}' }));
    },
    names: /Bearer/,
    fix: ['Send `Authorization: Bearer <token>`.', '請送 `Authorization: Bearer <token>`。'],
  },
  {
    mistake: ['The token has expired', '權杖已過期'],
    make: async (app) => {
      const token = await app.tokenOf();
      app.clock.set(new Date(Date.now() + 7200_000));
      try {
        return seen(await app.callMain('/getOrdersData/searchList', {}, { token }));
      } finally {
        app.clock.set(null);
      }
    },
    names: /expired/,
    fix: [
      'Request a new token after a 401, and before `expires_in` is over.',
      '在 `expires_in` 到期前換新權杖；收到 401 時也要換。',
    ],
  },
  {
    mistake: ['The client does not have the permission', '用戶端沒有權限'],
    make: async (app) => {
      return seen(await app.callMain('/orders/create', orderBody('OUT-M', [['TEA', 1]]), { as: reader }));
    },
    names: /orders\.write/,
    fix: ['Ask the operator for the permission that `msg` names.', '請向營運方申請 `msg` 所列的權限。'],
  },
  {
    mistake: ['A filter has a typing mistake', '篩選條件打錯'],
    make: main('/getOrdersData/searchList', { 'orders.statsu': 'shipped' }),
    names: /orders\.statsu is not a filter.*orders\.status/,
    fix: ['Send one of the filters in `msg`.', '請送 `msg` 所列的篩選條件。'],
  },
  {
    mistake: ['A filter has a value that does not exist', '篩選值不存在'],
    make: main('/getOrdersData/searchList', { 'orders.status': 'sent' }),
    names: /status.*shipped/,
    fix: ['Send one of the values in `message`.', '請送 `message` 所列的其中一個值。'],
  },
  {
    mistake: ['A page has too many rows', '每頁筆數太多'],
    make: main('/getOrdersData/searchList', { page_size: 5000 }),
    names: /page_size.*500/,
    fix: ['Request up to 500 rows, then follow `next_cursor`.', '每頁最多 500 筆，再用 `next_cursor` 取下一頁。'],
  },
];

export const logisticsMistakes: Mistake[] = [
  {
    mistake: ['The API key is wrong or missing', 'API 金鑰錯誤或未送'],
    make: async (app) =>
      seen(await app.callLogistics(orderPath, shippingOrder('L-M', [item('TEA', 1)]), { apiKey: 'x' })),
    names: /api_key_invalid/,
    fix: ['Send the key in the header `Authorization`.', '請在標頭 `Authorization` 送出金鑰。'],
  },
  {
    mistake: ['`callback_url` is a private address', '`callback_url` 是私有位址'],
    make: logistics(formPath, form('F-M', [item('TEA', 1)], { callback_url: 'http://192.168.1.20/hook' })),
    names: /callback_url.*private or reserved/,
    fix: [
      'Use a public address; on your own machine, a tunnel or the demo account.',
      '請用公開位址；在自己的電腦上，可用通道或示範貨主。',
    ],
  },
  {
    mistake: ['`form_type` is a number that does not exist', '`form_type` 不存在'],
    make: logistics(formPath, form('F-M', [item('TEA', 1)], { form_type: 9 })),
    names: /form_type.*1/,
    fix: ['Send 1 (inbound), 2 (return) or 3 (stop receiving).', '請送 1（進貨）、2（退貨）或 3（終止收貨）。'],
  },
  {
    mistake: ['A form that does not exist is stopped', '要終止收貨的單據不存在'],
    make: logistics(formPath, form('F-NOWHERE', [], { form_type: 3 })),
    names: /form_no .*not found/,
    fix: ['Send the `form_no` of the form that you want to stop.', '請送要終止收貨之單據的 `form_no`。'],
  },
  {
    mistake: ['A known number is sent with different content', '已用過的編號送了不同內容'],
    make: logistics(orderPath, shippingOrder('L-KNOWN', [item('TEA', 2)])),
    names: /used before with another body/,
    fix: ['Use a new number; the first document is unchanged.', '請用新編號；第一張單據不變。'],
  },
  {
    mistake: ['A quantity has decimals', '數量有小數'],
    make: logistics(orderPath, shippingOrder('L-M', [item('TEA', 1.5)])),
    names: /products\[0\]\.quantity/,
    fix: ['Send whole units.', '請送整數。'],
  },
];

function receivedWith(secret: string, change: (callback: ReceivedCallback) => ReceivedCallback, secondsAgo = 0) {
  return async (): Promise<Seen> => {
    const body = JSON.stringify({ event_id: 'e-1', event: 'order.shipped' });
    const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
    const key = Buffer.from(alpha.callbackSecret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`e-1.${timestamp}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'e-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    try {
      verifyCallback(change({ headers, body }), { secrets: secret });
      return { status: null, code: '', texts: [] };
    } catch (error) {
      return {
        status: null,
        code: (error as CallbackError).reason,
        texts: [(error as Error).message.replace(/60\d s ago/, '600 s ago')],
      };
    }
  };
}

const otherSecret = `whsec_${Buffer.from('another-secret-of-a-receiver').toString('base64')}`;

export const callbackMistakes: Mistake[] = [
  {
    mistake: ['The receiver has the wrong callback secret', '接收端的回呼密鑰錯誤'],
    make: receivedWith(otherSecret, (callback) => callback),
    names: /secret/,
    fix: [
      'Use the callback secret of the key, the tenant or the account that the document belongs to.',
      '請用單據所屬金鑰、租戶或貨主的回呼密鑰。',
    ],
  },
  {
    mistake: [
      'The receiver verifies the parsed body instead of the bytes',
      '接收端驗證的是解析後的內容，不是原始位元組',
    ],
    make: receivedWith(alpha.callbackSecret, ({ headers, body }) => ({
      headers,
      body: JSON.stringify(JSON.parse(String(body)), null, 1),
    })),
    names: /bytes|raw/,
    fix: ['Read the raw body before a framework parses it.', '在框架解析之前，先讀取原始內容。'],
  },
  {
    mistake: ['The clock of the receiver is ten minutes wrong', '接收端的時鐘差了十分鐘'],
    make: receivedWith(alpha.callbackSecret, (callback) => callback, 600),
    names: /clock/,
    fix: ['Set the clock with NTP.', '用 NTP 校正時鐘。'],
  },
];
