import { inboundNoteAdd } from '../../../contract/console/inbound-note-add.ts';
import { addNote } from '../../domain/timeline/add-note.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { inboundOfId } from './inbound-named.ts';

export function inboundNoteAddCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundNoteAdd, {
    role: 'staff',
    audit: ({ inbound_id }) => ({ subject: `inbound ${inbound_id}` }),
    async handle({ session }, { inbound_id, text }) {
      const { account_id: accountId } = await inboundOfId(database, inbound_id);
      const note = { type: 'inbound', documentId: inbound_id, accountId, author: session.username, text: text.trim() } as const;
      return await database.transaction((tx) => addNote(tx, note));
    },
  });
}
