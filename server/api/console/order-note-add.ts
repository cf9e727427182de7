import { orderNoteAdd } from '../../../contract/console/order-note-add.ts';
import { findOrdersById } from '../../domain/orders/order-detail-queries.ts';
import { addNote } from '../../domain/timeline/add-note.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { noSuchOrder } from './order-named.ts';

export function orderNoteAddCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(orderNoteAdd, {
    role: 'staff',
    audit: ({ order_id }) => ({ subject: `order ${order_id}` }),
    async handle({ session }, { order_id, text }) {
      const [order] = await database.read((sql) => findOrdersById(sql, [order_id]));
      if (!order) throw noSuchOrder();
      const note = {
        type: 'order',
        documentId: order_id,
        accountId: order.account_id,
        author: session.username,
        text: text.trim(),
      } as const;
      return await database.transaction((tx) => addNote(tx, note));
    },
  });
}
