import type { Clock } from './clock.ts';
import type { Keyring } from './keyring.ts';

/**
 * State between two steps of one visitor, which the visitor carries. It is sealed, so only our nodes can read or make
 * it, and none of them has to remember it.
 */
export interface Tickets<Content> {
  issue(content: Content): string;
  /** null: not one of ours, for something else, or too old. */
  open(text: string): Content | null;
}

const textLengthMax = 4096;

export function makeTickets<Content extends object>(
  keyring: Keyring,
  clock: Clock,
  { purpose, seconds }: { purpose: string; seconds: number },
): Tickets<Content> {
  const context = `ticket:${purpose}`;
  return {
    issue(content) {
      const until = clock.now().getTime() + seconds * 1000;
      const { sealed, keyId } = keyring.seal(JSON.stringify({ content, until }), context);
      return `${keyId}.${sealed.toString('base64url')}`;
    },
    open(text) {
      const [, keyId, sealed] = /^(\w+)\.([\w-]+)$/.exec(text.slice(0, textLengthMax)) ?? [];
      if (sealed === undefined) return null;
      const plain = openIfOurs(keyring, Buffer.from(sealed, 'base64url'), keyId!, context);
      if (plain === null) return null;
      const { content, until } = JSON.parse(plain) as { content: Content; until: number };
      return clock.now().getTime() < until ? content : null;
    },
  };
}

/** A text that was altered, or sealed for another purpose or with a key that we do not have, does not open. */
function openIfOurs(keyring: Keyring, sealed: Buffer, keyId: string, context: string): string | null {
  try {
    return keyring.open(sealed, keyId, context);
  } catch {
    return null;
  }
}
