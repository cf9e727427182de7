import { useEffect, useRef, useState } from 'react';
import type { OrderAdvanceResult, orderAdvance } from '../../../contract/console/order-advance.ts';
import type { orderScan, ScannedOrder } from '../../../contract/console/order-scan.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useWords } from '../../kit/language.tsx';
import { wordOfError } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { isAdvanced, wordAdvance } from './order-results.ts';
import { entriesMax, readSitting, type SittingEntry, writeSitting } from './pick-sitting.ts';
import type { RepeatedShipment } from './repeated-shipment.tsx';
import { words } from './words.ts';

export const deskModes = ['pick', 'pack', 'ship'] as const;
export type DeskMode = (typeof deskModes)[number];

export interface Desk {
  /** What came of the last scan, said once it is known. */
  told: { ok: boolean; text: string } | null;
  /** The order whose lines are shown. */
  current: ScannedOrder | null;
  /** The order that waits for its shipment number. */
  shipping: ScannedOrder | null;
  /** The shipment number that the order in hand was given, and that other orders have. */
  repeat: (RepeatedShipment & { carrier: string }) | null;
  /** Orders of one number, of which one is meant. */
  several: { number: string; orders: ScannedOrder[] } | null;
  collected: ScannedOrder[];
  entries: SittingEntry[];
  isBusy: boolean;
  /** Another one when the scanner is to be heard again: what had the focus is gone. */
  turn: number;
  scan(code: string): void;
  choose(order: ScannedOrder): void;
  ship(shipmentNo: string, carrier: string): void;
  /** Under the repeated number, on purpose. */
  shipRepeated(): void;
  putBack(): void;
  remove(orderId: number): void;
  doAll(): void;
  clear(): void;
}

const collectedMax = 100;

