import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LogisticsClient, MainClient, signRequest, WarehouseClient } from '../../sdk/client.ts';
import { version } from '../../server/version.ts';
import { bodyOf, callbackVectors, requestVectors } from '../docs/vectors.ts';
import { type Asked, answers, inTurn, type Reply, startService } from '../support/scripted-replies.ts';
import { type ClientOf, type Driver, failureOf, type Kind, languages, startDriver } from './driver.ts';
import { calls, universalAnswer } from './same-requests.ts';

const credentialsOf: Record<Kind, string[]> = {
  warehouse: ['DEMO', 'a secret'],
  main: ['demo', 'lcv_x'],
  logistics: ['lak_x'],
};
const of = (kind: Kind, url: string, options = {}): ClientOf => ({
  kind,
  url,
  credentials: credentialsOf[kind],
  options,
});

const sdkClientOf = (kind: Kind, url: string) => {
  if (kind === 'warehouse') return new WarehouseClient({ url, accountNo: 'DEMO', secret: 'a secret' });
  if (kind === 'main') return new MainClient({ url, clientId: 'demo', checkValue: 'lcv_x' });
  return new LogisticsClient({ url, apiKey: 'lak_x' });
};

/** Refuses every kind of request once with 503, so that the record shows which calls are repeated. */
function busyOnce(): Reply {
  const known = new Set<string>();
  return (response, { path, body }) => {
    const isNew = !known.has(path + body) && !path.endsWith('/getToken');
    known.add(path + body);
    const busy = answers(503, { code: 'LST-TPW-5031', success: false, done: false }, { 'retry-after': '0' });
    return (isNew ? busy : answers(200, universalAnswer))(response, { path, body, headers: {} });
  };
}

/** Path, credentials and bytes of the body; the time and the signature differ between attempts. */
function essenceOf({ path, headers, body }: Asked): unknown[] {
  const digest = createHash('sha256').update(body).digest('hex');
  return [path, headers['content-type'], headers.authorization ?? headers['account-no'], body.slice(0, 200), digest];
}

async function runSdk(): Promise<unknown[][][]> {
  return await Promise.all(
    calls.map(async ([kind, method, ...args]) => {
      const { url, asked } = await startService(busyOnce());
      const client = sdkClientOf(kind, url) as unknown as Record<string, (...given: unknown[]) => unknown>;
      try {
        const result = client[method]!(...args);
        if (Symbol.asyncIterator in Object(result)) await Array.fromAsync(result as AsyncIterable<unknown>);
        else await result;
      } catch {}
      return asked.map(essenceOf);
    }),
  );
}
const sentBySdk = await runSdk();
const methodsOf = (made: { prototype: object }) =>
  Object.getOwnPropertyNames(made.prototype).filter((name) => name !== 'constructor');

test('the list of calls has every method of the SDK but diagnose, which sends what it is given', () => {
  const classes = { warehouse: WarehouseClient, main: MainClient, logistics: LogisticsClient };
  for (const [kind, made] of Object.entries(classes)) {
    const listed = new Set(calls.filter((one) => one[0] === kind).map((one) => one[1]));
    assert.deepEqual(
      [...listed],
      methodsOf(made).filter((name) => name !== 'diagnose'),
    );
  }
});

const success = (data: object) => answers(200, { ...universalAnswer, data: { success: true, ...data } });
const done = (retval: object) => answers(200, { done: true, msg: 'success', retval });
const refusal = (status: number, code: string, headers = {}) =>
  answers(status, { code, message: `refused: ${code}`, success: false, data: {} }, headers);
const busy = refusal(503, 'LST-TPW-5031', { 'retry-after': '0' });
const reset: Reply = (response) => void response.socket!.resetAndDestroy();
const cutOff: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"success":true', () => response.socket!.destroy());
};
const silence: Reply = () => {};
const token = done({ access_token: 'one', token_type: 'Bearer', expires_in: 3600 });
const product = { sku_id: 'TEA-1', sku_name: '茶', storage_type: 1 };

const rejected = {
  'Account-No': 'DEMO',
  timestamp: '1772337906',
  sign: 'bc45',
  'X-Own': 'kept',
  Host: 'other.example',
  'Content-Length': '999',
  'Transfer-Encoding': 'chunked',
  'Accept-Encoding': 'br',
};

