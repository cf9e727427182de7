import { createHmac } from 'node:crypto';
import { alpha, beta, signedHeaders, type TestApp } from '../../support/app.ts';
import { type Mistake, product, type Seen, seen, send, warehousePath } from './mistake.ts';

const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
let turn = 0;

interface Signed {
  body: string;
  headers: Record<string, string>;
}

/** A signed request with a mistake, and then the same request to `/diagnose`, as the guides say. */
function badlySigned(spoil: (signed: Signed, secret: string) => Signed) {
  return async (app: TestApp): Promise<Seen> => {
    // An account may ask for ten diagnoses per minute, so two accounts take turns.
    const caller = [alpha, beta][turn++ % 2]!;
    const body = JSON.stringify(product);
    const headers = { 'content-type': 'application/json', ...signedHeaders(Buffer.from(body), app.clock, caller) };
    const spoilt = spoil({ body, headers }, caller.secret);
    const refused = await send(app, { ...spoilt, url: `${warehousePath}/product/sync` });
    const diagnosed = await send(app, { ...spoilt, url: `${warehousePath}/diagnose` });
    const { status, code } = seen(refused);
    const findings: { message: string }[] = diagnosed.json.data?.findings ?? [];
    // The others say what is right.
    return {
      status,
      code,
      texts: findings.slice(0, 1).map(({ message }) => message.replace(/off by -12\d\d s/, 'off by -1200 s')),
    };
  };
}

/** Signs the present time again, so that only one thing is wrong. */
function resigned({ body, headers }: Signed, secret: string, timestamp: string, text = body + timestamp): Signed {
  return { body, headers: { ...headers, timestamp, sign: sign(secret, text) } };
}

function renamed({ body, headers }: Signed, from: string, to: string): Signed {
  const { [from]: value, ...others } = headers;
  return { body, headers: { ...others, [to]: value! } };
}

export const signatureMistakes: Mistake[] = [
  {
    mistake: ['The secret is that of another account, or is not complete', '共用密鑰是別的貨主的，或沒有複製完整'],
    make: badlySigned((signed) => resigned(signed, 'not-the-secret', signed.headers.timestamp!)),
    names: /secret/,
    fix: [
      'Copy the whole secret of this account and environment, without quotes or spaces.',
      '複製此貨主、此環境的完整密鑰，前後不要有引號或空白。',
    ],
  },
  {
    mistake: ['The clock is 20 minutes slow', '主機時鐘慢了 20 分鐘'],
    make: badlySigned((signed, secret) => resigned(signed, secret, String(Number(signed.headers.timestamp) - 1200))),
    names: /off by -\d+ s.*clock \(NTP\)/,
    fix: ['Set the clock with NTP, and sign each attempt again.', '用 NTP 校正時鐘，每次嘗試都重新簽章。'],
  },
  {
    mistake: ['The timestamp is local time as if it were UTC', '把當地時間當成 UTC 來算時間戳記'],
    make: badlySigned((signed, secret) =>
      resigned(signed, secret, String(Number(signed.headers.timestamp) + 8 * 3600)),
    ),
    names: /local time/,
    fix: [
      'Use a function that returns Unix time; it is the same in every time zone.',
      '使用直接回傳 Unix 時間的函式；它在每個時區都一樣。',
    ],
  },
  {
    mistake: ['The timestamp is in milliseconds', '時間戳記以毫秒為單位'],
    make: badlySigned((signed, secret) => resigned(signed, secret, `${signed.headers.timestamp}000`)),
    names: /milliseconds.*seconds, 10 digits/,
    fix: ['Send seconds: `Math.floor(Date.now() / 1000)`.', '請送秒數：`Math.floor(Date.now() / 1000)`。'],
  },
  {
    mistake: ['The timestamp is a date', '時間戳記送成日期'],
    make: badlySigned((signed, secret) => resigned(signed, secret, new Date().toISOString())),
    names: /is a date/,
    fix: ['Send Unix time in seconds.', '請送以秒為單位的 Unix 時間。'],
  },
  {
    mistake: ['The body is serialized a second time after signing', '簽章後又把請求內容序列化一次'],
    make: badlySigned(({ body, headers }) => ({ body: JSON.stringify(JSON.parse(body), null, 2), headers })),
    names: /compact JSON.*Serialise once/s,
    fix: [
      'Serialize once, sign these bytes, and send the same bytes.',
      '只序列化一次，對這些位元組簽章，並送出相同的位元組。',
    ],
  },
  {
    mistake: ['The timestamp is missing from what is signed', '簽章內容漏了時間戳記'],
    make: badlySigned((signed, secret) => resigned(signed, secret, signed.headers.timestamp!, signed.body)),
    names: /timestamp/,
    fix: ['Sign the body, followed by the timestamp.', '簽章內容為請求內容，後面接時間戳記。'],
  },
  {
    mistake: ['The timestamp is before the body in what is signed', '簽章內容把時間戳記放在請求內容前面'],
    make: badlySigned((signed, secret) =>
      resigned(signed, secret, signed.headers.timestamp!, signed.headers.timestamp! + signed.body),
    ),
    names: /timestamp/,
    fix: ['Sign the body first, then the timestamp.', '先請求內容，再接時間戳記。'],
  },
  {
    mistake: ['A header is named `account_no` instead of `account-no`', '標頭寫成 `account_no`，應為 `account-no`'],
    make: badlySigned((signed) => renamed(signed, 'account-no', 'account_no')),
    names: /account-no/,
    fix: [
      'Name it `account-no`; many proxies drop names with an underscore.',
      '改為 `account-no`；許多代理伺服器會丟掉名稱含底線的標頭。',
    ],
  },
  {
    mistake: ['`sign` is in upper-case letters', '`sign` 用了大寫'],
    make: badlySigned(({ body, headers }) => ({ body, headers: { ...headers, sign: headers.sign!.toUpperCase() } })),
    names: /upper-case/,
    fix: ['Send lower-case hexadecimal digits.', '請送小寫的十六進位字元。'],
  },
  {
    mistake: ['`sign` is in base64', '`sign` 是 base64'],
    make: badlySigned(({ body, headers }) => ({
      body,
      headers: { ...headers, sign: Buffer.from(headers.sign!, 'hex').toString('base64') },
    })),
    names: /base64/,
    fix: ['Send 64 lower-case hexadecimal digits.', '請送 64 個小寫十六進位字元。'],
  },
  {
    mistake: ['The secret was read from a file with its line break', '密鑰從檔案讀入時帶了換行'],
    make: badlySigned((signed, secret) => resigned(signed, `${secret}\n`, signed.headers.timestamp!)),
    names: /line break/,
    fix: ['Remove white space at the end of the secret.', '請去掉密鑰結尾的空白與換行。'],
  },
];
