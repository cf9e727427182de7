import { contentDigest } from '../platform/json/content-digest.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { CursorPosition, Search } from '../platform/postgres/keyset-search.ts';

/** A cursor is valid for this search of these accounts only. */
export interface CursorScope {
  list: string;
  accountIds: number[];
  search: Pick<Search, 'filters' | 'sort'>;
}

export interface Cursors {
  write(scope: CursorScope, position: CursorPosition): string;
  /** null: not a cursor of ours, or one of another search. */
  read(scope: CursorScope, cursor: string): CursorPosition | null;
}

const keyIdBytes = 4;

/**
 * A cursor is the encrypted position after which the next page begins. Callers can neither read nor change it, nor use
 * it for another search.
 */
export function makeCursors(keyring: Keyring): Cursors {
  return {
    write(scope, position) {
      const { sealed, keyId } = keyring.seal(JSON.stringify(position), contextOf(scope));
      return Buffer.concat([Buffer.from(keyId, 'hex'), sealed]).toString('base64url');
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.toString('base64url') !== cursor) return null;
      try {
        return JSON.parse(
          keyring.open(bytes.subarray(keyIdBytes), bytes.toString('hex', 0, keyIdBytes), contextOf(scope)),
        );
      } catch {
        return null;
      }
    },
  };
}

function contextOf({ list, accountIds, search }: CursorScope): string {
  const { filters, sort } = search;
  return `cursor:${list}:${accountIds.join()}:${contentDigest([Object.entries(filters).map(([name, condition]) => [name, sorted(condition)]), sort])}`;
}

/** The same conditions in another order are the same search. */
function sorted(condition: object): [string, unknown][] {
  return Object.entries(condition).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
