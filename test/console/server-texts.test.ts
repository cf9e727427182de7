import assert from 'node:assert/strict';
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeTranslate, sayServerText } from '../../console/kit/server-texts.ts';
import { serverTextsZh, translateServerText } from '../../console/kit/server-texts-zh.ts';
import { errorCatalogue } from '../../contract/error-catalogue.ts';
import {
  bodyCandidates,
  keyCandidates,
  type Layout,
  layoutCandidates,
  timestampCandidates,
} from '../../server/api/warehouse/diagnose-candidates.ts';
import { diagnoseSignature, type RefusedRequest } from '../../server/api/warehouse/diagnose-signature.ts';
import { wordFinding } from '../../server/domain/audit/finding.ts';
import { type Posted, verdictOn } from '../../server/domain/orders/transfer.ts';
import type { KnownAccount } from '../../server/domain/partners/account-directory.ts';
import { wordCounts } from '../../server/domain/purge/purge-report.ts';
import { jobs } from '../../server/jobs/worker.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { reasonOf } from '../../server/platform/outgoing-answer.ts';
import { startTestApp } from '../support/app.ts';
import { order, receive, withoutTriggers } from '../support/warehouse.ts';

const app = await startTestApp();
const { database, keyring } = app.store;

const inChinese = (text: string) => sayServerText(text, translateServerText);

/** Known, and Chinese; what is named stays to the letter. */
function assertKnown(text: string, ...untranslated: string[]): void {
  const said = inChinese(text);
  assert.equal(said.language, 'zh-TW', `not known in Chinese: ${text}`);
  assert.match(said.text, /\p{Script=Han}/u, `${text}\n${said.text}`);
  assert.equal(/\{\w+\}/.test(said.text), /\{\w+\}/.test(text), `${text}\n${said.text}`);
  for (const part of untranslated) assert.ok(said.text.includes(part), `${said.text}\nlacks\n${part}`);
}

test('cause and cure of every message of the catalogue are known', () => {
  for (const { cause, cure } of errorCatalogue) for (const text of [cause, cure]) assertKnown(text);
});

