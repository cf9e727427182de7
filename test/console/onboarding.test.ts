import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { BodyOf } from '../../contract/console/console-call.ts';
import {
  accountsHealth,
  accountsProgress,
  handoverIssue,
  handoverLinks,
  handoverRevoke,
  type IssuedLink,
  onboardingConnect,
} from '../../contract/console/onboarding.ts';
import { accountsDetail } from '../../contract/console/partners.ts';
import { forgetEndedLinks } from '../../server/domain/onboarding/handover-link-queries.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { dumpTables } from '../partners/dump.ts';
import { startTestApp } from '../support/app.ts';
import { actionsOf, column, startConsole } from '../support/console.ts';
import { purge } from '../support/purge.ts';

const { app, service, database, admin, staff, viewer } = await startConsole();

type Connect = BodyOf<typeof onboardingConnect>;

function connectBody(accountNo: string, more: Partial<Connect> = {}): Connect {
  const id = accountNo.toLowerCase();
  return {
    request_id: randomUUID(),
    hours: 72,
    language: 'en',
    account: {
      account_no: accountNo,
      name: '好茶選品',
      environment: 'uat',
      warehouse_api: true,
      callback_url: 'https://partner.example/hook',
    },
    store: { store_no: 7000 + Math.floor(Math.random() * 1_000_000), name: '好茶選品' },
    tenant: { warehouse_tpw_id: `TPW-${accountNo}`, warehouse_no: 1, store_no: 10 },
    client: { client_id: `${id}-erp`, permissions: ['orders.read', 'orders.write', 'stocks.read'] },
    logistics_key: { name: 'wms', warehouse_no: 1, store_no: 10 },
    ...more,
  };
}

async function connect(accountNo: string, more: Partial<Connect> = {}): Promise<{ body: Connect; link: IssuedLink }> {
  const body = connectBody(accountNo, more);
  const answer = await admin.ask(onboardingConnect, body);
  assert.ok(answer.kind === 'connected', JSON.stringify(answer));
  return { body, link: answer.link };
}

const tokenOf = ({ url }: IssuedLink): string => new URL(url!).hash.slice(1);

async function openWith(token: string, { language = 'en', http = app.http } = {}) {
  const { statusCode, payload, headers } = await http.inject({
    method: 'POST',
    url: '/handover',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token, lang: language }).toString(),
  });
  const secrets = [...payload.matchAll(/<code>([^<]*)<\/code>/g)].map(([, value]) => value!);
  return { status: statusCode, page: payload, secrets, headers };
}

/** The partners and the links. */
async function partnersNow() {
  const { account, tenant, client, logistics_key, store, secret, partner_change, handover_link } =
    await dumpTables(database);
  return { account, tenant, client, logistics_key, store, secret, partner_change, handover_link };
}

