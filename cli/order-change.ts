import { readFileSync } from 'node:fs';
import { OrdersHoldBody } from '../contract/main/orders-hold.ts';
import { OrdersUpdateBody } from '../contract/main/orders-update.ts';
import { errorMessage } from '../messages/errors.ts';
import { formatMessage } from '../messages/format-message.ts';
import { fieldsGiven, shipMethodMessage, wireNameOf } from '../server/api/order-changes.ts';
import { type ChangeOrderOutcome, changeOrders } from '../server/domain/orders/change-orders.ts';
import type { WantedChange } from '../server/domain/orders/order-change.ts';
import { findOrdersNamed } from '../server/domain/orders/order-history-queries.ts';
import { makeSubmitChanges } from '../server/domain/transfers/submit-changes.ts';
import { makeChecker } from '../server/platform/json/schema.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { exitCodes, Failure } from './command-line.ts';
import { readHistory } from './document-history.ts';
import { commandActor, recorded } from './record-command.ts';
import { storeCommand } from './store-command.ts';

interface NamedOptions {
  account?: string;
}

/** `lading order hold NUMBER`: keeps an order from being handed over to its warehouse. */
export function holdCommand() {
  return changeCommand('hold', 'keep an order from being handed over to its warehouse', ({ reason }) => {
    checkEntry(makeChecker(OrdersHoldBody), { reason });
    return { kind: 'hold', reason: reason ?? null };
  }).option('--reason <text>', 'becomes part of the history, and is erased with the recipient');
}

/** `lading order release NUMBER`. */
export function releaseCommand() {
  return changeCommand('release', 'release an order that is on hold', () => ({ kind: 'release' }));
}

const textOptions = [
  ['consigneeName', 'consignee_name', 'name of the recipient'],
  ['consigneePhone', 'consignee_phone', 'phone number of the recipient'],
  ['consigneeAddress', 'consignee_address', 'address of the recipient, or the pickup store'],
  ['consigneeCity', 'consignee_city', 'city (orders of the logistics webhook)'],
  ['consigneeZip', 'consignee_zip', 'postal code (orders of the warehouse API and the main API)'],
  ['logisticsType', 'logistics_type', 'home or csvs (orders of the warehouse API and the main API)'],
  ['expressType', 'express_type', 'carrier or chain (orders of the warehouse API and the main API)'],
  ['note', 'note', 'note for the warehouse (orders of the logistics webhook)'],
] as const;

/** `lading order update NUMBER`: changes the recipient, the ship method, the note or the label. */
export function updateCommand() {
  const command = changeCommand('update', 'change an order that its warehouse does not have yet', (options) => {
    const { labelFile } = options;
    const given = Object.fromEntries(
      textOptions.flatMap(([option, name]) => (options[option] === undefined ? [] : [[name, options[option]]])),
    );
    const label = labelFile === undefined ? {} : { store_pickup_label_data: readLabel(labelFile) };
    const entry = { ...given, ...label };
    checkEntry(makeChecker(OrdersUpdateBody), entry);
    return { kind: 'update', fields: fieldsGiven(entry) };
  });
  for (const [, name, meaning] of textOptions) command.option(`--${name.replaceAll('_', '-')} <text>`, meaning);
  return command.option('--label-file <file>', 'file with the label as JSON (orders of the logistics webhook)');
}

function changeCommand(
  name: 'hold' | 'release' | 'update',
  description: string,
  changeOf: (options: Record<string, string | undefined>) => WantedChange,
) {
  return storeCommand(
    name,
    description,
    async (store, _config, number: string, options: NamedOptions & Record<string, string | undefined>) => {
      const change = changeOf(options);
      const wanted = { word: 'order', number, accountNo: options.account ?? null };
      const order = await readHistory(store.database, wanted, findOrdersNamed, async (_sql, found) => found);
      const { account_id: accountId, document_id: orderId, account_no: accountNo, document_no } = order;
      const entry = { partnerNumber: order.partner_number, isLogistics: order.channel === 'logistics', change };
      const submit = makeSubmitChanges({
        database: store.database,
        change: (request) => changeAlone(store.database, request),
      });
      const outcome = await recorded(store.database, { action: `orders/${name}`, orderId, accountNo }, async () => {
        const [only] = await submit({ accountId, entries: [entry], cause: { actor: commandActor(), traceId: null } });
        return only!;
      });
      const refusal = formatRefusal(outcome);
      if (refusal !== null) throw new Failure(exitCodes.refused, `${document_no}: ${refusal}`);
      const isRequested = outcome.kind === 'requested';
      return {
        json: { order_no: document_no, account_no: accountNo, kind: outcome.kind },
        text: isRequested
          ? `asked the warehouse of ${document_no} for the change; \`lading order show\` shows its answer`
          : `${done[name]} ${document_no}`,
      };
    },
  )
    .argument('<number>', "the partner's number for the order, or ours (ow_...)")
    .option('--account <account_no>', 'only orders of this account');
}

const done = { hold: 'holds', release: 'released', update: 'changed' } as const;

type Submit = Parameters<typeof makeSubmitChanges>[0]['change'];

/** The group operation on a single request, in a transaction of its own. */
async function changeAlone(database: Database, request: Parameters<Submit>[0]): Promise<ChangeOrderOutcome[]> {
  return await database.transaction([request.accountId], async (tx) => {
    const { answer, writes } = await changeOrders.run(tx, [request]);
    await Promise.all(writes);
    return answer[0]!;
  });
}

/** The same limits as in the main API. */
function checkEntry(check: ReturnType<typeof makeChecker>, entry: object): void {
  const checked = check({ orders: [{ outbound_short_id: 'order', ...entry }] });
  if (checked.kind !== 'mistakes') return;
  const [mistake] = checked.mistakes;
  const field = String(mistake!.path.at(-1)).replaceAll('_', '-');
  throw new Failure(exitCodes.wrongUsage, `--${field} ${formatMessage(mistake!.message)}`);
}

function readLabel(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `cannot read a label from ${file}: ${(error as Error).message}`);
  }
}

/** null: the change is made or requested. */
function formatRefusal(outcome: ChangeOrderOutcome): string | null {
  switch (outcome.kind) {
    case 'changed':
    case 'requested':
      return null;
    case 'not_found':
      return 'there is no such order';
    case 'too_late':
      return formatMessage(
        outcome.isBeingSent
          ? errorMessage('order_being_handed_over')
          : errorMessage('order_past_changes', { status: outcome.status }),
      );
    case 'not_applicable': {
      const fields = outcome.fields.map((field) => wireNameOf[field]).join(', ');
      const code = outcome.isLogistics ? 'fields_of_direct_orders' : 'fields_of_logistics_orders';
      return formatMessage(errorMessage(code, { fields }));
    }
    case 'unknown_ship_method':
      return formatMessage(shipMethodMessage(outcome.wrongParts));
    case 'too_many':
      return formatMessage(errorMessage('too_many_changes', { max: outcome.max }));
    default:
      return outcome satisfies never;
  }
}
