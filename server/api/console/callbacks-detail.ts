import { callbackDetail } from '../../../contract/console/callback-detail.ts';
import { findCallbackStory } from '../../domain/callbacks/callback-list-queries.ts';
import { headersOfOneTry, lastingHeaders } from '../../domain/callbacks/callback-signature.ts';
import { masked } from '../../domain/orders/mask-recipient.ts';
import { ProblemError } from '../problem.ts';
import { wordCallback } from './callbacks-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { maySeePeople } from './people-seen.ts';

export function callbacksDetailCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(callbackDetail, {
    role: 'read-only',
    audit: null,
    async handle(caller, { callback_id }) {
      await directory.allNow();
      const story = await database.read((sql) => findCallbackStory(sql, callback_id));
      if (story === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such callback' });
      const { occurred_at, key_name, body, receiver, attempts, document_callbacks } = story;
      return {
        ...wordCallback(story, accountNosOf(directory)),
        occurred_at,
        key_name,
        headers: [
          ...Object.entries(lastingHeaders(story.event_id)).map(([name, value]) => ({ name, value })),
          ...headersOfOneTry.map((name) => ({ name, value: null })),
        ],
        body: maySeePeople(caller) ? body : withNoteMasked(body),
        receiver,
        attempt_list: attempts,
        document_callbacks,
      };
    },
  });
}

/** The note is the partner's free text, and the only field of a callback that may be about a person. */
function withNoteMasked(body: string): string {
  const content = JSON.parse(body) as { note?: string | null };
  return content.note ? JSON.stringify({ ...content, note: masked }) : body;
}
