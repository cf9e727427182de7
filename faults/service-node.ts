import { hasEnded, root, type Service, startService, stopService, waitUntilReady } from './child-process.ts';

/** One of several nodes of a service: it is killed and started again, and knows when it was down. */
export interface ServiceNode {
  name: string;
  url: string;
  kills: number;
  slowestStartMs: number;
  /** Another number after every start, null while it is down: what began and ended in the same life was hit by no kill. */
  life(): number | null;
  /** null while there is no process. */
  pid(): number | null;
  untilUp(): Promise<void>;
  /** kill -9, and a new start at once, which is not waited for. */
  kill(): Promise<void>;
  /** In order, with SIGTERM. */
  stop(): Promise<void>;
  /** After a stop; perhaps with other settings than before, or as another version. It is not waited for. */
  start(env?: Record<string, string>, tree?: string): void;
  /** What it logged last. */
  output(): string;
}

type NodeSettings = Parameters<typeof startService>[0] & {
  name: string;
  mayKillItself?: boolean | undefined;
  readyWithinSeconds: number;
};

export function startNode(settings: NodeSettings, onOwnEnd: (what: string) => void): ServiceNode {
  let life = 0;
  let isUp = false;
  let service: Service;
  let rising: Promise<void>;

  function start(env: Record<string, string> = {}, tree: string = root): void {
    const ownLife = ++life;
    const started = startService({ ...settings, tree, env: { ...settings.env, ...env } });
    started.process.once('exit', (code, signal) => {
      if (ownLife !== life) return;
      if (settings.mayKillItself && signal === 'SIGKILL') startAgain();
      else onOwnEnd(`${settings.name} ended by itself with ${code ?? signal}:\n${started.output.text}`);
    });
    service = started;
    rising = rise(started, ownLife);
    // Whoever waits for it is told; nobody need be waiting.
    rising.catch(() => {});
  }

  function startAgain(): void {
    isUp = false;
    node.kills++;
    start();
  }

  async function rise(started: Service, ownLife: number): Promise<void> {
    const readyMs = await waitUntilReady(started, settings.readyWithinSeconds).catch((error) => {
      if (ownLife === life) throw error;
      return 0;
    });
    if (ownLife !== life) return;
    node.slowestStartMs = Math.max(node.slowestStartMs, Math.round(readyMs));
    isUp = true;
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    isUp = false;
    life++;
    await stopService(service, signal);
  }

  /** One that is killed meanwhile rises anew. */
  async function untilUp(): Promise<void> {
    let awaited: Promise<void>;
    do {
      awaited = rising;
      await awaited;
    } while (awaited !== rising);
  }

  const node: ServiceNode = {
    name: settings.name,
    url: `http://127.0.0.1:${settings.port}`,
    kills: 0,
    slowestStartMs: 0,
    life: () => (isUp ? life : null),
    pid: () => (hasEnded(service) ? null : (service.process.pid ?? null)),
    untilUp,
    async kill() {
      node.kills++;
      await end('SIGKILL');
      start();
    },
    async stop() {
      const isRunning = !hasEnded(service);
      await end('SIGTERM');
      const { exitCode, signalCode } = service.process;
      if (isRunning && exitCode !== 0)
        onOwnEnd(`${settings.name} was to stop, and ended with ${exitCode ?? signalCode}:\n${service.output.text}`);
    },
    start,
    output: () => service.output.text,
  };
  start();
  return node;
}
