import type { BenchOptions } from './benchmark.ts';
import { compareOnBoth, type OfficeMeasurement, withFewAndMany } from './few-and-many.ts';
import type { Output } from './figures.ts';

/** Ensures that the smaller database fills its pages too; otherwise it would have less work. */
const page_size = 20;

const dayMs = 86_400_000;
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
const lastMonth = { created_from: day(60), created_to: day(30) };

/** The requests as sent by the pages. With `counted`, the response also has the total and the count of each tab. */
const counted = true;
const calls: [what: string, path: string, body: object][] = [
  ['the first page', '/orders/search', { page_size }],
  ['the first page with counts', '/orders/search', { page_size, counted }],
  ['the oldest first', '/orders/search', { page_size, reversed: true }],
  ['by the last change', '/orders/search', { page_size, sort: 'updated' }],
  ['by the last change, the oldest first', '/orders/search', { page_size, sort: 'updated', reversed: true }],
  ['a tab with few orders, with counts', '/orders/search', { status: ['packed'], page_size: 5, counted }],
  ['a tab with most orders, with counts', '/orders/search', { status: ['delivered'], page_size, counted }],
  ['a month', '/orders/search', { ...lastMonth, page_size }],
  ['a month, with counts', '/orders/search', { ...lastMonth, page_size, counted }],
  ['a product', '/orders/search', { sku_id: 'B-SKU-7', page_size: 10 }],
  ['a product, with counts', '/orders/search', { sku_id: 'B-SKU-7', page_size: 10, counted }],
  ['a warehouse, with counts', '/orders/search', { warehouse_no: [2], page_size, counted }],
  ['a carrier', '/orders/search', { carrier: ['hct'], page_size }],
  ['a carrier, with counts', '/orders/search', { carrier: ['hct'], page_size, counted }],
  ['a delivery method, with counts', '/orders/search', { delivery: ['csvs'], page_size, counted }],
  ['a temperature', '/orders/search', { storage: ['frozen'], page_size }],
  ['a temperature, with counts', '/orders/search', { storage: ['frozen'], page_size, counted }],
  ['a recipient', '/orders/search-by-recipient', { by: 'name', text: '陳', page_size }],
  ['inbound documents', '/inbound/search', { page_size }],
  ['inbound documents, with counts', '/inbound/search', { page_size, counted }],
  ['inbound documents by arrival', '/inbound/search', { page_size, sort: 'arrival' }],
  ['inbound documents of a temperature', '/inbound/search', { storage: ['frozen'], page_size, counted }],
  ['callbacks', '/callbacks/search', { page_size }],
  ['callbacks, with counts', '/callbacks/search', { page_size, counted }],
  ['products, with counts', '/products/search', { page_size, counted }],
  ['products by name', '/products/search', { page_size, sort: 'name' }],
];

/** Compares the lists of the office on few and on many orders. */
export async function benchLists(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withFewAndMany(compareLists, options, output);
}

export const compareLists: OfficeMeasurement = async (sides, options, output) =>
  await compareOnBoth(
    sides,
    calls.map(([what, path, body]) => ({ what, path, body })),
    options,
    output,
  );
