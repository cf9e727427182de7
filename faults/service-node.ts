import { hasEnded, root, type Service, startService, stopService, waitUntilReady } from './child-process.ts';

type NodeSettings = Parameters<typeof startService>[0] & {
  name: string;
  mayKillItself?: boolean | undefined;
  readyWithinSeconds: number;
};

/** A node of the service that can be killed and restarted, and records when it was down. */
export class ServiceNode {
  readonly name: string;
  readonly url: string;
  kills = 0;
  slowestStartMs = 0;
  private readonly settings: NodeSettings;
  private readonly onOwnEnd: (what: string) => void;
  private lives = 0;
  private isUp = false;
  private service!: Service;
  private rising!: Promise<void>;

  constructor(settings: NodeSettings, onOwnEnd: (what: string) => void) {
    this.name = settings.name;
    this.url = `http://127.0.0.1:${settings.port}`;
    this.settings = settings;
    this.onOwnEnd = onOwnEnd;
    this.start();
  }

  /** A new number after every start, null while it is down. A request with the same life before and after saw no kill. */
  life(): number | null {
    return this.isUp ? this.lives : null;
  }

  /** null if there is no process. */
  pid(): number | null {
    return hasEnded(this.service) ? null : (this.service.process.pid ?? null);
  }

  /** The end of its log. */
  output(): string {
    return this.service.output.text;
  }

  /** If the node is killed meanwhile, waits for its next start. */
  async untilUp(): Promise<void> {
    let awaited: Promise<void>;
    do {
      awaited = this.rising;
      await awaited;
    } while (awaited !== this.rising);
  }

  /** Kills it with -9 and restarts it, without waiting for the start. */
  async kill(): Promise<void> {
    this.kills++;
    await this.end('SIGKILL');
    this.start();
  }

  /** Stops it with SIGTERM. */
  async stop(): Promise<void> {
    const isRunning = !hasEnded(this.service);
    await this.end('SIGTERM');
    const { exitCode, signalCode } = this.service.process;
    if (isRunning && exitCode !== 0)
      this.onOwnEnd(`${this.name} did not stop cleanly; it ended with ${exitCode ?? signalCode}:\n${this.output()}`);
  }

  /** Starts it after a stop, optionally with other settings or as another version, without waiting for the start. */
  start(env: Record<string, string> = {}, tree: string = this.settings.tree ?? root): void {
    const { settings } = this;
    const ownLife = ++this.lives;
    const started = startService({ ...settings, tree, env: { ...settings.env, ...env } });
    started.process.once('exit', (code, signal) => {
      if (ownLife !== this.lives) return;
      if (settings.mayKillItself && signal === 'SIGKILL') this.restart();
      else this.onOwnEnd(`${this.name} ended unexpectedly with ${code ?? signal}:\n${started.output.text}`);
    });
    this.service = started;
    this.rising = this.rise(started, ownLife);
    // `untilUp` reports the error; there may be no caller that waits.
    this.rising.catch(() => {});
  }

  private restart(): void {
    this.isUp = false;
    this.kills++;
    this.start();
  }

  private async rise(started: Service, ownLife: number): Promise<void> {
    const readyMs = await waitUntilReady(started, this.settings.readyWithinSeconds).catch((error) => {
      if (ownLife === this.lives) throw error;
      return 0;
    });
    if (ownLife !== this.lives) return;
    this.slowestStartMs = Math.max(this.slowestStartMs, Math.round(readyMs));
    this.isUp = true;
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.isUp = false;
    this.lives++;
    await stopService(this.service, signal);
  }
}
