import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { ConsoleCall } from '../../contract/console/console-call.ts';
import { startConsole } from '../support/console.ts';
import { fingerprint } from '../support/every-field.ts';
import { exportBody, exportUrl } from '../support/exports.ts';

const { app, admin, staff, viewer } = await startConsole();
await app.http.listen({ host: '127.0.0.1', port: 0 });
const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

const contractFolder = new URL('../../contract/console/', import.meta.url);
const isCall = (value: unknown): value is ConsoleCall =>
  typeof value === 'object' && value !== null && 'path' in value && 'body' in value;
const modules = await Promise.all(
  readdirSync(contractFolder).map((file) => import(new URL(file, contractFolder).href)),
);
const allPaths = modules.flatMap((module) => Object.values(module).filter(isCall)).map(({ path }) => path);

/** The calls that not every role may make. */
const adminPaths = [
  ...['accounts', 'tenants', 'clients', 'logistics-keys', 'warehouses', 'stores', 'operators'].flatMap((noun) => [
    `/${noun}/create`,
    `/${noun}/change`,
  ]),
  ...['/onboarding/connect', '/handover/issue', '/handover/revoke'],
  ...['/secrets/rotate', '/operators/list', '/operators/reset-password', '/operators/reset-totp'],
  ...['/audit-log/search', '/system/personal-data'],
  ...['list', 'create', 'change', 'delete', 'rotate-secret', 'test', 'history'].map((call) => `/alerts/${call}`),
  ...[
    '/orders/forget',
    '/orders/transfer-retry',
    '/orders/resend-reason',
    '/system/retry-rejected',
    '/stock/audit-repair',
  ],
  ...['/receivers/pause', '/receivers/resume'],
];
const staffPaths = [
  ...[
    '/orders/ship',
    '/orders/advance',
    '/orders/cancel',
    '/orders/note-add',
    '/orders/view-recipient',
    '/orders/search-by-recipient',
  ],
  ...['/orders/update', '/orders/hold', '/orders/release'],
  ...['/picking/queue', '/picking/claim', '/picking/batch', '/picking/confirm', '/picking/short', '/picking/finish'],
  ...['/print/orders', '/print/pick-list', '/handover/links'],
  ...['/inbound/receive', '/inbound/stop', '/inbound/cancel', '/inbound/note-add'],
  ...[
    '/products/change',
    '/stock/correct',
    '/stock/regrade',
    '/stock/block-expired',
    '/stock/move',
    '/stock/audit-run',
    '/system/push-now',
    '/system/purge-preview',
  ],
  '/exports/file',
  ...['/imports/columns', '/imports/check', '/imports/run', '/imports/template'],
  ...['/packing/open', '/packing/scan', '/packing/empty', '/packing/ship', '/packing/undo', '/packing/planned'],
  ...['/callbacks/redeliver', '/callbacks/redeliver-filtered', '/callbacks/test'],
  ...['search', 'create', 'sheet', 'find', 'enter', 'undo', 'review', 'recount', 'book', 'discard'].map(
    (action) => `/counts/${action}`,
  ),
];
const openPaths = [
  ...['/session/current', '/session/sign-in', '/session/sign-out', '/sessions/list', '/sessions/end'],
  ...['/session/sign-in-code', '/session/options'],
  ...['/second-factor/state', '/second-factor/begin', '/second-factor/confirm', '/second-factor/remove'],
  ...['/operators/change-own-password', '/views/list', '/views/save', '/views/delete', '/search/find'],
  ...['/home/attention', '/home/flow', '/system/overview', '/orders/search', '/orders/detail', '/orders/scan'],
  ...['/orders/next-steps', '/orders/rejection-reasons', '/stock/expired'],
  ...['/inbound/search', '/inbound/detail', '/inbound/find-by-scan', '/products/search', '/products/detail'],
  ...['/stock/search', '/stock/skus', '/stock/by-sku', '/stock/lot', '/stock/summary', '/stock/expiring'],
  ...['/stock/audit-latest', '/callbacks/search', '/callbacks/detail', '/callbacks/redeliver-count', '/receivers/list'],
  ...['/requests/search', '/requests/grouped', '/requests/detail', '/accounts/list', '/accounts/detail'],
  ...['/accounts/progress', '/accounts/health'],
  ...['/requests/trend', '/trends/orders', '/trends/stock', '/trends/callbacks', '/trends/calls'],
  ...['/clients/list', '/logistics-keys/list', '/warehouses/list', '/stores/list', '/partners/addresses'],
];

