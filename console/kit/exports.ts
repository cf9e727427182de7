import { useSyncExternalStore } from 'react';
import type { BodyOf } from '../../contract/console/console-call.ts';
import type { ExportFormat, ExportList, exportFile } from '../../contract/console/exports.ts';
import { askFor } from './ask.ts';
import { AskError } from './ask-error.ts';
import { saveFile } from './save-file.ts';

/** The calls whose lists can be exported. */
const listOfPath: Record<string, ExportList> = {
  '/orders/search': 'orders',
  '/inbound/search': 'inbound',
  '/products/search': 'products',
  '/stock/search': 'stock',
  '/stock/skus': 'skus',
  '/stock/lot': 'movements',
  '/counts/search': 'counts',
  '/callbacks/search': 'callbacks',
  '/receivers/list': 'receivers',
  '/requests/search': 'requests',
  '/requests/grouped': 'request-errors',
  '/accounts/list': 'accounts',
  '/clients/list': 'clients',
  '/logistics-keys/list': 'keys',
  '/warehouses/list': 'warehouses',
  '/stores/list': 'stores',
  '/operators/list': 'operators',
  '/alerts/history': 'alert-history',
  '/audit-log/search': 'audit-log',
  '/trends/orders': 'trend-days',
  '/trends/stock': 'trend-expiry',
  '/trends/callbacks': 'trend-receivers',
  '/trends/calls': 'trend-callers',
};

/** null: the list of this call cannot be exported. */
export function exportListOf(path: string | undefined): ExportList | null {
  return (path !== undefined && listOfPath[path]) || null;
}

export interface RunningExport {
  id: number;
  title: string;
  format: ExportFormat;
  rows: number;
  state: 'running' | 'done' | 'failed';
  error: AskError | null;
  cancel(): void;
}

/** They run on while the operator opens other pages. */
let running: RunningExport[] = [];
const listeners = new Set<() => void>();
let lastId = 0;

function set(next: RunningExport[]): void {
  running = next;
  for (const notify of listeners) notify();
}

function change(id: number, changes: Partial<RunningExport>): void {
  set(running.map((one) => (one.id === id ? { ...one, ...changes } : one)));
}

export function dismissExport(id: number): void {
  set(running.filter((one) => one.id !== id));
}

export function useExports(): RunningExport[] {
  return useSyncExternalStore(subscribe, () => running);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts an export; its file is saved when it is complete. */
export async function startExport(title: string, body: BodyOf<typeof exportFile>): Promise<void> {
  const leaving = new AbortController();
  const id = ++lastId;
  const cancel = () => {
    leaving.abort();
    dismissExport(id);
  };
  set([...running, { id, title, format: body.format, rows: 0, state: 'running', error: null, cancel }]);
  try {
    const response = await askFor<typeof exportFile>('/exports/file', { ...body, progress: true }, leaving.signal);
    const file = await readFile(response.body!, (rows) => change(id, { rows }));
    saveFile(file, /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export');
    change(id, { state: 'done' });
  } catch (error) {
    if (leaving.signal.aborted) return;
    change(id, { state: 'failed', error: error instanceof AskError ? error : brokenOff() });
  }
}

function brokenOff(): AskError {
  return new AskError({ kind: 'network', message: '', status: null, traceId: null, mistakes: [] });
}

const headBytes = 8;
const end = 0xffffffff;
/** A browser moves blobs to its disk, so the memory of the page does not grow with the file. */
const blobBytes = 4 * 1024 * 1024;

/** Reads the frames of an export. A file without its last frame was broken off. */
async function readFile(body: ReadableStream<Uint8Array<ArrayBuffer>>, onRows: (rows: number) => void): Promise<Blob> {
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let partsBytes = 0;
  let head = new Uint8Array(0);
  let left = 0;
  const keep = (bytes: Uint8Array<ArrayBuffer>) => {
    parts.push(bytes);
    partsBytes += bytes.length;
    if (partsBytes < blobBytes) return;
    blobs.push(new Blob(parts));
    [parts, partsBytes] = [[], 0];
  };
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw brokenOff();
    for (let place = 0; place < value.length; ) {
      if (left > 0) {
        const bytes = value.slice(place, place + left);
        keep(bytes);
        [place, left] = [place + bytes.length, left - bytes.length];
        continue;
      }
      const more = value.slice(place, place + headBytes - head.length);
      head = new Uint8Array([...head, ...more]);
      place += more.length;
      if (head.length < headBytes) break;
      const numbers = new DataView(head.buffer);
      onRows(numbers.getUint32(4));
      if (numbers.getUint32(0) === end) return new Blob([...blobs, ...parts]);
      left = numbers.getUint32(0);
      head = new Uint8Array(0);
    }
  }
}
