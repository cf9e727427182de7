import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { alpha, signedHeaders, startTestApp } from '../support/app.ts';
import { makeAuthority } from '../support/certificates.ts';
import { operators, provisionOperators } from '../support/console.ts';
import { receive } from '../support/warehouse.ts';
import { findProgram, proxyNames, type RunningProxy, startProxy } from './start-proxy.ts';

const host = 'oms.example.com';
/** Not the address of the proxies, which connect from 127.0.0.1. */
const clientAddress = '127.0.0.2';
const forged = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };

const authority = makeAuthority('Lading test');
const pem = authority.issue(host, [host]);
const app = await startTestApp({ env: { PUBLIC_URL: `https://${host}`, TRUSTED_PROXIES: '127.0.0.1' } });
await provisionOperators(app);
await receive(app, { 'sku-1': [['2030-01-01', 50]] });
await app.http.listen({ host: '127.0.0.1', port: 0 });
const service = `127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
after(() => agent.destroy());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

function begin(proxy: RunningProxy, path: string, { method = 'GET', headers = {} }: Sent) {
  return request({
    ...{ host: '127.0.0.1', port: proxy.httpsPort, localAddress: clientAddress, servername: host, agent },
    ...{ ca: authority.certificate, path, method, headers: { host, ...headers } },
  });
}

/** Sends a request through the proxy and returns the response without its body. */
async function open(proxy: RunningProxy, path: string, given: Sent = {}): Promise<IncomingMessage> {
  const sent = begin(proxy, path, given);
  sent.end(given.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function send(proxy: RunningProxy, path: string, sent?: Sent) {
  const response = await open(proxy, path, sent);
  return { status: response.statusCode, headers: response.headers, text: (await buffer(response)).toString() };
}

async function signIn(proxy: RunningProxy, headers: Record<string, string>): Promise<string> {
  const { username, password } = operators.admin;
  const { status, ...response } = await send(proxy, '/console/api/session/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `https://${host}`, ...headers },
    body: JSON.stringify({ username, password }),
  });
  assert.equal(status, 200, response.text);
  return response.headers['set-cookie']!.map((cookie) => cookie.split(';')[0]).join('; ');
}

async function checkSignedOrder(proxy: RunningProxy, number: string): Promise<void> {
  const { warehouseTpwId } = alpha;
  // A proxy that writes the body in its own way would break the signature.
  const body = Buffer.from(
    `{ "outbound_short_id":"${number}",\t"warehouse_tpw_id": "${warehouseTpwId}", "consignee_name":"王\\u5c0f明",\n
       "consignee_country":"TW","logistics_type":"home","express_type":"tcat","details":[{"sku_id":"sku-1","qty":1 }]}\n`,
  );
  const headers = { 'content-type': 'application/json', ...signedHeaders(body, app.clock) };
  const { status, text } = await send(proxy, '/warehouse/v1/outbound/create', { method: 'POST', headers, body });
  assert.deepEqual([status, JSON.parse(text).code], [200, 'LST-TPW-2000'], text);
  const [order] = await app.store.database.read(
    (sql) => sql`select consignee_name as name from orders where partner_number = ${number}`,
  );
  assert.equal(order!.name, '王小明');
}

async function checkAddresses(proxy: RunningProxy): Promise<string> {
  await app.store.database.read((sql) => sql`delete from operator_session`);
  await signIn(proxy, {});
  const cookie = await signIn(proxy, forged);
  const sessions = await app.store.database.read((sql) => sql`select address from operator_session`);
  assert.deepEqual(
    sessions.map(({ address }) => address),
    [clientAddress, clientAddress],
  );
  return cookie;
}

async function checkPrivatePaths(proxy: RunningProxy): Promise<void> {
  assert.match(await (await fetch(`http://${service}/metrics`)).text(), /^lading_/m);
  for (const path of ['/metrics', '/metrics?a=b', '/%6detrics', '/health/ready', '/health/%6Cive']) {
    const { status, text } = await send(proxy, path);
    assert.deepEqual([path, status, /lading_|ready|"ok"/.test(text)], [path, 404, false]);
  }
}

