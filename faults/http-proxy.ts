import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, onInterrupt } from './child-process.ts';
import type { DebianProgram } from './debian-programs.ts';
import { until } from './patience.ts';

/** haproxy in front of the nodes, with the settings that docs/operating.md recommends. */
export interface HttpProxy {
  url: string;
  /** Whether the proxy sends requests to this node. */
  trusts(nodeUrl: string): Promise<boolean>;
  close(): void;
}

const startsWithinMs = 30_000;

export async function startHttpProxy(program: DebianProgram, folder: string, nodeUrls: string[]): Promise<HttpProxy> {
  const [port, statisticsPort] = [await freePort(), await freePort()];
  const hosts = nodeUrls.map((url) => new URL(url).host);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, `${settingsOf(port, statisticsPort, hosts).join('\n')}\n`);
  const logFile = join(folder, 'haproxy.log');
  const log = openSync(logFile, 'a');
  const child = spawn(program.path, ['-db', '-f', file], {
    cwd: folder,
    env: program.env,
    stdio: ['ignore', log, log],
  });
  const forget = onInterrupt(() => void child.kill('SIGKILL'));

  async function trusts(nodeUrl: string): Promise<boolean> {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}:\n${readFileSync(logFile)}`);
    const statistics = await fetch(`http://127.0.0.1:${statisticsPort}/;csv`).then(
      (response) => response.text(),
      () => '',
    );
    return stateOf(statistics, new URL(nodeUrl).host)?.startsWith('UP') ?? false;
  }
  const isComplete = async () => (await Promise.all(nodeUrls.map(trusts))).every(Boolean);
  await until(isComplete, { withinMs: startsWithinMs, everyMs: 100, what: 'haproxy' });
  return {
    url: `http://127.0.0.1:${port}`,
    trusts,
    close() {
      child.kill('SIGTERM');
      forget();
    },
  };
}

function settingsOf(port: number, statisticsPort: number, hosts: string[]): string[] {
  return [
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    // Readiness is answered within 5 s, also by a busy node; a shorter limit would take the last node away.
    '  timeout check 6s',
    '  retries 3',
    '  option redispatch',
    'listen lading',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    // A draining node is noticed after two checks, about a second. DRAIN_S must be longer.
    '  default-server check inter 1s fastinter 250ms fall 2 rise 1',
    ...hosts.map((host) => `  server ${nameOf(host)} ${host}`),
    'listen statistics',
    `  bind 127.0.0.1:${statisticsPort}`,
    '  stats enable',
    '  stats uri /',
  ];
}

function nameOf(host: string): string {
  return `node-${host.split(':')[1]}`;
}

/** The column `status` of a server; the first line names the columns. */
function stateOf(statistics: string, host: string): string | undefined {
  const [names = [], ...rows] = statistics.split('\n').map((line) => line.split(','));
  return rows.find((row) => row[0] === 'lading' && row[1] === nameOf(host))?.[names.indexOf('status')];
}