/** What the texts quote, such as `Retry-After`, must be the same in both languages. */
test('what stands in code marks is the same in Chinese', () => {
  const marked = (text: string) => [...new Set(text.match(/`[^`]+`/g) ?? [])].sort();
  for (const { cause, cure } of errorCatalogue)
    for (const text of [cause, cure]) assert.deepEqual(marked(inChinese(text).text), marked(text), text);
});

test('every message of the catalogue is known, with what it names', () => {
  for (const { message, about } of errorCatalogue) {
    const text = message.replaceAll(/<(?!access token)[a-z_ ]+>/g, 'x-7');
    assertKnown(text, ...(text.includes('x-7') ? ['x-7'] : []));
    if (about === 'field') assertKnown(`details[0].qty ${text}`, 'details[0].qty');
  }
});

test('several mistakes in one message are each said, and how many more there are', () => {
  assert.deepEqual(inChinese('sku_id is missing; details[0].qty must be >= 1; or is missing; or say by filters which (and 3 more)'), {
    text: 'sku_id 未提供；details[0].qty 必須大於或等於 1；or 未提供；或以篩選條件指定（另有 3 項）',
    language: 'zh-TW',
  });
  assert.equal(inChinese('the body must be object').text, '請求內容必須是物件');
  assert.equal(inChinese('sku TEA-1 available=2 < requested=5').text, 'SKU TEA-1 可用 2，少於所需 5');
});

test('a text that is not known stays as it is, in English; so does a list of which one part is not known, or that is very long', () => {
  for (const text of ['', 'something new', 'sku_id is missing; something quite new', Array(13).fill('sku_id is missing').join('; ')]) {
    assert.deepEqual(inChinese(text), { text, language: 'en' });
  }
  assert.deepEqual(sayServerText('the signature does not match', null), { text: 'the signature does not match', language: 'en' });
});

test('each text stands once in its list, and its translation has all that it names and nothing else', () => {
  const names = (text: string) => [...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => name).sort();
  for (const [list, pairs] of Object.entries(serverTextsZh)) {
    assert.equal(new Set(pairs.map(([english]) => english)).size, pairs.length, list);
    for (const [english, chinese] of pairs) {
      assert.deepEqual(names(chinese), names(english), english);
      for (const [, part] of english.matchAll(/\{\w+:(\w+)\}/g)) assert.ok(part! in serverTextsZh, english);
    }
  }
});

test('signs that mean something in patterns are taken literally, and what a caller made up is not looked into', () => {
  const translate = makeTranslate({
    sentences: [
      ['is {what:things} (1+1)?', '{what}？'],
      ['no {what}', '無 {what}'],
    ],
    things: [['a.b', '甲']],
  });
  assert.deepEqual(['is a.b (1+1)?', 'is axb (1+1)?', 'no $& {what}'].map(translate), ['甲？', null, '無 $& {what}']);
});

/** Where reasons of the request log are written as literals. */
const reasonFiles = [
  'warehouse/signature.ts',
  'warehouse/warehouse-contract.ts',
  'main/bearer.ts',
  'main/access-token.ts',
  'main/get-token.ts',
  'main/search-list.ts',
  'logistics/logistics-contract.ts',
  'bodies-held.ts',
];

test('every reason for which a caller is refused is known, also with what a wrong secret looks like', () => {
  const reasons = reasonFiles.flatMap((name) => {
    const source = readFileSync(new URL(`../../server/api/${name}`, import.meta.url), 'utf8');
    const found = [...source.matchAll(/(?:refused\(|reason: |reason = .*?\? |'access_token', )(?:'([^']+)'|`([^`]+)`)/g)];
    assert.ok(found.length > 0, name);
    return found.map(([, plain, template]) => plain ?? template!.replaceAll(/\$\{[^}]+\}/g, 'x-7'));
  });
  assert.ok(reasons.length > 30, `${reasons.length}`);
  for (const reason of reasons) assertKnown(reason, ...(reason.includes('x-7') ? ['x-7'] : []));
  assert.equal(
    inChinese('no such API key; what came looks like an account secret, not a logistics API key').text,
    '沒有這個 API 金鑰；送來的看起來是「帳號密鑰」，而不是「物流 API 金鑰」',
  );
});

const now = new Date('2026-03-01T04:05:06.789Z');
const seconds = String(Math.floor(now.getTime() / 1000));
const secret = 'las_qNf0v2XhBk7wZr5sTy1uLm9pCd3eGa6iJo8KxWbVc4A';
const key = createSecretKey(secret, 'utf8');
const formerKey = createSecretKey('former', 'utf8');
const body = Buffer.from('{"sku_name": "烏龍茶 <é> & \'/\' = +","sku_id":"DIAG", "storage_type": 1,"price":2.0}');

function account(accountNo: string, own: Partial<KnownAccount>): KnownAccount {
  const common = { accountId: 1, environment: 'uat', enabled: true, warehouseApi: true, tenants: new Map() } as const;
  return { ...common, secrets: [{ key: createSecretKey(accountNo, 'utf8'), validUntil: null }], formerKeys: [], ...own, accountNo };
}
const tenant = { warehouseTpwId: 'TPW-S', warehouseNo: 1, storeNo: 1, tenantId: 1 } as never;
const signer = account('SIGNER', {
  secrets: [{ key, validUntil: null }],
  formerKeys: [formerKey],
  tenants: new Map([['TPW-S', tenant]]),
});
const accounts = new Map([signer, account('BETA', {})].map((one) => [one.accountNo, one]));