test('one confirmation creates account, store, tenant, client, key and a link; the link shows every secret once, and each works', async () => {
  const { body, link } = await connect('NEWTEA');
  assert.match(link.url!, /^http:\/\/[^#]+\/handover\?lang=en#[A-Za-z0-9_-]{43}$/);
  const detail = await viewer.ask(accountsDetail, { account_no: 'NEWTEA' });
  assert.deepEqual(
    [
      detail.name,
      detail.callback_url,
      column(detail.tenant_rows, 'warehouse_tpw_id'),
      detail.client_rows[0]?.permissions,
    ],
    ['好茶選品', 'https://partner.example/hook', ['TPW-NEWTEA'], ['orders.read', 'orders.write', 'stocks.read']],
  );
  const [actions] = [await actionsOf(app, 'onboarding/connect')];
  assert.deepEqual(actions.at(-1), {
    username: 'boss',
    subject: 'NEWTEA',
    details: {
      environment: 'uat',
      tenant: 'TPW-NEWTEA',
      warehouse_no: 1,
      store_no: body.store!.store_no,
      client: 'newtea-erp',
      permissions: ['orders.read', 'orders.write', 'stocks.read'],
      logistics_key: 'wms',
      hours: 72,
    },
    outcome: 'connected',
  });

  const opened = await openWith(tokenOf(link));
  assert.equal(opened.status, 200);
  const byPrefix = (prefix: string) => opened.secrets.filter((secret) => secret.startsWith(prefix));
  assert.deepEqual(
    [byPrefix('las_').length, byPrefix('lcv_').length, byPrefix('llk_').length, byPrefix('whsec_').length],
    [1, 1, 1, 2],
  );
  const [secret, checkValue, apiKey] = [byPrefix('las_')[0]!, byPrefix('lcv_')[0]!, byPrefix('llk_')[0]!];
  const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };
  assert.equal((await app.callWarehouse('/product/sync', tea, { accountNo: 'NEWTEA', secret })).status, 200);
  const as = { clientId: 'newtea-erp', checkValue };
  assert.equal((await app.callMain('/getStocksData/searchList', {}, { as })).status, 200);
  assert.equal((await app.callLogistics('/callbacks/test', {}, { apiKey })).status, 400);

  const [listed] = (await staff.ask(handoverLinks, { account_no: 'NEWTEA' })).links;
  assert.deepEqual(
    [listed?.state, listed?.created_by, listed?.opened_from, column(listed!.secrets, 'kind')],
    [
      'opened',
      'boss',
      '127.0.0.1',
      ['account_secret', 'account_callback_secret', 'check_value', 'logistics_key', 'callback_secret'],
    ],
  );
  assert.ok(listed!.opened_at);
  const again = await openWith(tokenOf(link));
  assert.deepEqual([again.status, again.secrets], [404, []]);
  assert.match(again.page, /It was opened before, and opens once only\. If that was not you, tell boss at once\./);
  await assertNowhere(...opened.secrets, tokenOf(link));
});

/** In no table, answer of the console or line of a log. */
async function assertNowhere(...secrets: string[]): Promise<void> {
  await app.requestLog.flush();
  const [{ audit_log }, tables, links] = await Promise.all([
    admin.send('/audit-log/search', {}).then(({ json }) => ({ audit_log: json })),
    dumpTables(database),
    staff.ask(handoverLinks, { account_no: 'NEWTEA' }),
  ]);
  const log = await database.read((sql) => sql`select * from request_log`);
  const all = JSON.stringify([audit_log, tables, links, log, app.logLines]);
  for (const secret of secrets) assert.ok(!all.includes(secret), secret);
}

test('a repeat of the request, also at the same moment, gives the same link and no second account; another content is refused', async () => {
  const body = connectBody('TWICE');
  const answers = await Promise.all([1, 2, 3].map(() => admin.ask(onboardingConnect, body)));
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  assert.ok(answers[0]!.kind === 'connected' && answers[0]!.link.url !== null);
  const before = await partnersNow();
  assert.deepEqual(await admin.ask(onboardingConnect, body), answers[0]);
  const other = { ...body, account: { ...body.account, account_no: 'THRICE' } };
  assert.deepEqual(await admin.ask(onboardingConnect, other), { kind: 'other_request' });
  assert.deepEqual(await partnersNow(), before);

  await openWith(tokenOf((answers[0] as { link: IssuedLink }).link));
  const late = await admin.ask(onboardingConnect, body);
  assert.ok(late.kind === 'connected' && late.link.url === null);
});

test('all mistakes are named by the field of the wizard, and nothing is created', async () => {
  const { body } = await connect('TAKEN');
  const before = await partnersNow();
  const problemsOf = async (given: Connect) => {
    const answer = await admin.ask(onboardingConnect, given);
    assert.ok(answer.kind === 'refused', JSON.stringify(answer));
    return answer.problems.map(({ field, reason }) => [field, reason]);
  };
  assert.deepEqual(await problemsOf({ ...body, request_id: randomUUID() }), [
    ['store.store_no', 'exists'],
    ['account.account_no', 'exists'],
    ['tenant.warehouse_tpw_id', 'exists'],
    ['client.client_id', 'exists'],
    ['logistics_key.name', 'exists'],
  ]);
  const wrong = connectBody('WRONG', {
    tenant: { warehouse_tpw_id: 'TPW-W', warehouse_no: 98, store_no: 97 },
    client: { client_id: 'taken-erp', permissions: [] },
    logistics_key: { name: 'wms', warehouse_no: 99, store_no: 10 },
  });
  wrong.account.callback_url = 'http://10.0.0.1/hook';
  assert.deepEqual(await problemsOf(wrong), [
    ['account.callback_url', 'address'],
    ['tenant.warehouse_no', 'unknown'],
    ['tenant.store_no', 'unknown'],
    ['client.client_id', 'exists'],
    ['logistics_key.warehouse_no', 'unknown'],
  ]);
  const nothing = connectBody('NOTHING');
  delete nothing.client;
  delete nothing.logistics_key;
  nothing.account.warehouse_api = false;
  assert.deepEqual(await problemsOf(nothing), [['account.warehouse_api', 'missing']]);
  const malformed = connectBody('SPACED');
  malformed.account.callback_url = 'https://user:word@partner.example/';
  const { status, json } = await admin.send('/onboarding/connect', malformed);
  assert.deepEqual([status, json.error?.mistakes?.map(({ path }) => path)], [400, ['account.callback_url']]);
  assert.deepEqual(await partnersNow(), before);
});

test('opening the address consumes nothing: only the form does, and previews get the same page as everybody', async () => {
  const { link } = await connect('PREVIEW');
  for (const method of ['GET', 'HEAD'] as const) {
    const { hash, pathname, search } = new URL(link.url!);
    for (const url of [`${pathname}${search}`, `${pathname}${search}&token=${hash.slice(1)}`]) {
      const { statusCode, headers, payload } = await app.http.inject({ method, url });
      assert.deepEqual(
        [statusCode, headers['cache-control'], headers['referrer-policy']],
        [200, 'no-store', 'no-referrer'],
      );
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
      );
      assert.ok(!payload.includes(hash.slice(1)));
    }
  }
  assert.equal((await staff.ask(handoverLinks, { account_no: 'PREVIEW' })).links[0]?.state, 'waiting');
  const opened = await openWith(tokenOf(link), { language: 'zh-TW' });
  assert.deepEqual([opened.status, opened.secrets.length, opened.headers['cache-control']], [200, 5, 'no-store']);
  assert.match(opened.page, /<html lang="zh-Hant-TW">.*貨主 PREVIEW 的憑證/s);
});

