import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { lockPartners, recordChange } from './partner-queries.ts';
import { defaultOverlapSeconds, generateTokenKey, publishedAheadSeconds } from './token-key.ts';
import { endTokenKeys, forgetEndedTokenKeys, insertTokenKey, listTokenKeys } from './token-key-queries.ts';

export interface TokenKeyRotation {
  kid: string;
  signsFrom: Date;
  /** null: there was none before. */
  previousValidUntil: Date | null;
}

const rotateEveryDays = 30;
const dayMs = 86_400_000;

/**
 * Creates the next token key. With an overlap nobody notices: it is published first, signs later, and the previous keys
 * stay valid for the overlap from then on. Without an overlap it signs at once, and the tokens of all other keys become
 * invalid.
 */
export async function rotateTokenKey(
  database: Database,
  keyring: Keyring,
  clock: Clock,
  options: { actor: string; overlapSeconds?: number },
): Promise<TokenKeyRotation> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    return await addTokenKey(tx, keyring, clock.now(), options);
  });
}

/** The first start creates the first key; if several nodes start at once, only one of them does. */
export async function makeFirstTokenKey(database: Database, keyring: Keyring, clock: Clock): Promise<void> {
  await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    const keys = await listTokenKeys(tx);
    if (keys.length > 0) return;
    await addTokenKey(tx, keyring, clock.now(), { actor: 'first start' });
  });
}

/** The work of the job: creates a key if the current one is old enough, and deletes keys that have expired. */
export async function renewTokenKeys(
  database: Database,
  keyring: Keyring,
  clock: Clock,
  actor: string,
): Promise<{ rotation: TokenKeyRotation | null; forgotten: number }> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    const now = clock.now();
    const inUse = (await listTokenKeys(tx)).find(({ valid_until }) => valid_until === null);
    const isDue = !inUse || now.getTime() - inUse.created_at.getTime() >= rotateEveryDays * dayMs;

    const forgotten = await forgetEndedTokenKeys(tx, now);
    const rotation = isDue ? await addTokenKey(tx, keyring, now, { actor }) : null;
    return { rotation, forgotten };
  });
}

async function addTokenKey(
  tx: Tx,
  keyring: Keyring,
  now: Date,
  { actor, overlapSeconds = defaultOverlapSeconds }: { actor: string; overlapSeconds?: number },
): Promise<TokenKeyRotation> {
  const earlier = await listTokenKeys(tx);
  // Nobody can wait for the first key, and nobody should wait for the replacement of a key that leaked.
  const signsFrom = earlier.length === 0 || overlapSeconds === 0 ? now : later(now, publishedAheadSeconds);
  const previousValidUntil = earlier.length === 0 ? null : later(signsFrom, overlapSeconds);
  const key = generateTokenKey(keyring);

  if (previousValidUntil) await endTokenKeys(tx, previousValidUntil);
  await insertTokenKey(tx, { ...key, created_at: now, signs_from: signsFrom });
  await forgetEndedTokenKeys(tx, now);
  await recordChange(tx, actor, { kind: 'token_key', name: key.kid }, earlier.length === 0 ? 'created' : 'rotated', {
    signs_from: signsFrom.toISOString(),
    ...(previousValidUntil ? { previous_valid_until: previousValidUntil.toISOString() } : {}),
  });
  return { kid: key.kid, signsFrom, previousValidUntil };
}

function later(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}