/** What the real diagnosis says, each line of which must be known. */
function diagnose(request: Omit<Partial<RefusedRequest>, 'headers'> & { headers?: Record<string, string | undefined> }): string[] {
  const sent = request.body === undefined ? body : request.body;
  const headers = { 'account-no': 'SIGNER', timestamp: seconds, sign: 'ab'.repeat(32), ...request.headers };
  const whole = { url: '/warehouse/v1/product/sync', refusedAt: now, bodyBytes: sent?.length ?? 50_000, ...request, headers, body: sent };
  const clientsAccount = headers['account-no'] === 'signer-erp' ? signer : null;
  const steps = diagnoseSignature(whole, { accounts, clientsAccount });
  for (;;) {
    const step = steps.next(true);
    if (step.done) {
      for (const line of step.value.lines) assertKnown(line);
      return step.value.lines;
    }
  }
}

const sign = (message: Buffer | string, by: string | Buffer = secret, algorithm = 'sha256') =>
  createHmac(algorithm, by).update(message).digest();
const signed = (message: Buffer | string, by?: string | Buffer) => ({ headers: { sign: sign(message, by).toString('hex') } });

function signLayout({ keyed, message, key: keyOf }: Layout): string {
  const parts = { body, timestamp: seconds, accountNo: 'SIGNER', path: '/warehouse/v1/product/sync', secret: key };
  const hash = keyed ? createHmac('sha256', keyOf?.(parts) ?? secret) : createHash('sha256');
  for (const part of message(parts)) hash.update(part);
  return hash.digest('hex');
}

/** A line of one mistake, for all mistakes of its kind: those that make no difference for this body must be known as well. */
function assertAllKnown(line: string, words: (string | null)[]): void {
  const known = words.filter((one) => one !== null);
  const [said] = known.filter((one) => line.includes(`${one}.`) || line.includes(`${one},`)).toSorted((a, b) => b.length - a.length);
  assert.ok(said !== undefined && known.length > 3, line);
  for (const one of known) assertKnown(line.replace(said, () => one));
}

test('what was signed instead: each way that the diagnosis knows', () => {
  const none = 'read, which comes to nothing but is a step of its own';
  for (const { value, words } of layoutCandidates) if (words !== null) diagnose({ headers: { sign: signLayout(value) } });
  for (const { value, words } of bodyCandidates(body)) {
    const variant = words === null || words === none ? null : value();
    if (variant !== null) diagnose(signed(Buffer.concat([variant, Buffer.from(seconds)])));
  }
  assertAllKnown(
    diagnose(signed(`${JSON.stringify(JSON.parse(String(body)))}${seconds}`))[0]!,
    bodyCandidates(body).flatMap(({ words }) => (words === none ? [] : words)),
  );
  assertAllKnown(
    diagnose(signed(seconds + body))[0]!,
    layoutCandidates.map(({ words }) => words),
  );
  assertAllKnown(
    diagnose(signed(`${body}${Number(seconds) - 1}`))[0]!,
    timestampCandidates('x', Number(seconds)).map(({ words }) => words),
  );
  diagnose({ body: gzipSync(body), ...signed(`${body}${seconds}`) });
  diagnose(signed(`${body}${now.getTime()}`));
});

test('with which secret: each that the diagnosis knows', () => {
  const keys = keyCandidates('SIGNER', [key], [formerKey]);
  assert.ok(keys.length > 30);
  for (const { value, words } of keys) {
    if (words === null) continue;
    assertKnown(words);
    diagnose(signed(`${body}${seconds}`, value.export()));
  }
  diagnose(signed(`${body}${seconds}`, 'BETA'));
});