test('an expired, a revoked and an unknown link have the same status; only the holder of a real one learns who issued it', async () => {
  const { link: expired } = await connect('EXPIRED');
  await database.read((sql) => sql`update handover_link set expires_at = now() where link_id = ${expired.link_id}`);
  const { link: revoked } = await connect('REVOKED');
  const revoke = { account_no: 'REVOKED', link_id: revoked.link_id };
  assert.deepEqual(await admin.ask(handoverRevoke, revoke), { kind: 'revoked' });
  assert.deepEqual(await admin.ask(handoverRevoke, revoke), { kind: 'ended' });
  assert.deepEqual(await admin.ask(handoverRevoke, { ...revoke, account_no: 'EXPIRED' }), { kind: 'not_found' });

  const pages = [];
  for (const token of [tokenOf(expired), tokenOf(revoked), 'A'.repeat(43), '', 'x'.repeat(100)]) {
    const { status, page, secrets } = await openWith(token);
    assert.deepEqual([status, secrets], [404, []]);
    pages.push(/<p role="alert">([^<]*)</.exec(page)?.[1]);
  }
  const unknown = 'It was not copied completely, or is not valid any more. Ask the person who sent it for a new one.';
  assert.deepEqual(pages, [
    'It has expired. Ask boss for a new one.',
    'It was revoked. Ask boss for a new one.',
    unknown,
    unknown,
    unknown,
  ]);
  const sealed = () =>
    database.read(
      (sql) => sql<{ secrets: number }[]>`
        select count(sealed)::int as secrets from handover_link where link_id = any(${[expired.link_id, revoked.link_id]}::uuid[])`,
    );
  assert.equal((await sealed())[0]!.secrets, 1);
  await service.transaction(noAccounts, (tx) => forgetEndedLinks(tx, 90));
  assert.equal((await sealed())[0]!.secrets, 0);
  assert.match((await openWith(tokenOf(expired))).page, /It has expired\. Ask boss/);
  await database.read(
    (sql) => sql`update handover_link set expires_at = now() - interval '91 days' where link_id = ${expired.link_id}`,
  );
  await service.transaction(noAccounts, (tx) => forgetEndedLinks(tx, 90));
  assert.deepEqual((await staff.ask(handoverLinks, { account_no: 'EXPIRED' })).links, []);
});

