import { contentDigest } from '../platform/content-digest.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Place, Search } from '../platform/keyset-search.ts';

/** What a cursor is good for: this search of these accounts, and no other. */
export interface CursorScope {
  list: string;
  accountIds: number[];
  search: Pick<Search, 'filters' | 'sort'>;
}

export interface Cursors {
  write(scope: CursorScope, place: Place): string;
  /** null: not one of ours, or of another search. */
  read(scope: CursorScope, cursor: string): Place | null;
}

const keyIdBytes = 4;

/** A cursor is the place behind which the next page begins, sealed: it can be neither read nor changed, and opens for its own search only. */
export function makeCursors(keyring: Keyring): Cursors {
  return {
    write(scope, place) {
      const { sealed, keyId } = keyring.seal(JSON.stringify(place), contextOf(scope));
      return Buffer.concat([Buffer.from(keyId, 'hex'), sealed]).toString('base64url');
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.toString('base64url') !== cursor) return null;
      try {
        return JSON.parse(keyring.open(bytes.subarray(keyIdBytes), bytes.toString('hex', 0, keyIdBytes), contextOf(scope)));
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

/** The same questions in another order are the same search. */
function sorted(condition: object): [string, unknown][] {
  return Object.entries(condition).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
