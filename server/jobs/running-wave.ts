import type { PendingBatch } from '../domain/transfers/transfer.ts';
import { ordersOfWave, type WaveRevoked } from '../domain/transfers/transfer-orders.ts';
import type { Wave } from '../domain/transfers/transfer-schedule-queries.ts';
import type { WaveContext } from './push-context.ts';
import { newProgress, type Stop, type WaveProgress } from './wave-end.ts';
import { WaveLease } from './wave-lease.ts';

/** A wave in progress: its lease, its time limit, and what it has done so far. */
export class RunningWave {
  readonly wave: Wave;
  readonly context: WaveContext;
  readonly lease: WaveLease;
  readonly progress: WaveProgress;
  private readonly turnEndsAtMs: number;
  private hasBegun: boolean;

  constructor(wave: Wave, leaseEndsAtMs: number, context: WaveContext) {
    this.wave = wave;
    this.context = context;
    this.lease = new WaveLease(wave, leaseEndsAtMs, context);
    this.progress = newProgress();
    this.turnEndsAtMs = performance.now() + context.rules.waveSeconds * 1000;
    this.hasBegun = false;
  }

  /** Passes the orders of this wave to `transfer`, batch by batch, until one of them stops the wave. */
  async eachBatch(transfer: (batch: PendingBatch) => Promise<Stop | null>): Promise<Stop | null> {
    for await (const batch of ordersOfWave(this.context.database, this.wave, this.context.rules)) {
      const stop = this.stopBeforeBatch() ?? (await transfer(batch));
      if (stop) return stop;
    }
    return null;
  }

  /** Every wave transfers at least one batch of new orders, even when its time is up, so that each makes progress. */
  private stopBeforeBatch(): Stop | null {
    if (this.context.closing.aborted) return { kind: 'interrupted' };
    if (this.hasBegun && performance.now() >= this.turnEndsAtMs) return { kind: 'turn_over' };
    this.hasBegun = true;
    return null;
  }

  count({ accepted, rejected }: { accepted: number; rejected: number }): void {
    this.progress.transferred += accepted;
    this.progress.rejected += rejected;
    this.context.metrics.transfers.inc({ outcome: 'accepted' }, accepted);
    this.context.metrics.transfers.inc({ outcome: 'rejected' }, rejected);
  }
}

export function stopOf(revoked: WaveRevoked): Stop {
  return revoked.kind === 'lost' ? revoked : { kind: 'interrupted' };
}