test('every call has its least role; a call by a lower role is refused, changes nothing and is not in the audit log', async () => {
  assert.deepEqual([...adminPaths, ...staffPaths, ...openPaths].toSorted(), allPaths.toSorted());
  const readActions = () => app.store.database.read((sql) => sql`select operator_action_id from operator_action`);
  const [before, actions] = [await fingerprint(app), await readActions()];
  const refusals = [
    ...adminPaths.flatMap((path) => [viewer, staff].map((user) => ({ path, user }))),
    ...staffPaths.map((path) => ({ path, user: viewer })),
  ];
  for (const { path, user } of refusals) {
    const { status, json } = await user.send(path, {});
    assert.deepEqual([status, json.error?.kind], [403, 'not_allowed'], `${user.signedIn.role}: ${path}`);
  }
  assert.deepEqual([await fingerprint(app), await readActions()], [before, actions]);

  const accepted = [
    ...openPaths.filter((path) => !path.startsWith('/session/')).map((path) => ({ path, user: viewer })),
    ...staffPaths.map((path) => ({ path, user: staff })),
    ...adminPaths.map((path) => ({ path, user: admin })),
  ];
  for (const { path, user } of accepted) {
    const { status } = await user.send(path, {});
    assert.ok([200, 400].includes(status), `${user.signedIn.role}: ${path}: ${status}`);
  }
});

test('an unknown path of the console API is 404 for every method, and another method than POST is 405', async () => {
  const unknown = { status: 404, allow: undefined, kind: 'not_found', message: 'no such path' };
  const otherwise = { status: 405, allow: 'POST', kind: 'wrong_method', message: 'this path takes POST only' };
  for (const [method, path, { status, allow, ...error }] of [
    ['GET', 'no/such', unknown],
    ['GET', 'session/no-such?status=1', unknown],
    ['POST', 'no/such', unknown],
    ['POST', 'session/no-such', unknown],
    ['GET', 'orders/search', otherwise],
    ['PUT', 'orders/search', otherwise],
  ] as const) {
    const answer = await app.http.inject({ method, url: `/console/api/${path}` });
    const body = { error: { ...error, trace_id: answer.headers['trace-id'] } };
    const given = [answer.statusCode, answer.headers.allow, answer.json()];
    assert.deepEqual(given, [status, allow, body], `${method} ${path}`);
  }
  assert.equal((await app.http.inject({ method: 'HEAD', url: '/console/api/no/such' })).statusCode, 404);
});

const json = { 'content-type': 'application/json' };
const signedIn = { ...json, cookie: staff.cookie, 'x-csrf-token': staff.signedIn.csrf_token };
const post = (headers: Record<string, string>, body = '{}') => ({ method: 'POST', headers, body });
const responses: [name: string, path: string, status: number, request?: RequestInit][] = [
  ['a session call', '/console/api/session/current', 200, post(json)],
  ['a call', '/console/api/sessions/list', 200, post(signedIn)],
  ['a call whose path has escapes', '/console/%61pi/sessions/list', 200, post(signedIn)],
  ['an export', exportUrl, 200, post(signedIn, JSON.stringify(exportBody()))],
  ['the live stream', '/console/api/live', 200, { headers: signedIn }],
  ['a wrong field', '/console/api/orders/search', 400, post(signedIn, '{"page_size":"many"}')],
  ['no JSON', '/console/api/session/sign-in', 400, post(json, '{')],
  ['a path that cannot be decoded', '/console/api/%zz', 400],
  ['no session', '/console/api/sessions/list', 401, post(json)],
  ['the export without a session', exportUrl, 401, post(json, JSON.stringify(exportBody()))],
  ['the live stream without a session', '/console/api/live', 401],
  ['no CSRF token', '/console/api/sessions/list', 403, post({ ...json, cookie: staff.cookie })],
  ['an unknown path', '/console/api/nowhere', 404, post(signedIn)],
  ['an unknown page', '/console/api/nowhere', 404],
  ['a wrong method', '/console/api/sessions/list', 405],
  ['a body too large', '/console/api/session/sign-in', 413, post(json, ' '.repeat(4097))],
  ['another content type', '/console/api/session/sign-in', 415, post({ 'content-type': 'text/plain' })],
  ['a page', '/console/', 200],
  ['a file that does not exist', '/console/assets/nowhere.js', 404],
];
test('browsers neither store a response nor guess its type', async () => {
  for (const [name, path, status, request] of responses) {
    const leaving = new AbortController();
    const answer = await fetch(`${origin}${path}`, { ...request, signal: leaving.signal });
    const { headers } = answer;
    const given = [answer.status, headers.get('cache-control'), headers.get('x-content-type-options')];
    assert.deepEqual(given, [status, 'no-store', 'nosniff'], name);
    leaving.abort();
  }
});
