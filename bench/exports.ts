import { setTimeout as sleep } from 'node:timers/promises';
import { type ExportFormat, exportEnd, exportFormats } from '../contract/console/exports.ts';
import { residentMb } from '../faults/resident-memory.ts';
import type { BenchOptions } from './benchmark.ts';
import { compareBeside } from './beside-orders.ts';
import { consoleUrl, signIn } from './console-calls.ts';
import { storeForOffice } from './few-and-many.ts';
import { judged, type Output, rounded } from './figures.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

/** Six lines for five orders. Another number of orders with --orders. */
const storedOrders = { quick: 10_000, full: 1_000_000 };
/** The last half of an export needs hardly more memory than the first one, however long it is. */
const memoryGoal = { atMost: 1.1 };
const sampleMs = 500;
const mebibyte = 1_048_576;

/** Exports all orders with their lines, watches the memory of the service, and compares orders per second beside exports. */
export async function benchExports(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const orders = options.orders ?? (options.quick ? storedOrders.quick : storedOrders.full);
  return await withWorkbench(options, output, async (workbench) => {
    await storeForOffice(workbench, orders, output);
    const [stored] = await workbench.sql<{ lines: number }[]>`select count(*)::integer as lines from order_line`;
    const mistakes: string[] = [];
    for (const format of exportFormats) {
      const { rows } = await exportAll(workbench, format, output);
      if (rows !== stored!.lines) mistakes.push(`${format}: ${rows} rows of ${stored!.lines} lines`);
    }
    const exporting = {
      doing: 'exporting',
      numbersBeginWith: 'EXPORT-',
      run: async (_database: Workbench['database'], stopping: AbortSignal) => {
        let rows = 0;
        while (!stopping.aborted) rows += (await readExport(workbench, 'xlsx', stopping)).rows;
        return rows;
      },
    };
    mistakes.push(...(await compareBeside(workbench, exporting, options, output)));
    return { mistakes };
  });
}

async function exportAll(workbench: Workbench, format: ExportFormat, output: Output): Promise<{ rows: number }> {
  const pid = workbench.service.process.pid!;
  const samples = [residentMb(pid)];
  const ended = new AbortController();
  const sampling = (async () => {
    while (!ended.signal.aborted) {
      await sleep(sampleMs);
      samples.push(residentMb(pid));
    }
  })();
  const startedAt = performance.now();
  const { rows, bytes } = await readExport(workbench, format, null);
  const seconds = (performance.now() - startedAt) / 1000;
  ended.abort();
  await sampling;
  const half = Math.ceil(samples.length / 2);
  const [first, last] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half - 1))];
  output.row('goals: memory of the service during an export, MB', {
    format,
    rows,
    seconds: rounded(seconds, 1),
    'rows per second': rounded(rows / seconds, 0),
    'file, MB': rounded(bytes / mebibyte, 1),
    before: samples[0]!,
    'first half, most': first,
    'second half, most': last,
    ...judged(last / first, memoryGoal),
  });
  return { rows };
}

const headBytes = 8;

/** Reads the frames of an export until its end, or until `stopping`. */
async function readExport(
  { service }: Workbench,
  format: ExportFormat,
  stopping: AbortSignal | null,
): Promise<{ rows: number; bytes: number }> {
  const body = { list: 'orders', format, language: 'zh-TW', filters: {}, lines: true, progress: true };
  let [rows, bytes, left, isWhole] = [0, 0, 0, false];
  let head = Buffer.alloc(0);
  try {
    const answer = await fetch(consoleUrl(service.url, '/exports/file'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await signIn(service.url)) },
      body: JSON.stringify(body),
      signal: stopping,
    });
    if (answer.status !== 200) throw new Error(`an export was answered with ${answer.status}: ${await answer.text()}`);
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      for (let place = 0; place < part.length; ) {
        const taken = Math.min(left > 0 ? left : headBytes - head.length, part.length - place);
        if (left === 0) head = Buffer.concat([head, part.subarray(place, place + taken)]);
        else [left, bytes] = [left - taken, bytes + taken];
        place += taken;
        if (head.length < headBytes) continue;
        [left, rows] = [head.readUInt32BE(0), head.readUInt32BE(4)];
        isWhole = left === exportEnd;
        head = Buffer.alloc(0);
      }
    }
  } catch (error) {
    if (stopping?.aborted !== true) throw error;
  }
  if (!isWhole && stopping?.aborted !== true) throw new Error('an export was broken off');
  return { rows, bytes };
}
