import type { OrderDocument } from '../../../contract/console/print.ts';

/** The sizes of paper; the content is within the margins. */
export const papers = {
  a4: { widthMm: 210, heightMm: 297, marginMm: 12 },
  '100x100': { widthMm: 100, heightMm: 100, marginMm: 4 },
  '100x150': { widthMm: 100, heightMm: 150, marginMm: 4 },
} as const;
export type Paper = keyof typeof papers;

/** The print-outs by the name in their address, each with the paper that it fits on; the first one is the default. */
export const printOuts = {
  'packing-slip': { document: 'packing_slip', papers: ['a4', '100x150'] },
  'shipping-label': { document: 'shipping_label', papers: ['100x150', '100x100'] },
  'store-label': { document: 'store_label', papers: ['100x150', '100x100'] },
  'order-codes': { document: 'order_codes', papers: ['a4', '100x100'] },
  'return-slip': { document: 'return_slip', papers: ['a4', '100x150'] },
  'pick-list': { document: null, papers: ['a4', '100x150'] },
} as const satisfies Record<string, { document: OrderDocument | null; papers: readonly Paper[] }>;
export type PrintOut = keyof typeof printOuts;
export const printOutNames = Object.keys(printOuts) as PrintOut[];

export interface PrintJob {
  printOut: PrintOut;
  orderIds: number[];
  /** null: the paper that was used last in this browser, or the default. */
  paper: Paper | null;
  /** The number of labels for an order whose parcels have no numbers yet. */
  parcels: number;
  /** Pick lists of a batch: its number, and the slot of each order. */
  batch: number | null;
  slots: number[] | null;
}

const ordersMax = 100;
const parcelsMax = 20;

/**
 * The address of a print-out. The page opens the print dialog when everything is drawn:
 * `/print/shipping-label?orders=12,13&paper=100x150&parcels=2`
 * `/print/pick-list?orders=12,13&slots=1,4&batch=7`
 */
export function printPath(
  printOut: PrintOut,
  orderIds: number[],
  { paper, parcels, batch, slots }: Partial<Omit<PrintJob, 'printOut' | 'orderIds'>> = {},
): string {
  const lists = { orders: orderIds.join(), paper, parcels, batch, slots: slots?.join() };
  const given = Object.entries(lists).filter(([, value]) => value !== undefined && value !== null);
  return `/print/${printOut}?${given.map(([name, value]) => `${name}=${value}`).join('&')}`;
}

/** null: the address is of no print-out. */
export function readPrintJob(name: string, query: URLSearchParams): PrintJob | null {
  const printOut = printOutNames.find((one) => one === name);
  const orderIds = readNumbers(query.get('orders'));
  const [slots, parcels, batch] = [query.get('slots'), query.get('parcels'), query.get('batch')].map(readNumbers);
  if (printOut === undefined || orderIds === null || orderIds.length > ordersMax) return null;
  return {
    printOut,
    orderIds,
    paper: printOuts[printOut].papers.find((one) => one === query.get('paper')) ?? null,
    parcels: Math.min(parcels?.[0] ?? 1, parcelsMax),
    batch: batch?.[0] ?? null,
    slots: slots?.length === orderIds.length ? slots : null,
  };
}

/** `12,13`: each number once; null if there is none. */
function readNumbers(text: string | null): number[] | null {
  return text !== null && /^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(text)
    ? [...new Set(text.split(',').map(Number))]
    : null;
}
