import { sending } from '../../messages/sending-texts.ts';
import { signedHeaders } from '../domain/callbacks/callback-signature.ts';
import { readRetryAfter } from '../domain/callbacks/retry-schedule.ts';
import type { Posted } from '../domain/transfers/transfer.ts';
import type { Wave } from '../domain/transfers/transfer-schedule-queries.ts';
import { UnknownMasterKey } from '../platform/keyring.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { PostOutcome } from '../platform/outgoing/http-client.ts';
import type { WaveContext } from './push-context.ts';
import type { WaveLease } from './wave-lease.ts';

/** The HTTP client reads no more of a response, so a response of this length may be incomplete. */
const responseReadMaxBytes = 16_384;
const connectionRefused = sending('connection_refused');

/** Signs a batch and posts it to the warehouse. null: nothing was posted, since another worker may hold the wave. */
export async function postToWarehouse(
  { batchId, body, url }: { batchId: string; body: string; url: string },
  { warehouseNo, connector }: Wave,
  lease: WaveLease,
  { http, secretsOf, clock, log, rules }: WaveContext,
): Promise<Posted | null> {
  if (connector.type !== 'http') return null;
  const secrets = await secretsOf(warehouseNo).catch((error) => noSecrets(error, log));
  if (secrets.length === 0) return { kind: 'unanswered', error: sending('no_secret'), wasConnected: false };
  if (!lease.isHeld()) return null;
  const outcome = await http.post({
    url,
    headers: signedHeaders({ eventId: batchId, body }, secrets, clock.now()),
    body,
    purpose: 'wave',
    deadlineMs: rules.postSeconds * 1000,
  });
  return readOutcome(outcome, clock.now());
}

/** This worker does not know the master key of the secret; another worker may. */
function noSecrets(error: unknown, log: Log): string[] {
  if (!(error instanceof UnknownMasterKey)) throw error;
  log.error(describeError(error), 'the secret of a warehouse could not be decrypted');
  return [];
}

export function readOutcome(outcome: PostOutcome, now: Date): Posted {
  if (outcome.kind === 'failed') {
    const { error, address } = outcome;
    return { kind: 'unanswered', error, wasConnected: address !== null && error.code !== connectionRefused.code };
  }
  const { status, response, retryAfter } = outcome;
  const isCut = Buffer.byteLength(response) >= responseReadMaxBytes;
  return { kind: 'answered', status, response, retryAfterSeconds: readRetryAfter(retryAfter, now), isCut };
}
