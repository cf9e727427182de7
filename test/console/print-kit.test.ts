import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BarcodeDrawing, drawCode128, drawQrCode } from '../../console/kit/draw-barcode.ts';
import { printPath, readPrintJob } from '../../console/pages/print/print-job.ts';
import { readStoreLabel } from '../../console/pages/print/store-label-fields.ts';
import { decodeCode128, decodeQr } from '../support/decode-barcode.ts';

/** The modules of a row of bars. Each bar is a line from top to bottom. */
function barsOf({ modules, paths }: BarcodeDrawing): boolean[] {
  const dark = Array.from({ length: modules }, () => false);
  for (const { d, strokeWidth } of paths)
    for (const [, x] of d.matchAll(/M([\d.]+) /g)) {
      const width = Number(strokeWidth);
      dark.fill(true, Number(x) - width / 2, Number(x) + width / 2);
    }
  return dark;
}

/** The modules of a matrix: those that an odd number of edges of its polygons separate from the left side. */
function modulesOf({ modules, paths }: BarcodeDrawing): boolean[][] {
  const unit = 2;
  const edges = paths.flatMap(({ d }) =>
    d.split('Z').flatMap((polygon) => {
      const points = [...polygon.matchAll(/[ML](\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
      return points.map((point, index) => [point, points[(index + 1) % points.length]!] as const);
    }),
  );
  const verticals = edges.filter(([[x0], [x1]]) => x0 === x1);
  return Array.from({ length: modules }, (_, row) =>
    Array.from({ length: modules }, (_, column) => {
      const [x, y] = [(column + 0.5) * unit, (row + 0.5) * unit];
      const crossed = verticals.filter(([[at, y0], [, y1]]) => at < x && Math.min(y0, y1) < y && y < Math.max(y0, y1));
      return crossed.length % 2 === 1;
    }),
  );
}

const numbers = ['ow_SO-20261118-0001_0f1e2d3c4b', 'F0012345678901', '9012345678901', 'a', 'x^y ~{|}', 'AB12'];

test('a Code 128 symbol of a number has bars that a decoder reads as that number', () => {
  for (const number of numbers) assert.equal(decodeCode128(barsOf(drawCode128(number)!)), number);
  // Six digits in a row take three symbols, and the fewer bars a symbol has, the wider they are.
  assert.equal(drawCode128('123456')!.modules, 11 * 5 + 13);
});

test('a text that scanners would not type as it is has no Code 128 symbol', () => {
  for (const text of ['訂單-1', 'é', 'a\tb', '']) assert.equal(drawCode128(text), null, text);
});

test('a QR code of a number has modules that a decoder reads as that number, also with Chinese characters', () => {
  for (const number of [...numbers, '訂單-1 測試']) assert.equal(decodeQr(modulesOf(drawQrCode(number))), number);
});

test('the address of a print-out holds all that it prints, and nothing else is read as one', () => {
  const read = (path: string) => {
    const [name, query] = path.slice('/print/'.length).split('?');
    return readPrintJob(name!, new URLSearchParams(query));
  };
  const label = printPath('shipping-label', [12, 13], { paper: '100x100', parcels: 2 });
  assert.equal(label, '/print/shipping-label?orders=12,13&paper=100x100&parcels=2');
  const none = { batch: null, slots: null };
  const job = { printOut: 'shipping-label', orderIds: [12, 13], paper: '100x100', parcels: 2, ...none };
  assert.deepEqual(read(label), job);
  const list = printPath('pick-list', [12, 13], { batch: 7, slots: [1, 4] });
  assert.equal(list, '/print/pick-list?orders=12,13&batch=7&slots=1,4');
  assert.deepEqual(read(list), { ...job, printOut: 'pick-list', paper: null, parcels: 1, batch: 7, slots: [1, 4] });
  // Paper that does not fit, and numbers twice.
  assert.deepEqual(read('/print/shipping-label?orders=12,13,12&paper=a4&parcels=2'), { ...job, paper: null });
  const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();
  for (const wrong of [
    'invoice?orders=1',
    'packing-slip',
    'packing-slip?orders=',
    'packing-slip?orders=1,x',
    'packing-slip?orders=0',
    `packing-slip?orders=${tooMany}`,
  ])
    assert.equal(read(`/print/${wrong}`), null, wrong);
});

test('of the data for a store label, the store and the codes are known by their names; all other fields are texts', () => {
  const label = {
    StoreName: '鑫台大門市',
    'store-id': '991182',
    label: { Bar_Code: ['F001', 'F002'], qrcode2: 'B1||F001', size: 60, note: null },
    barcode_type: 'C128',
    cod: true,
  };
  assert.deepEqual(readStoreLabel(label), {
    storeName: '鑫台大門市',
    storeNo: '991182',
    codes: [
      { name: 'label.Bar_Code.0', text: 'F001', isQr: false },
      { name: 'label.Bar_Code.1', text: 'F002', isQr: false },
      { name: 'label.qrcode2', text: 'B1||F001', isQr: true },
    ],
    texts: [
      ['label.size', '60'],
      ['barcode_type', 'C128'],
      ['cod', 'true'],
    ],
  });
  // A second store is not lost.
  const two = readStoreLabel({ store_id: '1', sender: { store_id: '2' } });
  assert.deepEqual([two.storeNo, two.texts], ['1', [['sender.store_id', '2']]]);
});
