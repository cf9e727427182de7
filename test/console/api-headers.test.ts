import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';

const app = await startTestApp();
await provisionOperators(app);
const user = await signIn(app, 'staff');
await app.http.listen({ host: '127.0.0.1', port: 0 });
const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

const json = { 'content-type': 'application/json' };
const signedIn = { ...json, cookie: user.cookie, 'x-csrf-token': user.signedIn.csrf_token };
const post = (headers: Record<string, string>, body = '{}') => ({ method: 'POST', headers, body });
const everyKind: [name: string, path: string, status: number, request?: RequestInit][] = [
  ['a session call', '/session/current', 200, post(json)],
  ['a call', '/sessions/list', 200, post(signedIn)],
  ['an export', '/orders/export', 200, { headers: signedIn }],
  ['the live stream', '/live', 200, { headers: signedIn }],
  ['a wrong field', '/orders/search', 400, post(signedIn, '{"page_size":"many"}')],
  ['no JSON', '/session/sign-in', 400, post(json, '{')],
  ['a path that cannot be decoded', '/%zz', 400],
  ['no session', '/sessions/list', 401, post(json)],
  ['the export without a session', '/orders/export', 401],
  ['the live stream without a session', '/live', 401],
  ['no csrf token', '/sessions/list', 403, post({ ...json, cookie: user.cookie })],
  ['an unknown path', '/nowhere', 404, post(signedIn)],
  ['an unknown page', '/nowhere', 404],
  ['a wrong method', '/sessions/list', 405],
  ['a body too large', '/session/sign-in', 413, post(json, ' '.repeat(4097))],
  ['another content type', '/session/sign-in', 415, post({ 'content-type': 'text/plain' })],
];
for (const [name, path, status, request] of everyKind) {
  test(`no response of the console API is stored or guessed at: ${name}`, () => assertNotStored(`/console/api${path}`, status, request));
}

test('that holds too where the path is written with escapes', () => assertNotStored('/console/%61pi/sessions/list', 200, post(signedIn)));

async function assertNotStored(path: string, status: number, request: RequestInit = {}): Promise<void> {
  const leaving = new AbortController();
  const answer = await fetch(`${origin}${path}`, { ...request, signal: leaving.signal });
  const { headers } = answer;
  assert.deepEqual([answer.status, headers.get('cache-control'), headers.get('x-content-type-options')], [status, 'no-store', 'nosniff']);
  leaving.abort();
}

test('files of the console are not guessed at either, also those that do not exist', async () => {
  for (const path of ['/console/', '/console/assets/nowhere.js']) {
    const { headers } = await fetch(`${origin}${path}`);
    assert.deepEqual([headers.get('cache-control'), headers.get('x-content-type-options')], ['no-store', 'nosniff'], path);
  }
});
