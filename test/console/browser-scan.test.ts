import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  focused,
  phone,
  playedTones,
  recordTones,
  scan,
  scanFast,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { announce, provisionReceiving } from '../support/receiving.ts';
import { inboundRow, order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await provisionReceiving(app);
const browser = await startConsoleBrowser(app);

async function inboundPath(number: string): Promise<string> {
  return `/inbound/${(await inboundRow(app, number))!.inbound_id}`;
}

test('sixty scans, one every 50 ms, are all counted', async () => {
  await announce(app, 'FAST-1', { 'FAST-TEA': 30, 'FAST-CUP': 20, 'FAST-POT': 10 });
  const watched = await browser.open('staff', await inboundPath('FAST-1'), { viewport: phone });
  const { page } = watched;
  await focused(page, 'Scan a product');
  await scanFast(page, Array(10).fill(['FAST-TEA', 'FAST-CUP', 'FAST-TEA', 'FAST-POT', 'FAST-CUP', 'FAST-TEA']).flat());
  await shown(page.getByRole('button', { name: 'Receive 60 units' }));
  await shown(page.getByText('FAST-TEA: 30'));
  await assertFitsWidth(page);
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('scans that wait for the server are handled one after the other, and none is lost', async () => {
  await receive(app, { 'WAIT-TEA': [['2030-01-01', 50]] }, live);
  const numbers = Array.from({ length: 20 }, (_, place) => `FAST-ORDER-${place + 1}`);
  for (const number of numbers) await order(app, number, [['WAIT-TEA', 1]], live);
  const watched = await browser.open('staff', '/pick');
  const { page } = watched;
  await focused(page, 'Order number');
  await page.getByRole('switch', { name: 'Collect first' }).press(' ');
  // The scanner types although the focus is on the switch; the scan field takes it.
  await scanFast(page, numbers);
  await shown(page.getByText('FAST-ORDER-20 collected'));
  await shown(page.getByRole('heading', { name: '20 collected' }));
  assertNoComplaints(watched);
});

test('the soft keyboard stays closed until the switch opens it, and the choice survives a reload', async () => {
  await announce(app, 'KEYS-1', { 'KEYS-TEA': 1 });
  const { page } = await browser.open('staff', await inboundPath('KEYS-1'), { viewport: phone });
  const field = page.getByRole('textbox', { name: 'Scan a product' });
  const button = page.getByRole('button', { name: 'Keyboard on the screen' });
  assert.equal(await field.getAttribute('inputmode'), 'none');
  await button.click();
  await page.locator('input[inputmode=text]:focus').waitFor();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await page.reload();
  await page.locator('input[inputmode=text]').waitFor();
  await button.click();
  await page.locator('input[inputmode=none]:focus').waitFor();
});

test('a right scan and a wrong one sound different, until the sound is switched off', async () => {
  await announce(app, 'SOUND-1', { 'SOUND-TEA': 5 });
  const { page } = await browser.open('staff', await inboundPath('SOUND-1'), {}, recordTones);
  await focused(page, 'Scan a product');
  await scan(page, 'SOUND-TEA');
  await shown(page.getByText('SOUND-TEA: 1'));
  assert.deepEqual(await playedTones(page), [1320]);
  await scan(page, 'SOUND-POT');
  await shown(page.getByRole('alert').getByText('SOUND-POT is not in this document'));
  assert.deepEqual(await playedTones(page), [220, 165]);
  await page.getByRole('button', { name: 'Sound', exact: true }).click();
  await focused(page, 'Scan a product');
  await scan(page, 'SOUND-CAN');
  await shown(page.getByRole('alert').getByText('SOUND-CAN is not in this document'));
  await page.reload();
  await focused(page, 'Scan a product');
  await scan(page, 'SOUND-BOX');
  await shown(page.getByRole('alert').getByText('SOUND-BOX is not in this document'));
  assert.deepEqual(await playedTones(page), []);
});
