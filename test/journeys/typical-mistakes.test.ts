import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { live, provisionLive } from '../support/live.ts';
import { item, orderPath, shippingOrder, unchanged } from '../support/logistics.ts';
import { inboundBody, orderBody, receive } from '../support/warehouse.ts';
import type { Mistake, Seen } from './mistakes/mistake.ts';
import { callbackMistakes, logisticsMistakes, reader, tokenMistakes } from './mistakes/other-mistakes.ts';
import { businessMistakes, requestMistakes } from './mistakes/request-mistakes.ts';
import { signatureMistakes } from './mistakes/signature-mistakes.ts';

const app = await startTestApp();
await provisionLive(app);

const mistakes: Mistake[] = [
  ...signatureMistakes,
  ...requestMistakes,
  ...businessMistakes,
  ...tokenMistakes,
  ...logisticsMistakes,
  ...callbackMistakes,
];

before(async () => {
  await app.provision({
    clients: [
      {
        client_id: reader.clientId,
        check_value: reader.checkValue,
        account_no: 'ALPHA',
        permissions: ['orders.read', 'stocks.read'],
      },
    ],
  });
  await receive(app, { TEA: [['2099-01-01', 90]], USED: [['2099-01-01', 5]] });
  await receive(app, { TEA: [['2099-01-01', 90]] }, live);
  for (const [number, sku] of [
    ['IN-TWICE', 'TEA'],
    ['IN-USED', 'USED'],
  ] as const)
    await app.callWarehouse('/inbound/create', inboundBody(number, { [sku]: [['2099-01-01', 3]] }));
  await app.callWarehouse('/outbound/create', orderBody('OUT-USES', [['USED', 8]]));
  await app.callWarehouse('/outbound/create', orderBody('OUT-KNOWN', [['TEA', 1]]));
  await app.callLogistics(orderPath, shippingOrder('L-KNOWN', [item('TEA', 1)]));
  await app.callWarehouse('/outbound/create', orderBody('OUT-PICKED', [['TEA', 1]], live), live);
  const picked = { orders: [{ outbound_short_id: 'OUT-PICKED', status: 'picking' }] };
  assert.equal((await app.callMain('/fulfilment/advance', picked, { as: live })).status, 200);
});

const rows: [string, string, string][][] = [[], []];

for (const { mistake, make, names, fix } of mistakes) {
  test(`${mistake[0]}: the service names it`, async () => {
    const isAccepted = /typing mistake: `consignee/.test(mistake[0]);
    const seen = isAccepted ? await make(app) : await unchanged(app, () => make(app));

    assert.match([seen.code, ...seen.texts].join(' '), names);
    mistake.forEach((text, language) => void rows[language]!.push([text, cellOf(seen), fix[language]!]));
  });
}

function cellOf({ status, code, texts }: Seen): string {
  const said = texts.map((text) => `\`${text}\``).join(', ');
  return [status === null ? '' : String(status), code === '' ? '' : `\`${code}\``, said].filter(Boolean).join(' ');
}

const heads = ['| mistake | what you see | fix |\n|---|---|---|\n', '| 錯誤 | 看到的回應 | 修正 |\n|---|---|---|\n'];

/** The tables of the guides are these responses: `LADING_WRITE_DOCS=1` writes them. */
for (const [language, path] of ['docs/mistakes.md', 'docs/zh-TW/mistakes.md'].entries()) {
  test(`${path} lists all of them with these responses`, () => {
    const file = new URL(`../../${path}`, import.meta.url);
    const [start, end] = ['<!-- mistakes -->\n', '<!-- end of mistakes -->'];
    const text = readFileSync(file, 'utf8');
    const [head = '', tail = ''] = [text.split(start)[0], text.split(end)[1]];
    const body = rows[language]!.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
    const expected = `${head}${start}${heads[language]}${body}${end}${tail}`;
    if (process.env.LADING_WRITE_DOCS) writeFileSync(file, expected);
    assert.equal(readFileSync(file, 'utf8'), expected);
  });
}

test('there are at least 45', () => {
  assert.ok(mistakes.length >= 45);
  assert.equal(rows[0]!.length, mistakes.length);
});