test('how the headers came: each form that the diagnosis knows', () => {
  const right = sign(`${body}${seconds}`);
  const hex = right.toString('hex');
  const forms = [
    ...[hex.toUpperCase(), hex.replace(/[a-f]/, (digit) => digit.toUpperCase()), right.toString('base64'), `"${hex}"`, ` ${hex} `],
    ...[Buffer.alloc(32, 0xfb).toString('base64url'), `sha256=${hex}`, `v1=${right.toString('base64')}`, `"sha256=${hex.toUpperCase()}"`],
    ...[Buffer.from(hex).toString('hex'), Buffer.from(hex).toString('base64'), hex.match(/../g)!.join(':'), hex.slice(0, 24), hex.slice(3)],
    ...[Array.from(right, (byte) => byte.toString(16)).join(''), 'signature'],
    ...['md5', 'sha1', 'sha384', 'sha512'].map((algorithm) => sign(`${body}${seconds}`, secret, algorithm).toString('hex')),
  ];
  for (const form of forms) diagnose({ headers: { sign: form } });
  const times = [
    ...[String(now.getTime()), `${now.getTime()}000`, `${now.getTime()}000000`, `${seconds}.5`, '20260301040506', `"${seconds}"`],
    ...[`${seconds} `, `+${seconds}`, now.toISOString(), now.toUTCString(), 'now'],
    ...[-28_800, 28_800, 19_800, -1000, 1000].map((skew) => String(Number(seconds) + skew)),
  ];
  for (const timestamp of times) diagnose({ headers: { timestamp, sign: sign(body + timestamp).toString('hex') } });
  for (const name of ['account-no', 'timestamp', 'sign']) {
    for (const value of [undefined, '']) {
      for (const url of ['/', `/?${name}=SIGNER`]) diagnose({ url, headers: { [name]: value } });
      diagnose({ headers: { [name]: value, [`x-${name}`]: 'SIGNER' } });
    }
    diagnose({ headers: { [name]: 'x'.repeat(300) } });
  }
  diagnose({ headers: { timestamp: `${seconds}, ${seconds}` } });
  for (const accountNo of ['signer', 'TPW-S', 'signer-erp', 'NOBODY']) diagnose({ headers: { 'account-no': accountNo } });
});

test('where nothing fits, what can be compared is told; and so is why there is no diagnosis', () => {
  for (const sent of ['{}', '', 'sku_id=A&qty=1', 'text']) diagnose({ body: Buffer.from(sent) });
  diagnose({ headers: { sign: sign(body + seconds).toString('hex') } });
  diagnose({ body: null, headers: { sign: 'AB'.repeat(32) } });
  const request = { headers: { 'account-no': 'SIGNER', timestamp: seconds, sign: 'ab'.repeat(32) }, url: '/', refusedAt: now };
  const steps = diagnoseSignature({ ...request, body, bodyBytes: body.length }, { accounts, clientsAccount: null });
  steps.next(true);
  const last = steps.next(false);
  assert.ok(last.done);
  for (const line of last.value.lines) assertKnown(line, '0x7b', createHash('sha256').update(body).digest('hex'));
  const source = readFileSync(new URL('../../server/api/warehouse/diagnose-in-background.ts', import.meta.url), 'utf8');
  const reasons = [...source.matchAll(/'(Not diagnosed: [^']+)'/g)].map(([, text]) => text!);
  assert.equal(reasons.length, 3);
  for (const text of reasons) assertKnown(text);
});

async function runJobs(at: Date): Promise<string[]> {
  app.clock.set(at);
  const run = { database, keyring, clock: app.clock, config: app.config, metrics: makeMetrics(), stopping: new AbortController().signal };
  const outcomes: string[] = [];
  for (const job of jobs) outcomes.push(await job.run(run));
  return outcomes;
}

test('what every job says of its run is known: with nothing to do, and with something', async () => {
  const yearMs = 366 * 86_400_000;
  const idle = await runJobs(new Date());
  await receive(app, { TEA: [['2030-01-01', 50]] });
  await order(app, 'OUT-1', [['TEA', 3]]);
  await app.requestLog.flush();
  await withoutTriggers(app, (tx) => tx`update lot set on_hand = on_hand - 1, locked = locked + 1`);
  const wrong = await runJobs(new Date());
  await withoutTriggers(app, (tx) => tx`update lot set on_hand = on_hand + 1, locked = locked - 1`);
  const busy = await runJobs(new Date(Date.now() + yearMs));
  const outcomes = [...idle, ...wrong, ...busy, 'failed'];
  for (const outcome of outcomes) assertKnown(outcome);
  const expected = [/^dropped /, /^nothing to drop$/, /^made token key/, /young enough/, /^purged/, /^nothing to purge$/];
  for (const pattern of [...expected, /adds up$/, /^\d findings in/])
    assert.ok(
      outcomes.some((outcome) => pattern.test(outcome)),
      `${pattern}\n${outcomes.join('\n')}`,
    );
});