test('guesses are limited by address; the limit consumes no link', async () => {
  const guarded = await startTestApp({ store: { ...app.store, close: async () => {} } });
  const { link } = await connect('GUESSED');
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess++)
    statuses.push((await openWith('B'.repeat(43), { http: guarded.http })).status);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 404), 429]);
  const throttled = await openWith(tokenOf(link), { http: guarded.http });
  assert.deepEqual([throttled.status, throttled.secrets], [429, []]);
  assert.match(String(throttled.headers['retry-after']), /^[1-9]\d*$/);
  assert.equal((await openWith(tokenOf(link))).status, 200);
});

test('a rotation can be handed over by a link: old and new secrets work during the overlap; secrets of others are not touched', async () => {
  const { link: first } = await connect('ROTATED');
  await connect('OTHER');
  const old = (await openWith(tokenOf(first))).secrets;
  const issue = (secrets: BodyOf<typeof handoverIssue>['secrets']) => ({
    request_id: randomUUID(),
    account_no: 'ROTATED',
    hours: 24,
    language: 'zh-TW' as const,
    overlap_s: 3600,
    secrets,
  });
  const body = issue([
    { kind: 'account_secret', owner: 'ROTATED' },
    { kind: 'check_value', owner: 'rotated-erp' },
    { kind: 'logistics_key', owner: 'ROTATED/wms' },
  ]);
  const answer = await admin.ask(handoverIssue, body);
  assert.ok(answer.kind === 'issued' && answer.link.url!.includes('lang=zh-TW'));
  assert.deepEqual(await admin.ask(handoverIssue, body), answer);
  const fresh = (await openWith(tokenOf(answer.link))).secrets;
  assert.equal(fresh.length, 3);
  const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };
  for (const secret of [old[0]!, fresh[0]!])
    assert.equal((await app.callWarehouse('/product/sync', tea, { accountNo: 'ROTATED', secret })).status, 200);

  const before = await partnersNow();
  for (const stranger of [
    { kind: 'check_value', owner: 'other-erp' },
    { kind: 'account_secret', owner: 'OTHER' },
    { kind: 'logistics_key', owner: 'OTHER/wms' },
    { kind: 'tenant_callback_secret', owner: 'ROTATED/TPW-ROTATED' },
  ] as const) {
    const both = issue([{ kind: 'account_secret', owner: 'ROTATED' }, stranger]);
    assert.deepEqual(await admin.ask(handoverIssue, both), { kind: 'not_found' }, stranger.kind);
  }
  assert.deepEqual(
    await admin.ask(handoverIssue, { ...issue([{ kind: 'account_secret', owner: 'X' }]), account_no: 'X' }),
    {
      kind: 'not_found',
    },
  );
  assert.deepEqual(await partnersNow(), before);
});

