import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoProvisioning } from '../../cli/demo-account.ts';
import { blockNamed, readGuide } from '../docs/guide.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { addressOf } from '../support/clients.ts';
import { columns } from '../support/console.ts';
import { payloadDiffers } from '../support/errors.ts';
import { freePort } from '../support/free-port.ts';
import { form, item, shippingOrder } from '../support/logistics.ts';
import { startProgram } from '../support/program.ts';
import { throughProxy } from '../support/validating-proxy.ts';
import { dump, inboundBody, orderBody } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';
import { type Driver, failureOf, type Kind, type Language, languages, startDriver } from './driver.ts';

const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
startTestBackground(app);
const serviceUrl = await addressOf(app);
const url = await throughProxy(serviceUrl);
const issued = await app.provision(demoProvisioning);
const secretOf = (kind: string) => issued.find((one) => one.kind === kind)!.value;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lading-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const credentialsOf: Record<Kind, string[]> = {
  warehouse: [alpha.accountNo, alpha.secret],
  main: [alpha.clientId, alpha.checkValue],
  logistics: [alpha.apiKey],
};
const clientOf = (driver: Driver, kind: Kind, to = url, credentials = credentialsOf[kind]) =>
  driver.client({ kind, url: to, credentials, options: { retriesMax: 0 } });

