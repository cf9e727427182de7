import { rotateTokenKey } from '../server/domain/partners/rotate-token-key.ts';
import { isValidAt, keyToSignWith } from '../server/domain/partners/token-key.ts';
import { listTokenKeys, type TokenKeyRow } from '../server/domain/partners/token-key-queries.ts';
import { readDatabaseTime } from '../server/platform/postgres/database-clock.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';
import { makeCommand } from './command-line.ts';
import { formatTime } from './look.ts';
import { secondsOf } from './partner-command.ts';
import { storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';

/**
 * `lading token-key`: the keys that sign access tokens. They rotate automatically; rotate manually if one may have
 * leaked.
 */
export function tokenKeyCommand() {
  const group = makeCommand('token-key').description('list and rotate the keys that sign access tokens');
  group.addCommand(listCommand());
  group.addCommand(rotateCommand());
  return group;
}

function listCommand() {
  return storeCommand('list', 'list all token keys', async (store) => {
    const rows = withStates(
      await store.database.read(noAccounts, listTokenKeys),
      await readDatabaseTime(store.database),
    );
    return {
      json: rows,
      text: formatTable(rows, 'there are no token keys yet; the first start of the service creates one'),
    };
  });
}

function rotateCommand() {
  return storeCommand(
    'rotate',
    'generate a new token key',
    async (store, _config, { overlap }: { overlap?: number }) => {
      const now = await readDatabaseTime(store.database);
      const { kid, signsFrom, previousValidUntil } = await rotateTokenKey(
        store.database,
        store.keyring,
        { now: () => now },
        {
          actor: `token-key rotate (${userName()})`,
          ...(overlap === undefined ? {} : { overlapSeconds: overlap }),
        },
      );
      return {
        json: { kid, signs_from: signsFrom, previous_valid_until: previousValidUntil },
        text: `new token key ${kid}, signs tokens from ${formatTime(signsFrom)}\n${fateOfEarlier(previousValidUntil, overlap)}`,
      };
    },
  ).option(
    '--overlap <time>',
    'how long earlier keys remain valid once the new one signs: 90s, 30m, 24h, 7d, or 0 for a leaked key (default: until all their tokens have expired)',
    secondsOf,
  );
}

function fateOfEarlier(validUntil: Date | null, overlap: number | undefined): string {
  if (!validUntil) return 'there was no earlier key';
  return overlap === 0
    ? 'earlier keys are no longer valid; their tokens are rejected within 5 s'
    : `earlier keys remain valid until ${formatTime(validUntil)} at the latest`;
}

function withStates(rows: TokenKeyRow[], now: Date) {
  const keys = rows.map((row) => ({ kid: row.kid, signsFrom: row.signs_from, validUntil: row.valid_until }));
  const signing = keyToSignWith(keys, now);
  return rows.map(({ kid, created_at, signs_from, valid_until }) => {
    const life = { signsFrom: signs_from, validUntil: valid_until };
    const state = !isValidAt(life, now)
      ? 'ended'
      : kid === signing?.kid
        ? 'signing'
        : signs_from > now
          ? 'published'
          : 'still valid';
    return { kid, state, created_at, signs_from, valid_until };
  });
}
