import type { Sql } from '../../platform/postgres/sql.ts';
import { findAllRecipients } from './former-recipients.ts';
import { maskCallbackBody } from './mask-recipient.ts';
import { makeRedact } from './redact-recipient.ts';

/** The parts of a callback that may be about the recipient of its order. */
interface ShownCallback {
  account_id: number;
  document_type: string;
  document_id: number;
  body: string;
  attempts: { response: string | null }[];
}

/** Callbacks as people see them: the note in the body is masked, and the recipient in the receivers' responses. */
export async function maskCallbacks<Callback extends ShownCallback>(
  sql: Sql,
  callbacks: Callback[],
): Promise<Callback[]> {
  const ofOrders = callbacks.filter(({ document_type }) => document_type === 'order');
  const recipientsOf = await findAllRecipients(
    sql,
    ofOrders.map(({ account_id, document_id }) => ({ accountId: account_id, orderId: document_id })),
  );
  return callbacks.map((callback) => {
    const isOfOrder = callback.document_type === 'order';
    const redact = makeRedact((isOfOrder && recipientsOf.get(callback.document_id)) || []);
    const attempts = callback.attempts.map((attempt) => ({
      ...attempt,
      response: attempt.response && redact(attempt.response),
    }));
    return { ...callback, body: maskCallbackBody(callback.body), attempts };
  });
}
