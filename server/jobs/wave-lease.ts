import { renewWave, type Wave } from '../domain/transfers/transfer-schedule-queries.ts';
import type { Database } from '../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../platform/postgres/sql.ts';
import type { WaveContext } from './push-context.ts';

/** The share of a lease that is left when it is renewed. */
const renewShare = 0.6;

/** Keeps the lease of a wave alive while the wave runs: one post may take longer than a lease lasts. */
export class WaveLease {
  private readonly wave: Wave;
  private readonly database: Database;
  private readonly leaseSeconds: number;
  private readonly timer: NodeJS.Timeout;
  private heldUntilMs: number;

  constructor(wave: Wave, heldUntilMs: number, { database, rules }: WaveContext) {
    this.wave = wave;
    this.database = database;
    this.leaseSeconds = rules.leaseSeconds;
    this.heldUntilMs = heldUntilMs;
    this.timer = setInterval(() => void this.renew().catch(() => {}), rules.leaseSeconds * 1000 * (1 - renewShare));
  }

  isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** Every transaction of a wave updates the row of its lease, which renews it. */
  async transaction<T>(accountId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const result = await this.database.transaction([accountId], work);
    this.heldUntilMs = startedAtMs + this.leaseSeconds * 1000;
    return result;
  }

  release(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    const startedAtMs = performance.now();
    const isRenewed = await this.database.transaction(noAccounts, (tx) => renewWave(tx, this.wave, this.leaseSeconds));
    this.heldUntilMs = isRenewed ? startedAtMs + this.leaseSeconds * 1000 : 0;
  }
}
