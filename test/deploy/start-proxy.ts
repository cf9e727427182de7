import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';

export const proxyNames = ['nginx', 'caddy', 'haproxy'] as const;
export type ProxyName = (typeof proxyNames)[number];

export interface RunningProxy {
  httpPort: number;
  httpsPort: number;
  stop(): Promise<void>;
}

interface Place {
  folder: string;
  /** The service, as address and port. */
  service: string;
  httpPort: number;
  httpsPort: number;
}

/** Null if the program is not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Starts a proxy with its file of deploy/proxy/; only addresses and paths of the file are replaced. */
export async function startProxy(
  name: ProxyName,
  program: string,
  { folder, service, pem }: { folder: string; service: string; pem: { certificate: string; key: string } },
): Promise<RunningProxy> {
  const place = { folder, service, httpPort: await freePort(), httpsPort: await freePort() };
  // nginx reads as another user if it is started as root.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'fullchain.pem'), pem.certificate);
  writeFileSync(join(folder, 'privkey.pem'), pem.key);
  writeFileSync(join(folder, 'lading.pem'), pem.certificate + pem.key);
  const args = { nginx: prepareNginx, caddy: prepareCaddy, haproxy: prepareHaproxy }[name](place);
  const ofCaddy = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, LADING_NODES: service };
  const env = { PATH: process.env.PATH ?? '', ...ofCaddy, LADING_NODE1: service };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = once(child, 'close');
  const hasEnded = ended.then(() => true);
  while (!(await accepts(place.httpsPort))) {
    if (await Promise.race([hasEnded, sleep(20, false)])) throw new Error(`${name} did not start: ${output}`);
  }
  return { ...place, stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function prepareNginx(place: Place): string[] {
  const { folder, service, httpPort, httpsPort } = place;
  const site = adapt('nginx.conf', [
    ['server 127.0.0.1:8080;', `server ${service};`],
    ['    listen 80;\n    listen [::]:80;\n', `    listen 127.0.0.1:${httpPort};\n`],
    ['    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n', `    listen 127.0.0.1:${httpsPort} ssl http2;\n`],
    ['/etc/ssl/lading/fullchain.pem', join(folder, 'fullchain.pem')],
    ['/etc/ssl/lading/privkey.pem', join(folder, 'privkey.pem')],
  ]);
  writeFileSync(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // No module of the machine is loaded, and nothing outside of the folder is written.
  const main = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
    events { worker_connections 256; }
    http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  return ['-e', 'stderr', '-c', join(folder, 'nginx.conf')];
}

function prepareCaddy({ folder, httpPort, httpsPort }: Place): string[] {
  const certificate = `\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n`;
  const site = adapt('Caddyfile', [
    ['\n{$LADING_HOST:oms.example.com} {\n', `\n{$LADING_HOST:oms.example.com} {\n${certificate}`],
  ]);
  const global = `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), global + site);
  return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
}

function prepareHaproxy({ folder, httpPort, httpsPort }: Place): string[] {
  const text = adapt('haproxy.cfg', [
    ['bind :80\n', `bind 127.0.0.1:${httpPort}\n`],
    ['bind :443 ssl crt /etc/ssl/lading/lading.pem', `bind 127.0.0.1:${httpsPort} ssl crt ${folder}/lading.pem`],
    ['maxconn 20000', 'maxconn 200'],
  ]);
  writeFileSync(join(folder, 'haproxy.cfg'), text);
  return ['-db', '-f', join(folder, 'haproxy.cfg')];
}

/** Each text must occur exactly once, so that a changed file cannot escape the test. */
function adapt(file: string, replacements: [from: string, to: string][]): string {
  let text = readFileSync(fileURLToPath(new URL(`../../deploy/proxy/${file}`, import.meta.url)), 'utf8');
  for (const [from, to] of replacements) {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(from)}`);
    text = parts.join(to);
  }
  return text;
}