test('the steps complete themselves, open ones name the most frequent error, and a purge deletes no link', async () => {
  const { link } = await connect('STEPS');
  const stepsNow = async () => {
    await app.requestLog.flush();
    return (await viewer.ask(accountsProgress, { account_no: 'STEPS' })).steps;
  };
  assert.deepEqual(
    (await stepsNow()).map(({ kind, done, obstacle }) => [kind, done, obstacle]),
    ['call', 'product', 'inbound', 'order', 'callback'].map((kind) => [kind, null, null]),
  );
  const [secret] = (await openWith(tokenOf(link))).secrets as [string];
  const call = (path: string, body: object, by = secret) =>
    app.callWarehouse(path, body, { accountNo: 'STEPS', secret: by });
  const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };
  const order = {
    warehouse_tpw_id: 'TPW-STEPS',
    outbound_short_id: 'WEB-1',
    logistics_type: 'csvs',
    express_type: 'pcsc',
    consignee_name: '王小明',
    consignee_phone: '0912345678',
    consignee_address: '台北市信義路一段 1 號',
    details: [{ sku_id: 'TEA-1', qty: 1 }],
  };
  const wrong = await call('/product/sync', tea, 'a wrong secret');
  await call('/outbound/create', order);
  const refused = await call('/outbound/create', order);
  const [called, , , ordered] = await stepsNow();
  assert.deepEqual([wrong.status, refused.status, called?.done], [401, 400, null]);
  assert.ok(called!.obstacle?.kind === 'calls');
  assert.ok(ordered!.obstacle?.kind === 'calls');
  assert.deepEqual([ordered!.obstacle.count, ordered!.obstacle.trace_id], [2, refused.headers['trace-id']]);

  const synced = await call('/product/sync', tea);
  const [{ done }, product] = (await stepsNow()) as [
    Awaited<ReturnType<typeof stepsNow>>[0],
    Awaited<ReturnType<typeof stepsNow>>[0],
  ];
  assert.deepEqual(
    [done?.name, done?.trace_id, product.done?.name],
    ['warehouse', synced.headers['trace-id'], 'TEA-1'],
  );
  assert.equal((await purge(app)) === null, true);
  assert.equal((await staff.ask(handoverLinks, { account_no: 'STEPS' })).links.length, 1);
  assert.equal((await viewer.send('/accounts/progress', { account_no: 'NOBODY' })).status, 404);
});

test('the health of an account has its calls and errors of a day and a week, and callbacks that fail or wait', async () => {
  await connect('HEALTH');
  await database.read(
    (sql) => sql`
      with own as (select account_id from account where account_no = 'HEALTH'), calls as (
        insert into call_trend (account_id, hour, calls, refused, failed, duration_ms)
        select account_id, now() - make_interval(hours => age), 100, 5, 1, 10 from own, (values (1), (30), (24 * 8)) as h (age)
      )
      insert into callback_receiver (account_id, receiver_id, address, unsuccessful)
      select account_id, gen_random_uuid(), 'https://partner.example/hook', failures from own, (values (0), (3)) as f (failures)`,
  );
  const { accounts } = await viewer.ask(accountsHealth, {});
  const health = accounts.find(({ account_no }) => account_no === 'HEALTH');
  assert.deepEqual(health, {
    account_no: 'HEALTH',
    calls_24h: 100,
    errors_24h: 6,
    calls_7d: 200,
    errors_7d: 12,
    receivers_failing: 1,
    callbacks_waiting: 0,
    callbacks_failed: 0,
  });
  const progress = await viewer.ask(accountsProgress, { account_no: 'HEALTH' });
  assert.deepEqual(progress.health, health);
  assert.deepEqual(
    [progress.orders_by_day.length, progress.orders_by_day.every(({ count }) => count === 0)],
    [7, true],
  );
});

test('the service cannot change who issued a link, when it expires or what it is called', async () => {
  const { link } = await connect('KEPT');
  const [row] = await database.read(
    (sql) => sql<{ account_id: number }[]>`select account_id from account where account_no = 'KEPT'`,
  );
  for (const change of [`created_by = 'somebody'`, `expires_at = now() + interval '1 year'`, `token_digest = '\\x00'`])
    await assert.rejects(
      service.transaction([row!.account_id], (tx) =>
        tx.unsafe(`update handover_link set ${change} where link_id = '${link.link_id}'`),
      ),
      /permission denied/,
    );
  const unstated = await service.transaction(noAccounts, (tx) =>
    tx.unsafe(
      `update handover_link set revoked_by = 'x', revoked_at = now(), sealed = null, master_key_id = null where link_id = '${link.link_id}'`,
    ),
  );
  assert.equal(unstated.count, 0);
});
