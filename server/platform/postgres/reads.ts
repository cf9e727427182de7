import type { Database, Reader } from './database.ts';
import { type LogPosition, laterOf } from './log-position.ts';

/**
 * The position of the log up to which a caller has seen everything. The caller sends it with each request and gets it
 * back with the response, so every node knows it.
 */
export class Seen {
  position: LogPosition | null;
  /** Not known to the caller, for example after a response that was lost: everything that is committed by now. */
  isUnknown: boolean;

  constructor(position: LogPosition | null, isUnknown: boolean) {
    this.position = position;
    this.isUnknown = isUnknown;
  }

  raise(position: LogPosition): void {
    this.position = laterOf(this.position, position);
  }
}

/** Where lists, exports and audits read: on a replica if there is one, but never less than the caller has seen. */
export interface Reads {
  /** Reads the position from the texts that a caller sent. Unknown texts are ignored. */
  seenBy(texts: (string | null | undefined)[]): Seen;
  /** The text that the caller sends with its next request; null: none is needed. */
  textOf(seen: Seen): string | null;
  /** Reads that show at least what was seen, and add to it what they show. */
  for(seen: Seen): Reader;
  /**
   * Adds all that is committed by now, because the caller was shown something of the primary. If the primary cannot be
   * asked, it is unknown what the caller has seen.
   */
  showEverything(seen: Seen): Promise<void>;
  /** For an audit: reads that show everything that is committed by now. */
  fromNow(): Promise<Reader>;
}

/** Sent by a caller that does not know what it has been shown. */
export const unknownSeen = 'now';

/** Without a replica, all reads go to the primary, and nobody needs to know a position. */
export function readsOf(database: Database): Reads {
  return {
    seenBy: () => new Seen(null, false),
    textOf: () => null,
    for: () => database,
    showEverything: async () => {},
    fromNow: async () => database,
  };
}