test('SDK: a diagnosis sends the headers of the rejected request, except those of its connection', async () => {
  const { url, asked } = await startService(success({ signature_matches: false, findings: [] }));
  const client = new WarehouseClient({ url, accountNo: 'DEMO', secret: 'a secret' });
  assert.equal((await client.diagnose({ headers: rejected, body: '{"a": 1}' })).signature_matches, false);
  const [{ headers, body }] = asked as [Asked];
  assert.deepEqual([body, headers.host, headers['content-length']], ['{"a": 1}', new URL(url).host, '8']);
  assert.deepEqual(
    [headers['account-no'], headers['x-own'], headers['transfer-encoding']],
    ['DEMO', 'kept', undefined],
  );
});

for (const language of languages) {
  const { title } = language;
  const driver = await startDriver(language);
  const callService = async (reply: Reply, options = {}, kind: Kind = 'warehouse') => {
    const { url, asked } = await startService(reply);
    return { url, asked, call: driver.client(of(kind, url, options)) };
  };

  test(`${title}: every method sends the bytes of the SDK, and repeats what the SDK repeats`, async () => {
    const expected = new Map(calls.map((one, index) => [one, sentBySdk[index]]));
    for (const one of calls) {
      const [kind, method, ...args] = one;
      const { asked, call } = await callService(busyOnce(), {}, kind);
      await call(method, ...args).catch(() => {});
      assert.deepEqual(asked.map(essenceOf), expected.get(one), method);
    }
    const methods = await driver.ask({ do: 'methods' });
    for (const [kind, made] of Object.entries({ warehouse: WarehouseClient, main: MainClient }))
      assert.deepEqual(methods[kind], methodsOf(made).map(language.named));
    await driver.ask({ do: 'waits' });
  });

  test(`${title}: the vectors are signed, accepted and rejected as stated`, async () => {
    for (const vector of requestVectors) {
      const { secret, timestamp, sign, name } = vector;
      const body = bodyOf(vector).toString('base64');
      const signed = await driver.ask({ do: 'sign', account_no: 'V-MAIN', secret, body, timestamp });
      assert.deepEqual(signed, { 'account-no': 'V-MAIN', timestamp, sign }, name);
    }
    for (const vector of callbackVectors) {
      const result = await verify(driver, vector.headers, bodyOf(vector), vector).catch(({ failure }) => failure);
      assert.equal(vector.valid ? result.event : result.reason, vector.valid ? 'order.shipped' : vector.reason);
    }
  });

  test(`${title}: a callback may come again, and with headers in another form`, async () => {
    const vector = callbackVectors[0]!;
    const body = bodyOf(vector);
    const upper = vector.headers.map(([name, value]): [string, unknown] => [name.toUpperCase(), [value]]);
    const { event_id, duplicate } = await verify(driver, upper, body, vector);
    assert.deepEqual([event_id, duplicate], [vector.id, false]);
    assert.equal((await verify(driver, vector.headers, body, vector, [event_id])).duplicate, true);
    for (const secrets of ['', [], 'whsec_', 'whsec_c2hvcnQ=', 'whsec_not base64 at all!'])
      assert.match((await failureOf(verify(driver, [], body, { ...vector, secrets }))).message, /^secrets/);
  });

  test(`${title}: a repeatable call is sent again after a 5xx, a reset, half a response and a time-out`, async () => {
    const replies = inTurn(busy, reset, cutOff, silence, success({ products_id: 7 }));
    const { asked, call } = await callService(replies, { timeoutSeconds: 0.5 });
    assert.deepEqual(await call('productSync', product), { products_id: 7 });
    assert.equal(asked.length, 5);
    assert.equal(new Set(asked.map(({ body }) => body)).size, 1);
    assert.equal(asked[0]!.headers['user-agent'], `lading-${title.toLowerCase()}/${version}`);
    const waits: number[] = await driver.ask({ do: 'waits' });
    const longest = [0.5, 1, 2, 4];
    assert.equal(waits.length, longest.length);
    for (const [index, wait] of waits.entries())
      assert.ok(wait >= longest[index]! / 2 && wait <= longest[index]!, `${waits}`);
  });

  test(`${title}: every attempt waits as long as the service asks, and is signed with its own time`, async () => {
    const wait = refusal(503, 'LST-TPW-5031', { 'retry-after': '12' });
    const { asked, call } = await callService(inTurn(wait, wait, success({ products_id: 7 })));
    await call('productSync', product);
    const waits: number[] = await driver.ask({ do: 'waits' });
    assert.deepEqual(
      waits.map((seconds) => seconds >= 12 && seconds <= 12.25),
      [true, true],
    );
    const times = asked.map(({ headers }) => Number(headers.timestamp));
    assert.ok(times[1]! - times[0]! >= 12 && times[2]! - times[1]! >= 12, `${times}`);
    for (const { headers, body } of asked) {
      const { sign } = signRequest({
        accountNo: 'DEMO',
        secret: 'a secret',
        body,
        timestamp: headers.timestamp as string,
      });
      assert.equal(headers.sign, sign);
    }
  });

  test(`${title}: after all retries the error has the last response, or says that there was none`, async () => {
    const tired = await callService(busy, { retriesMax: 2 });
    const last = await failureOf(tired.call('productSync', product));
    assert.deepEqual(
      [last.kind, last.status, last.code, last.trace_id, last.message, tired.asked.length],
      ['UnavailableError', 503, 'LST-TPW-5031', 'trace-1', 'refused: LST-TPW-5031 (trace_id trace-1)', 3],
    );
    const deaf = await callService(silence, { retriesMax: 0, timeoutSeconds: 0.1 });
    const late = await failureOf(deaf.call('productSync', product));
    assert.deepEqual(
      [late.kind, late.status, late.trace_id, late.message],
      ['UnavailableError', null, null, `no answer from ${deaf.url}/warehouse/v1/product/sync: none within 0.1 s`],
    );
    const gone = driver.client(of('main', 'http://127.0.0.1:1', { retriesMax: 3 }));
    assert.match((await failureOf(gone('callbacksTest', {}))).message, /^no answer from .*Connection refused/i);
    await driver.ask({ do: 'waits' });
    const lost = driver.client(of('logistics', 'http://127.0.0.1:1', { retriesMax: 3 }));
    assert.equal((await failureOf(lost('testCallback', {}))).kind, 'UnavailableError');
    assert.equal((await driver.ask({ do: 'waits' })).length, 3, 'it was never sent, so it is repeated');
  });

  test(`${title}: a call that would be refused again is not repeated, nor one with a long wait`, async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    for (const [reply, kind, seconds] of [
      [refusal(400, 'PARAM_INVALID'), 'RefusedError', 0],
      [refusal(401, 'LST-TPW-4001'), 'UnauthorizedError', 0],
      [refusal(403, 'LST-TPW-4003'), 'UnauthorizedError', 0],
      [refusal(503, 'LST-TPW-5030'), 'UnavailableError', 0],
      [refusal(429, 'LST-TPW-4290', { 'retry-after': '3600' }), 'UnavailableError', 3600],
      [refusal(503, 'LST-TPW-5031', { 'retry-after': date }), 'UnavailableError', 3500],
      [(response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'UnavailableError', 0],
      [(response) => response.end('<html>a proxy</html>'), 'UnavailableError', 0],
    ] as [Reply, string, number][]) {
      const { asked, call } = await callService(reply);
      const failure = await failureOf(call('productSync', product));
      assert.deepEqual([failure.kind, asked.length], [kind, 1]);
      assert.ok((failure.retry_after_seconds ?? 0) >= seconds, failure.message);
    }
    const lost = await callService(answers(404, { done: false, msg: 'no such path', retval: null }), {}, 'main');
    const { kind, reason } = await failureOf(lost.call('inboundsStop', {}));
    assert.deepEqual([kind, reason], ['RefusedError', `no such path: ${lost.url}/api/v1/token/getToken`]);
    assert.deepEqual(await driver.ask({ do: 'waits' }), []);
  });

  test(`${title}: a token is used until shortly before it expires; a 401 brings one new token and one retry`, async () => {
    const rejected = answers(401, { done: false, msg: 'the access token is not valid', retval: null });
    const once = await callService(inTurn(token, rejected, token, rejected), {}, 'main');
    assert.equal((await failureOf(once.call('inboundsStop', {}))).kind, 'UnauthorizedError');
    const names = (asked: Asked[]) => asked.map(({ path }) => path.split('/').at(-1));
    assert.deepEqual(names(once.asked), ['getToken', 'stop', 'getToken', 'stop']);

    const short = done({ access_token: 'short', expires_in: 10 });
    const wait = answers(503, {}, { 'retry-after': '10' });
    const replies = inTurn(short, done({}), wait, token, done({}));
    const renewed = await callService(replies, {}, 'main');
    await renewed.call('inboundsStop', {});
    await renewed.call('inboundsStop', {});
    assert.deepEqual(names(renewed.asked), ['getToken', 'stop', 'stop', 'getToken', 'stop']);

    const wrong = await callService(answers(200, { done: false, msg: 'no', retval: null, errors: [] }), {}, 'main');
    const refused = await failureOf(wrong.call('inboundsStop', {}));
    assert.deepEqual([refused.kind, refused.status, refused.reason], ['UnauthorizedError', 200, 'no']);
  });

  test(`${title}: a diagnosis sends the headers of the rejected request, except those of its connection`, async () => {
    const { url, asked, call } = await callService(success({ signature_matches: false, findings: [] }));
    assert.equal((await call('diagnose', rejected, '{"a": 1}')).signature_matches, false);
    const [{ headers, body }] = asked as [Asked];
    assert.deepEqual([body, headers.host, headers['content-length']], ['{"a": 1}', new URL(url).host, '8']);
    assert.deepEqual([headers['account-no'], headers.timestamp, headers['x-own']], ['DEMO', '1772337906', 'kept']);
    assert.deepEqual([headers['transfer-encoding'], headers['accept-encoding'] === 'br'], [undefined, false]);
  });

  test(`${title}: the address may end with a slash, and the contracts may live elsewhere`, async () => {
    const { url, asked } = await startService(answers(200, universalAnswer));
    await driver.client({ ...of('warehouse', `${url}//`), named: { basePath: '/tpw/v9' } })('productSync', {});
    await driver.client({ ...of('logistics', url), named: { segment: 'wms' } })('shippingOrder', {});
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body]),
      [
        ['/tpw/v9/product/sync', '{}'],
        ['/wms/orders/order', '{}'],
      ],
    );
  });

  test(`${title}: a missing or invalid setting is named before anything is sent`, async () => {
    const url = 'http://service.example';
    const messageOf = async (client: ClientOf) => (await failureOf(driver.client(client)('diagnose', {}, ''))).message;
    const secret = language.named('accountNo');
    assert.equal(await messageOf({ ...of('warehouse', url), credentials: ['', 'x'] }), `${secret} is missing`);
    assert.equal(await messageOf(of('warehouse', '')), 'url is missing');
    assert.match(
      await messageOf({ ...of('warehouse', url), credentials: ['A', 'las_...'] }),
      /^secret is still the pl/,
    );
    for (const wrong of ['service.example', 'ftp://service.example'])
      assert.match(await messageOf(of('warehouse', wrong)), /^url must be a URL such as https:/);
    const forged = { ...of('warehouse', url), credentials: ['A\r\nx: y', 'secret'] };
    assert.equal((await failureOf(driver.client(forged)('productSync', {}))).kind, 'ArgumentError');
    assert.equal(await driver.ask({ do: 'version' }), version);
  });
}

test('PHP: headers for a proxy are sent in addition to those of the request', async () => {
  const driver = await startDriver(languages.find(({ title }) => title === 'PHP')!);
  for (const header of ['Proxy-Authorization: Basic eDp5', ['Proxy-Authorization: Basic eDp5']]) {
    const { url, asked } = await startService(success({ products_id: 7 }));
    await driver.client(of('warehouse', url, { context: { http: { header } } }))('productSync', product);
    const { headers } = asked[0]!;
    assert.deepEqual(
      [headers['proxy-authorization'], headers['account-no'], headers['content-type']],
      ['Basic eDp5', 'DEMO', 'application/json'],
    );
  }
});

async function verify(
  driver: Driver,
  headers: [string, unknown][],
  body: Buffer,
  { secrets, now }: { secrets: string | string[]; now: number },
  seen: string[] = [],
) {
  const sent = body.toString('base64');
  return await driver.ask({ do: 'verify', headers: Object.fromEntries(headers), body: sent, secrets, now, seen });
}
