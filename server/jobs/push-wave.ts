import { formatMessage } from '../../messages/format-message.ts';
import { outcome } from '../../messages/outcome-texts.ts';
import { sending } from '../../messages/sending-texts.ts';
import { failWave, handOverToSimulator } from '../domain/transfers/transfer-orders.ts';
import { endWave, type Wave } from '../domain/transfers/transfer-schedule-queries.ts';
import { describeError } from '../platform/log.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';
import { accountsOf } from '../platform/postgres/per-account.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import { ChangePoster } from './change-poster.ts';
import { OrderPoster } from './order-poster.ts';
import type { WaveContext } from './push-context.ts';
import { RunningWave, stopOf } from './running-wave.ts';
import { failuresBefore, hasResults, type Stop, scheduleAfter } from './wave-end.ts';

const retryAfterErrorSeconds = 5;
const internalError = outcome('wave_failed', { why: sending('failed_internally') });

/** Runs one wave to its end. Never rejects. */
export async function runWave(wave: Wave, leaseEndsAtMs: number, context: WaveContext): Promise<void> {
  const running = new RunningWave(wave, leaseEndsAtMs, context);
  try {
    // Changes go first: an order that is to be held may be picked any minute.
    const stop = (await new ChangePoster(running).postAll()) ?? (await transferAll(running));
    await end(running, stop);
  } catch (error) {
    await endAfterError(running, error);
  } finally {
    running.lease.release();
  }
}

async function transferAll(running: RunningWave): Promise<Stop | null> {
  return running.wave.connector.type === 'http' ? await new OrderPoster(running).postAll() : await handOver(running);
}

async function handOver(running: RunningWave): Promise<Stop | null> {
  const { wave, context, lease } = running;
  const { connector } = wave;
  if (connector.type !== 'simulator') return { kind: 'interrupted' };
  return await running.eachBatch(async (batch) => {
    const given = await lease.transaction(batch.accountId, (tx) =>
      handOverToSimulator(tx, { ...wave, connector }, batch, context.rules),
    );
    if (given.kind !== 'handed_over') return stopOf(given);
    running.count({ accepted: given.count, rejected: 0 });
    return null;
  });
}

async function end(running: RunningWave, stop: Stop | null): Promise<void> {
  const { wave, context, progress } = running;
  context.metrics.waves.inc({ outcome: stop?.kind ?? 'done' });
  if (stop?.kind === 'failed') return await endFailed(running, stop);
  if (stop?.kind === 'lost') return context.log.warn(logFields(running), 'a wave was taken over by another worker');
  const scheduled = scheduleAfter(stop, wave, progress, context.rules, Math.random());
  await context.database.transaction(noAccounts, (tx) => endWave(tx, wave, scheduled));
  logEnd(running, stop);
}

async function endFailed(running: RunningWave, failed: Stop & { kind: 'failed' }): Promise<void> {
  const { wave, context, progress } = running;
  const failures = failuresBefore(wave, progress, context.rules);
  const afterSeconds = await context.database.transaction(accountsOf(failed.transfers), (tx) =>
    failWave(tx, { ...wave, failures }, failed, context.rules),
  );
  context.metrics.transfers.inc({ outcome: 'failed' }, failed.transfers.length);
  context.log.warn(
    {
      ...logFields(running),
      account_id: failed.transfers[0]?.accountId,
      why: formatMessage(failed.why),
      failures: failures + 1,
      again_after_s: Math.round(afterSeconds ?? 0),
    },
    'a wave failed; it will be retried',
  );
}

function logEnd(running: RunningWave, stop: { kind: 'interrupted' | 'turn_over' } | null): void {
  const { context, progress } = running;
  const fields = logFields(running);
  if (stop?.kind === 'interrupted') return;
  if (stop?.kind === 'turn_over')
    context.log.info(fields, 'a wave has used up its time; it continues after other waves');
  else if (progress.blocked.size > 0)
    context.log.warn(
      fields,
      'a wave was transferred except for orders on which its warehouse fails; they will be retried',
    );
  else if (hasResults(progress)) context.log.info(fields, 'a wave of orders was transferred to its warehouse');
}

function logFields({ wave, progress }: RunningWave) {
  const { transferred, rejected, blocked } = progress;
  return { warehouse_no: wave.warehouseNo, transferred, rejected, blocked: blocked.size };
}

async function endAfterError({ wave, context }: RunningWave, error: unknown): Promise<void> {
  const fields = { warehouse_no: wave.warehouseNo, ...describeError(error) };
  if (error instanceof DatabaseUnavailable)
    context.log.warn(fields, 'the database is out of reach; the wave is resumed later');
  else context.log.error(fields, 'a wave ended with an internal error; it will be retried');
  context.metrics.waves.inc({ outcome: 'broken_off' });
  const failures = wave.failures + 1;
  const scheduled = { failures, outcome: internalError, afterSeconds: retryAfterErrorSeconds };
  // If this fails too, the lease expires.
  await context.database.transaction(noAccounts, (tx) => endWave(tx, wave, scheduled)).catch(() => {});
}