test('every finding of an audit is known, and every word of a purge', () => {
  const lot = { kind: 'balance', lotId: 7, accountNo: 'ALPHA', skuId: 'TEA 1', warehouseNo: 2 } as const;
  const lock = {
    kind: 'lock',
    orderId: 5,
    partnerNumber: 'OUT 1',
    status: 'picking',
    accountNo: 'ALPHA',
    skuId: 'TEA',
    held: 1,
    owed: 2,
  } as const;
  const inbound = { kind: 'inbound', inboundId: 5, partnerNumber: 'IN-1', status: 'received', accountNo: 'ALPHA', skuId: 'TEA' } as const;
  const units = { announced: 5, received: 3, least: 5, most: 5 };
  const findings = [
    { ...lot, onHand: 1, onHandMoved: 2, locked: 3, lockedMoved: 4 },
    { ...lot, onHand: 1, onHandMoved: 1, locked: 3, lockedMoved: 4 },
    { ...lot, skuId: null, onHand: 0, onHandMoved: 1, locked: 0, lockedMoved: 0 },
    ...[lock, { ...lock, status: null }, { ...lock, orderId: null, partnerNumber: null, status: null }],
    ...[
      { ...inbound, ...units },
      { ...inbound, ...units, least: 1 },
      { ...inbound, ...units, status: null },
    ],
  ].map(wordFinding);
  for (const finding of findings) assertKnown(`3 findings in 4 lots, 5 orders and 6 inbound documents: ${finding}`, 'ALPHA');
  for (const finding of findings) assertKnown(`2 findings in 4 lots, 5 orders and 6 inbound documents: ${findings[0]}; ${finding}`);
  const counts = { orders: 1, inbounds: 2, movements: 3, callbacks: 4 };
  for (const unitsKept of [0, 5])
    for (const before of ['purged', 'was stopped after it had purged']) assertKnown(`${before} ${wordCounts({ ...counts, unitsKept })}`);
});

test('how a wave ended is known, and why it failed', () => {
  const counts = ['transferred 7, put aside 0', 'transferred 7, put aside 1, stuck 2'];
  for (const text of counts) for (const before of ['', 'interrupted: ', 'turn over: ']) assertKnown(before + text, '7');
  assert.equal(inChinese('transferred 7, put aside 1, stuck 2').text, '已拋轉 7，擱置 1，卡住 2');
  const codes = ['EAI_AGAIN', 'ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'];
  const errors = [...codes, 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_INVALID_ARG', 'EWHATEVER'].map((code) =>
    reasonOf(Object.assign(new Error('x'), { code })),
  );
  const failures = [
    ...errors,
    'timed out after 15 s',
    'no secret to sign with',
    'address 10.0.0.1 is not allowed',
    'stopped',
    'internal error',
  ];
  for (const error of failures) {
    const posted: Posted = { kind: 'unanswered', error, wasConnected: false };
    const verdict = verdictOn(posted, 1, { isIsolating: false });
    assert.equal(verdict.kind, 'again');
    assertKnown(`failed: ${verdict.kind === 'again' && verdict.why}`);
    assert.doesNotMatch(inChinese(`failed: ${error}`).text, /[a-z]{3,} [a-z]+ [a-z]+/, error);
  }
  assert.equal(inChinese('failed: HTTP 503').text, '失敗：HTTP 503');
});
