import { recordView } from '../../domain/operators/action-queries.ts';
import { roleSuffices } from '../../domain/operators/operator.ts';
import type { Database } from '../../platform/database.ts';
import type { Incoming } from '../incoming.ts';
import type { ConsoleCaller } from './console-contract.ts';

/** A page that stays open asks again with every change: within this time, it is still the same look at the order. */
const sameViewMinutes = 60;

/** Operators who only look see people masked: names, phones, addresses, and free text that may hold them. */
export function maySeePeople({ session }: ConsoleCaller): boolean {
  return roleSuffices(session.role, 'staff');
}

/** One line in the audit log for each operator and order an hour, written before the recipient is shown. */
export async function noteRecipientSeen(
  database: Database,
  { session: { username, role } }: ConsoleCaller,
  request: Incoming,
  { orderId, accountNo }: { orderId: number; accountNo: string },
): Promise<void> {
  const who = { username, role, address: request.ip, traceId: request.id };
  const view = { ...who, action: 'orders/view-recipient', subject: `order ${orderId}`, accountNo, details: {} };
  await recordView(database, view, sameViewMinutes);
}