/** What happens at a desk with a scanner. Scans are done one after the other, however fast they come. */
export function usePickDesk(mode: DeskMode, isCollecting: boolean): Desk {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [sitting, setSitting] = useState(readSitting);
  const [told, setTold] = useState<Desk['told']>(null);
  const [current, setCurrent] = useState<ScannedOrder | null>(null);
  const [shipping, showShipping] = useState<ScannedOrder | null>(null);
  const [repeat, setRepeat] = useState<Desk['repeat']>(null);
  const [several, setSeveral] = useState<Desk['several']>(null);
  const [running, setRunning] = useState(0);
  const [turn, setTurn] = useState(0);
  // A scan that comes before the next drawing must see what the one before has done.
  const inHand = useRef<ScannedOrder | null>(null);
  const collected = useRef(sitting.collected);
  const queue = useRef(Promise.resolve());
  const { entries } = sitting;
  useEffect(() => writeSitting(sitting), [sitting]);

  const enqueue = (work: () => Promise<void>) => {
    setRunning((count) => count + 1);
    queue.current = queue.current.then(work).finally(() => setRunning((count) => count - 1));
  };
  const setShipping = (order: ScannedOrder | null) => {
    inHand.current = order;
    showShipping(order);
    setRepeat(null);
  };
  const setCollected = (orders: ScannedOrder[]) => {
    collected.current = orders;
    setSitting((before) => ({ ...before, collected: orders }));
  };
  const note = (noted: Omit<SittingEntry, 'key' | 'at' | 'step'>[]) => {
    const at = new Date().toISOString();
    const added = noted.map((entry, place) => ({ ...entry, at, step: mode, key: `${at}/${entry.number}/${place}` }));
    setSitting((before) => ({ ...before, entries: [...added, ...before.entries].slice(0, entriesMax) }));
  };
  const refuse = (number: string, text: string, order: ScannedOrder | null = null, loud = text) => {
    setTold({ ok: false, text: loud });
    note([{ number, accountNo: order?.account_no ?? null, orderId: order?.order_id ?? null, ok: false, text }]);
  };
  const fail = (number: string, error: unknown, order: ScannedOrder | null = null) =>
    refuse(number, `${say.pick.failed(number)} ${wordOfError(error as AskError, shared.errorKind)}`, order);

  async function find(code: string): Promise<void> {
    try {
      const answer = await ask<typeof orderScan>('/orders/scan', { number: code });
      if (answer.kind === 'not_found') refuse(code, say.pick.notFound(code));
      else if (answer.kind === 'several') setSeveral({ number: code, orders: answer.orders });
      else await take(answer.order);
    } catch (error) {
      fail(code, error);
    }
  }

  async function take(order: ScannedOrder): Promise<void> {
    setSeveral(null);
    setCurrent(order);
    if (isCollecting && mode !== 'ship') return collect(order);
    // What cannot be shipped is refused before anybody looks for its shipment number.
    if (mode === 'ship' && order.steps.includes('ship')) {
      setTold(null);
      return setShipping(order);
    }
    await advance(order, null, '');
  }

  function collect(order: ScannedOrder): void {
    const number = order.partner_number;
    const isCollected = collected.current.some(({ order_id }) => order_id === order.order_id);
    const isFull = collected.current.length >= collectedMax;
    if (!isCollected && !isFull) setCollected([...collected.current, order]);
    if (isCollected) setTold({ ok: true, text: say.pick.collectedAlready(number) });
    else setTold(isFull ? { ok: false, text: say.tooMany(formatNumber(collectedMax)) } : { ok: true, text: say.pick.collectedOne(number) });
  }

  async function shipInHand(order: ScannedOrder, code: string, carrier: string): Promise<void> {
    if (code === order.order_no || code === order.partner_number) return setTold({ ok: false, text: say.pick.isOrderNumber });
    await advance(order, code, carrier);
  }

  async function advance(order: ScannedOrder, shipmentNo: string | null, carrier: string, allowRepeat = false): Promise<void> {
    const number = order.partner_number;
    try {
      const body = {
        order_id: order.order_id,
        ...(shipmentNo !== null && { shipment_no: shipmentNo }),
        ...(carrier !== '' && { carrier }),
        ...(allowRepeat && { allow_repeat: true }),
      };
      const { results } = await ask<typeof orderAdvance>('/orders/advance', { step: mode, orders: [body] });
      const result = results[0]!;
      if (result.kind === 'repeated_shipment_no') {
        setTold(null);
        return setRepeat({ shipmentNo: shipmentNo!, carrier, others: result.others });
      }
      setShipping(null);
      if (!isAdvanced(result)) return refuse(number, wordResult(result), order, say.pick.done(number, wordResult(result)));
      const text = result.kind === 'already' ? wordResult(result) : say.stepDone[mode];
      if ('status' in result) setCurrent({ ...order, status: result.status, shipment_no: shipmentNo ?? order.shipment_no });
      setTold({ ok: true, text: say.pick.done(number, text) });
      note([{ ...namesOf(order), ok: true, text: shipmentNo === null ? text : `${text} · ${shipmentNo}` }]);
    } catch (error) {
      // It stays in hand: nothing that was scanned is lost.
      fail(number, error, order);
    }
  }

  async function advanceCollected(): Promise<void> {
    const orders = collected.current;
    if (orders.length === 0) return;
    try {
      const { results } = await ask<typeof orderAdvance>('/orders/advance', {
        step: mode,
        orders: orders.map(({ order_id }) => ({ order_id })),
      });
      note(results.map((result, place) => ({ ...namesOf(orders[place]!), ok: isAdvanced(result), text: wordResult(result) })));
      setCollected([]);
      const refused = results.filter((result) => !isAdvanced(result)).length;
      const done = `${say.stepDone[mode]}: ${formatNumber(results.length - refused)}`;
      setTold(refused === 0 ? { ok: true, text: done } : { ok: false, text: `${done}. ${say.pick.refused(formatNumber(refused))}` });
    } catch (error) {
      setTold({ ok: false, text: wordOfError(error as AskError, shared.errorKind) });
    }
  }

  const wordResult = (result: OrderAdvanceResult) => wordAdvance(result, mode, say.result, shared.orderStatus);
  return {
    ...{ told, current, shipping, repeat, several, entries },
    collected: sitting.collected,
    isBusy: running > 0,
    turn,
    scan: (code) => enqueue(() => (inHand.current === null ? find(code) : shipInHand(inHand.current, code, ''))),
    choose: (order) => {
      setTurn(turn + 1);
      enqueue(() => take(order));
    },
    ship: (shipmentNo, carrier) => enqueue(async () => void (inHand.current && (await shipInHand(inHand.current, shipmentNo, carrier)))),
    shipRepeated: () =>
      enqueue(async () => void (inHand.current && repeat && (await advance(inHand.current, repeat.shipmentNo, repeat.carrier, true)))),
    putBack: () => {
      setShipping(null);
      setSeveral(null);
      setTold(null);
      setTurn(turn + 1);
    },
    remove: (orderId) => setCollected(collected.current.filter(({ order_id }) => order_id !== orderId)),
    doAll: () => {
      setTurn(turn + 1);
      enqueue(advanceCollected);
    },
    clear: () => setSitting((before) => ({ ...before, entries: [] })),
  };
}

function namesOf(order: ScannedOrder) {
  return { number: order.partner_number, accountNo: order.account_no, orderId: order.order_id };
}
