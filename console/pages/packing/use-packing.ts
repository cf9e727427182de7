import { useState } from 'react';
import type {
  PackingOrder,
  PackingScanAnswer,
  packingEmpty,
  packingOpen,
  packingShip,
  ShipmentWarning,
} from '../../../contract/console/packing.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useWords } from '../../kit/language.tsx';
import { formatError } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useScanResult } from '../../kit/scan-result.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useRefreshPlanned } from '../shipping/planned-shipments.tsx';
import { kindsOf } from '../shipping/shipment-warnings.tsx';
import { words as shipWords } from '../shipping/words.ts';
import { isNumberOf, lastParcelOf, parcelNosOf, type Stage, sendScan, stageOf, unitsLeft } from './packing-table.ts';
import { words } from './words.ts';

export type Packing = ReturnType<typeof usePacking>;

type Labels = Record<number, string>;

/** A packing table with a scanner. The server has the parcels, so another device can continue. */
export function usePacking() {
  const table = useTable();
  const { say, order, stage, parcelNo, labels, warnings, showFailure, fail } = table;
  return {
    ...table,
    scan: async (code: string, times: number) => {
      table.setSeveral(null);
      try {
        if (stage === 'order' || order === null) return (await open(table, code)) || fail(say.notFound(code));
        if (stage === 'label') return await label(table, order, code);
        await showScan(table, code, await sendScan({ order_id: order.order_id, parcel_no: parcelNo, code, times }));
      } catch (error) {
        showFailure(code, error);
      }
    },
    shipWith: (code: string) => order && label(table, order, code).catch((error) => showFailure(code, error)),
    shipAnyway: async () => {
      if (order === null || warnings === null) return;
      await ship(table, order, labels, kindsOf(warnings)).catch((error) => showFailure(order.partner_number, error));
      table.nextTurn();
    },
    empty: async () => {
      if (order === null) return;
      await empty(table, order).catch((error) => showFailure(order.partner_number, error));
      table.nextTurn();
    },
    showUndone: (isUndone: boolean, text: string) => {
      if (isUndone) table.done(text);
      else fail(text);
      table.nextTurn();
    },
  };
}

type Table = ReturnType<typeof useTable>;

/** False if no order has the number. */
async function open(table: Table, code: string): Promise<boolean> {
  const answer = await ask<typeof packingOpen>('/packing/open', { number: code });
  if (answer.kind === 'several') table.setSeveral({ code, orders: answer.orders });
  if (answer.kind === 'found') table.take(answer.order);
  return answer.kind !== 'not_found';
}

async function showScan(table: Table, code: string, answer: PackingScanAnswer): Promise<void> {
  const { say, sayShip, fail, done } = table;
  table.update(answer.order);
  if (answer.kind === 'not_workable') return fail(sayShip.notWorkable[answer.why]);
  if (answer.kind === 'wrong') return fail(say.wrong(answer.sku_id));
  if (answer.kind === 'surplus')
    return fail(say.surplus(answer.sku_id, formatNumber(answer.qty), formatNumber(answer.left)));
  // The label of the next order is no product.
  if (answer.kind === 'unknown') return void ((await open(table, code)) || fail(say.unknown(code)));
  if (answer.is_complete) return done(say.complete(answer.order.partner_number));
  done(say.packed(answer.sku_id, formatNumber(answer.qty), formatNumber(unitsLeft(answer.order))));
}

async function label(table: Table, order: PackingOrder, code: string): Promise<void> {
  const { say, fail, warnings, labels } = table;
  if (code === order.order_no || code === order.partner_number) return fail(say.isOrderNumber);
  if (await isNoLabel(table, order, code)) return;
  // A scanner that reads the label twice does not confirm.
  if (warnings !== null && Object.values(labels).includes(code)) return fail(say.confirmFirst);
  const before = warnings === null ? labels : {};
  const parcel = parcelNosOf(order).find((one) => before[one] === undefined) ?? 1;
  const next = { ...before, [parcel]: code };
  table.setWarnings(null);
  table.setLabels(next);
  if (parcelNosOf(order).every((one) => next[one] !== undefined)) return await ship(table, order, next, []);
  table.done(say.labelled(formatNumber(parcel), code));
}

/**
 * Scanners read items twice, and people take the next order before they have scanned the label. Neither text may become
 * a shipment number, and most carriers have no form that would refuse it.
 */