for (const language of languages) {
  const { title } = language;
  const driver = await startDriver(language);
  const [warehouse, main, logistics] = (['warehouse', 'main', 'logistics'] as const).map((kind) =>
    clientOf(driver, kind),
  ) as [Call, Call, Call];
  type Call = ReturnType<Driver['client']>;
  const tea = `TEA-${title}`;
  const number = (name: string) => `${title}-${name}`;

  test(`${title}: product, goods, order, stock and cancellation, and a repeat of each`, async () => {
    const product = { sku_id: tea, sku_name: '烏龍茶 "é" \\ \u2028 🍵', storage_type: 1, weight: 0.25 };
    const { products_id } = await warehouse('productSync', product);
    assert.deepEqual(await warehouse('productSync', product), { products_id });

    const goods = inboundBody(number('IN'), { [tea]: [['2030-06-30', 10]] });
    const { stock_in_no, ...created } = await warehouse('inboundCreate', goods);
    assert.deepEqual(created, { stock_in_sn: number('IN'), warehouse_no: 1, duplicate: false });
    assert.deepEqual(await warehouse('inboundCreate', goods), { stock_in_no, ...created, duplicate: true });

    const order = orderBody(number('OUT'), [[tea, 4]]);
    const { orders_id, idempotent } = await warehouse('outboundCreate', order);
    assert.equal(idempotent, false);
    assert.deepEqual(await warehouse('outboundCreate', order), { orders_id, idempotent: true });
    const other = orderBody(number('OUT'), [[tea, 5]]);
    assert.deepEqual(await warehouse('outboundCreate', other), { orders_id, idempotent: true, ...payloadDiffers });
    assert.deepEqual(await driver.ask({ do: 'warnings' }), [
      ['/warehouse/v1/outbound/create', payloadDiffers.warnings],
    ]);

    const back = { ...inboundBody(number('RT'), { [tea]: [['2031-01-31', 1]] }), outbound_short_id: number('OUT') };
    assert.equal((await warehouse('inboundReturn', back)).stock_in_sn, number('RT'));
    const stock = await warehouse('stockQuery', [tea, 'NO-TEA', tea], alpha.warehouseTpwId);
    assert.deepEqual(columns(stock, 'sku_id', 'qty', 'qty_lock', 'qty_available'), [
      [tea, 10, 4, 6],
      [tea, 1, 0, 1],
      ['NO-TEA', 0, 0, 0],
    ]);
    assert.deepEqual(await warehouse('outboundCancel', [number('OUT'), 'NO-ORDER']), [
      { outbound_short_id: number('OUT'), status: 'cancelled' },
      { outbound_short_id: 'NO-ORDER', status: 'not_found' },
    ]);
    const cancelled = [{ stock_in_sn: number('RT'), status: 'cancelled' }];
    assert.deepEqual(await warehouse('inboundCancel', [number('RT')]), cancelled);
  });

  test(`${title}: a rejection has its code, its trace id and every field, and changes nothing`, async () => {
    const before = await dump(app);
    // A proxy that checks requests would reject this one itself.
    const direct = clientOf(driver, 'warehouse', serviceUrl);
    const refused = await failureOf(direct('productSync', { sku_id: '', sku_name: 'No', storage_type: 9 }));
    assert.deepEqual([refused.kind, refused.status, refused.code], ['RefusedError', 400, 'PARAM_INVALID']);
    assert.deepEqual(columns(refused.errors, 'code', 'path'), [
      ['field_invalid', 'sku_id'],
      ['field_invalid', 'storage_type'],
    ]);
    assert.equal(refused.message, `${refused.reason} (trace_id ${refused.trace_id})`);
    assert.equal((await app.requestLine(refused.trace_id!))?.status, 400);

    const short = await failureOf(warehouse('outboundCreate', orderBody(number('SHORT'), [[tea, 1000]])));
    assert.equal(short.reason, `sku ${tea} available=10 < requested=1000`);
    const stranger = clientOf(driver, 'warehouse', url, [alpha.accountNo, 'another']);
    const unsigned = await failureOf(stranger('stockQuery', [tea]));
    assert.deepEqual([unsigned.kind, unsigned.status, unsigned.code], ['UnauthorizedError', 401, 'LST-TPW-4001']);
    const nobody = await failureOf(clientOf(driver, 'main', url, ['nobody', 'lcv_x'])('searchPage', 'orders'));
    assert.deepEqual(
      [nobody.kind, nobody.status, nobody.errors[0]?.code],
      ['UnauthorizedError', 200, 'credentials_invalid'],
    );
    const keyless = await failureOf(clientOf(driver, 'logistics', url, ['lak_x'])('shippingOrder', {}));
    assert.deepEqual([keyless.kind, keyless.errors[0]?.code], ['UnauthorizedError', 'api_key_invalid']);
    assert.deepEqual(await dump(app), before);
  });

  test(`${title}: a UAT account learns why its signature was rejected`, async () => {
    const body = `{"sku_id":"${tea}"}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = await driver.ask({
      do: 'sign',
      account_no: alpha.accountNo,
      secret: `${alpha.secret}\n`,
      body: Buffer.from(body).toString('base64'),
      timestamp,
    });
    const { signature_matches, findings } = await warehouse('diagnose', signed, body);
    assert.equal(signature_matches, false);
    assert.ok(findings.length > 0);
  });

  test(`${title}: the main API gives its token, and lists of several pages`, async () => {
    const names = Array.from({ length: 5 }, (_, index) => number(`PAGE-${index}`));
    for (const name of names) await main('ordersCreate', orderBody(name, [[tea, 1]]));
    const search = { 'orders.outbound_short_id': names, page_size: 2 };
    const rows = await main('searchOrders', search);
    assert.deepEqual(columns(rows, 'outbound_short_id').flat().toSorted(), names);
    const page = await main('searchPage', 'orders', { ...search, total: true });
    assert.deepEqual([page.rows.length, page.total, page.total_is_more], [2, 5, false]);
    const rest = await main('searchOrders', { ...search, cursor: page.next_cursor });
    assert.deepEqual([...page.rows, ...rest], rows);
    const results = await main('ordersCancel', { outbound_short_ids: names });
    assert.deepEqual(columns(results, 'status').flat(), Array(5).fill('cancelled'));
  });

  test(`${title}: its receiver gets and verifies the callbacks of a form and of a cancelled order`, async () => {
    const { receiver, callback_url } = await startReceiver(language);
    await logistics('inboundForm', form(number('PO'), [{ ...item(tea, 3), name: '茶' }], { callback_url }));
    await logistics('shippingOrder', shippingOrder(number('WMS'), [item(tea, 2)], { callback_url }));
    const again = await logistics('shippingOrder', shippingOrder(number('WMS'), [item(tea, 2)], { callback_url }));
    assert.equal(again.idempotent, true);
    assert.equal((await main('ordersCancel', { internal_names: [number('WMS')] }))[0].status, 'cancelled');
    await logistics('testCallback', { event: 'order.shipped', document_no: number('WMS'), callback_url });
    const expected = [
      `inbound.received ${number('PO')} received`,
      `order.cancelled ${number('WMS')} cancelled`,
      `order.shipped ${number('WMS')} shipped`,
    ];
    await until(`the receiver prints ${expected}: ${receiver.printed()}`, () =>
      expected.every((line) => receiver.printed().includes(line)),
    );
    await receiver.stop();
    const delivered = async () => {
      const rows = await main('searchCallbacks', { 'callbacks.document_no': [number('PO'), number('WMS')] });
      return columns(rows, 'status').flat().join(' ');
    };
    await until('all are delivered', async () => (await delivered()) === 'delivered delivered delivered');
  });

  test(`${title}: the page, copied into an empty folder, brings the output of the quickstart`, async () => {
    const place = mkdtempSync(join(folder, 'first-'));
    const page = readGuide('clients.md').replaceAll('http://127.0.0.1:8080', serviceUrl);
    const [first, orders] = title === 'PHP' ? ['first-order.php', 'orders.php'] : ['first_order.py', 'orders.py'];
    for (const file of [first!, orders!]) writeFileSync(join(place, file), blockNamed(page, file));
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      LADING_SECRET: secretOf('account_secret'),
      LADING_CHECK_VALUE: secretOf('check_value'),
    };
    const run = async (...words: [string, ...string[]]) =>
      (await promisify(execFile)(words[0], words.slice(1), { cwd: place, env })).stdout;
    const installed = await run('sh', '-ec', blockNamed(page, `install-${title.toLowerCase()}`));
    assert.equal(installed, `lading.${first!.split('.')[1]}: OK\n`);

    const isFirst = language === languages[0];
    const shown = blockNamed(readGuide('quickstart.md'), 'output');
    const expected = isFirst ? shown : shown.replaceAll(/new$/gm, 'known already');
    assert.equal(withoutNumbers(await run(language.program, first!)), withoutNumbers(expected));
    const again = withoutNumbers(await run(language.program, first!));
    assert.equal(again, withoutNumbers(shown).replaceAll(/new$/gm, 'known already'));
    assert.equal(await run(language.program, orders!), 'DEMO-QUICK-OUT-1 pending_warehouse_transfer\n');

    // PHP prints errors to standard output.
    env.LADING_SECRET = undefined;
    const failed = await run(language.program, first!).catch((error) => `${error.stdout}${error.stderr}`);
    assert.match(failed, title === 'PHP' ? /LADING_SECRET is not set/ : /KeyError: 'LADING_SECRET'/);
  });
}

/** Values that differ between services. */
function withoutNumbers(output: string): string {
  return output
    .trim()
    .replace(/^product \d+$/m, 'product N')
    .replace(/si_[0-9a-f]{20}/, 'si_N')
    .replaceAll(/(ow_DEMO-QUICK-OUT-1_)[0-9a-f]{10}/g, '$1N');
}

/** Starts the receiver of a language on a free port. */
async function startReceiver({ folder: files, program }: Language) {
  const place = mkdtempSync(join(folder, 'receiver-'));
  cpSync(join(root, files), place, { recursive: true });
  const port = await freePort();
  const file = program === 'php' ? 'receiver.php' : 'receiver.py';
  const source = blockNamed(readGuide('callbacks.md'), file).replace('9090', String(port));
  writeFileSync(join(place, file), source);
  const words: [string, ...string[]] = program === 'php' ? ['php', '-S', `127.0.0.1:${port}`, file] : ['python3', file];
  const receiver = startProgram(words, { cwd: place, env: { LADING_CALLBACK_SECRET: alpha.callbackSecret } });
  const callback_url = `http://127.0.0.1:${port}/callbacks`;
  const isListening = () => fetch(callback_url, { method: 'POST', body: '{}' }).then(Boolean, () => false);
  await until('the receiver listens', isListening);
  return { receiver, callback_url };
}