const bodyTooLargeBytes = 1_500_000;
/**
 * nginx reads the whole body before it asks the service; haproxy passes its beginning on and gets the response at once.
 * Caddy does neither reliably: it closes the connection half a second after the response, whatever is still on its way.
 */
const bytesBeforeResponse: { [proxy: string]: number } = { nginx: bodyTooLargeBytes, haproxy: 1000 };

/**
 * The service responds before it has read the whole body, and closes the connection. A proxy that is still sending then
 * may not see the response and report 502 instead, so this asks until the response of the service arrives.
 */
async function checkLargeBody(proxy: RunningProxy, sentBytes: number): Promise<void> {
  const triesMax = 50;
  for (let tries = 1; (await sendLargeBody(proxy, sentBytes)) === 502; tries++) assert.ok(tries < triesMax, '502');
}

async function sendLargeBody(proxy: RunningProxy, sentBytes: number): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': String(bodyTooLargeBytes) };
  const sent = begin(proxy, '/warehouse/v1/outbound/create', { method: 'POST', headers });
  sent.write(Buffer.alloc(sentBytes, ' '));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  if (response.statusCode !== 502)
    assert.deepEqual([response.statusCode, response.headers['trace-id']?.length], [413, 36]);
  return response.statusCode!;
}

/** The first event arrives although the response never ends. */
async function checkEvents(proxy: RunningProxy, cookie: string): Promise<void> {
  const live = await open(proxy, '/console/api/live', { headers: { cookie } });
  assert.equal(live.statusCode, 200);
  const [chunk] = (await once(live, 'data')) as [Buffer];
  assert.match(chunk.toString(), /^retry: 2000\nevent: open\n/);
  live.destroy();
}

async function checkKeepAlive(proxy: RunningProxy): Promise<void> {
  const sockets = new Set<Socket>();
  const remember = ({ url, socket }: IncomingMessage) => void (url === '/docs' && sockets.add(socket));
  app.http.server.on('request', remember);
  for (let times = 0; times < 5; times++) assert.equal((await send(proxy, '/docs')).status, 200);
  app.http.server.off('request', remember);
  assert.equal(sockets.size, 1, 'connections for five requests');
}

async function checkPlainHttp(proxy: RunningProxy): Promise<void> {
  const answers = [];
  for (const method of ['GET', 'POST']) {
    const sent = plainRequest({
      host: '127.0.0.1',
      port: proxy.httpPort,
      path: '/docs?a=b',
      method,
      headers: { host },
    });
    sent.end();
    const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    answers.push([statusCode, headers.location]);
  }
  assert.deepEqual(answers, [
    [301, `https://${host}/docs?a=b`],
    [403, undefined],
  ]);
}

for (const name of proxyNames) {
  const program = findProgram(name);
  const skip = program === null && `${name} is not installed`;
  test(`deploy/proxy: behind ${name}, signed orders arrive unchanged and callers cannot choose their address`, {
    skip,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), `lading-${name}-`));
    const proxy = await startProxy(name, program!, { folder, service, pem });
    try {
      await checkSignedOrder(proxy, `PROXY-${name}`);
      const cookie = await checkAddresses(proxy);
      await checkPrivatePaths(proxy);
      if (name in bytesBeforeResponse) await checkLargeBody(proxy, bytesBeforeResponse[name]!);
      await checkKeepAlive(proxy);
      await checkEvents(proxy, cookie);
      await checkPlainHttp(proxy);
      assert.deepEqual(
        app.logLines.filter((line) => line.includes('X-Forwarded-For')),
        [],
      );
    } finally {
      agent.destroy();
      await proxy.stop();
      rmSync(folder, { recursive: true });
    }
  });
}
