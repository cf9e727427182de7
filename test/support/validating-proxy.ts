import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { freePort } from './free-port.ts';

/** The program file of Prism, and the file for its log. `npm run check:openapi` sets both. */
export const prismVariable = 'LADING_TEST_PRISM';
export const prismLogVariable = 'LADING_TEST_PRISM_LOG';

const proxies = new Map<string, Promise<string>>();

/**
 * The URL through which the SDK calls a service: its own, or that of Prism, which checks every request and every response
 * against the OpenAPI document that the service publishes. A violation becomes an error response.
 */
export async function throughProxy(url: string): Promise<string> {
  const program = process.env[prismVariable];
  if (program === undefined) return url;
  const started = proxies.get(url) ?? startPrism(program, url);
  proxies.set(url, started);
  return await started;
}

async function startPrism(program: string, upstream: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-prism-'));
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${upstream}/openapi.json`)).text());
  const port = await freePort();
  const args = [program, 'proxy', document, upstream, '--errors', '--host', '127.0.0.1', '--port', String(port)];
  const prism = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  after(() => {
    prism.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await isListening(prism);
  return `http://127.0.0.1:${port}`;
}

async function isListening(prism: ChildProcess): Promise<void> {
  const log = process.env[prismLogVariable];
  await new Promise<void>((resolve, reject) => {
    prism.once('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
    for (const stream of [prism.stdout!, prism.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (log !== undefined) appendFileSync(log, `${line}\n`);
        if (line.includes('Prism is listening')) resolve();
      });
    }
  });
}