async function isNoLabel(table: Table, order: PackingOrder, code: string): Promise<boolean> {
  const { order_id, is_complete } = order;
  const [item, other] = await Promise.all([
    // A complete order takes no units, so this only asks whether the code is one of a product.
    is_complete ? sendScan({ order_id, parcel_no: table.parcelNo, code, times: 1 }) : null,
    // A number of another warehouse's order is refused here; whether it may be used is decided when it ships.
    ask<typeof packingOpen>('/packing/open', { number: code }).catch(() => null),
  ]);
  if (item !== null && item.kind !== 'unknown') {
    await showScan(table, code, item);
    return true;
  }
  if (other?.kind !== 'found' || !isNumberOf(other.order, code)) return false;
  table.take(other.order);
  return true;
}

async function ship(
  table: Table,
  order: PackingOrder,
  labels: Labels,
  confirmed: ShipmentWarning['kind'][],
): Promise<void> {
  const { say, sayShip, fail } = table;
  const shipments = parcelNosOf(order).map((parcel_no) => ({ parcel_no, shipment_no: labels[parcel_no]! }));
  const answer = await ask<typeof packingShip>('/packing/ship', { order_id: order.order_id, shipments, confirmed });
  table.refresh();
  if (answer.kind === 'confirm') {
    table.setWarnings(answer.warnings);
    return fail(say.notYet(order.partner_number));
  }
  table.setWarnings(null);
  table.setLabels({});
  if (answer.kind === 'not_workable') return fail(sayShip.notWorkable[answer.why]);
  if (answer.kind !== 'planned') return fail(sayShip.shipRefusal[answer.kind]);
  table.putAway();
  table.done(sayShip.planned(order.partner_number, formatNumber(answer.undo_seconds)));
}

async function empty(table: Table, { order_id }: PackingOrder): Promise<void> {
  const { say, sayShip, parcelNo } = table;
  const answer = await ask<typeof packingEmpty>('/packing/empty', { order_id, parcel_no: parcelNo });
  table.update(answer.order);
  table.setWanted('items');
  if (answer.kind === 'not_workable') table.fail(sayShip.notWorkable[answer.why]);
  else table.done(say.emptied(formatNumber(parcelNo)));
}

/** The state of the packing table: the open order, its parcels and labels, and the result of the last scan. */
function useTable() {
  const say = useWords(words);
  const sayShip = useWords(shipWords);
  const shared = useWords(sharedWords);
  const refresh = useRefreshPlanned();
  const { last, show } = useScanResult();
  const [order, setOrder] = useState<PackingOrder | null>(null);
  const [wanted, setWanted] = useState<Stage | null>(null);
  const [several, setSeveral] = useState<{ code: string; orders: PackingOrder[] } | null>(null);
  const [parcelNo, setParcelNo] = useState(1);
  const [labels, setLabels] = useState<Labels>({});
  const [warnings, setWarnings] = useState<ShipmentWarning[] | null>(null);
  const [turn, setTurn] = useState(0);
  const nextTurn = () => setTurn((before) => before + 1);
  const fail = (text: string) => show({ tone: 'failed', text });
  const done = (text: string) => show({ tone: 'done', text });

  const clear = () => {
    setWanted(null);
    setSeveral(null);
    setLabels({});
    setWarnings(null);
  };
  return {
    ...{ say, sayShip, shared, last, order, several, parcelNo, labels, warnings, turn },
    ...{ setSeveral, setLabels, setWarnings, setWanted, nextTurn, fail, done, refresh },
    stage: stageOf(order, wanted),
    showFailure: (what: string, error: unknown) =>
      fail(`${say.failed(what)} ${formatError(error as AskError, shared.errorKind)}`),
    /** Shows another order. One that cannot be packed is shown with the reason. */
    take(next: PackingOrder) {
      clear();
      setOrder(next);
      setParcelNo(lastParcelOf(next));
      if (next.not_workable !== null) fail(`${next.partner_number}: ${sayShip.notWorkable[next.not_workable]}`);
      else done(next.parcels.length > 0 ? say.resumed(next.partner_number) : say.opened(next.partner_number));
      nextTurn();
    },
    /** The same order after a change, also one of another device. */
    update: (next: PackingOrder) => {
      setOrder(next);
      if (next.is_complete) setWanted(null);
    },
    putAway() {
      clear();
      setOrder(null);
      nextTurn();
    },
    setParcel(next: number) {
      setParcelNo(next);
      nextTurn();
    },
    /** Chooses between items and label, whatever is packed. */
    choose(stage: Stage) {
      clear();
      setWanted(stage);
      nextTurn();
    },
  };
}
