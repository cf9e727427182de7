import { useEffect, useRef, useState } from 'react';
import type {
  AdvanceStep,
  OrderAdvanceResult,
  orderAdvance,
  orderScan,
  ScannedOrder,
} from '../../../contract/console/orders.ts';
import type { NotWorkable, OrderShipResult, orderShip, ShipmentWarning } from '../../../contract/console/packing.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import type { SameWords } from '../../kit/define-words.ts';
import { useWords } from '../../kit/language.tsx';
import { formatError } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { type ScanResult, useScanResult } from '../../kit/scan-result.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useRefreshPlanned } from '../shipping/planned-shipments.tsx';
import { formatShip } from '../shipping/ship-result.ts';
import { kindsOf } from '../shipping/shipment-warnings.tsx';
import { words as shipWords } from '../shipping/words.ts';
import { formatAdvance, isAdvanced } from './order-results.ts';
import { entriesMax, type PickEntry, readPickSession, writePickSession } from './pick-session.ts';
import { words } from './words.ts';

export const deskModes = ['pick', 'pack', 'ship'] as const;
export type DeskMode = (typeof deskModes)[number];

export interface Desk {
  /** The result of the last scan. */
  lastResult: ScanResult | null;
  /** The order whose lines are shown. */
  current: ScannedOrder | null;
  /** The order that waits for its shipment number. */
  shipping: ScannedOrder | null;
  /** The shipment number that the order in hand was given, with the reasons to ask. */
  warned: { shipmentNo: string; carrier: string; warnings: ShipmentWarning[] } | null;
  /** Orders with the same number, for the operator to choose one. */
  several: { number: string; orders: ScannedOrder[] } | null;
  collected: ScannedOrder[];
  entries: PickEntry[];
  isBusy: boolean;
  /** Changes when the scan field has to take the focus again. */
  turn: number;
  scan(code: string): void;
  choose(order: ScannedOrder): void;
  ship(shipmentNo: string, carrier: string): void;
  /** With the same number, although there are warnings. */
  shipAnyway(): void;
  showUndone(isUndone: boolean, text: string): void;
  putBack(): void;
  remove(orderId: number): void;
  doAll(): void;
  clear(): void;
}

const collectedMax = 100;

/** A desk with a scanner. Scans are processed one after the other. */
export function usePickDesk(mode: DeskMode, isCollecting: boolean): Desk {
  const say = useWords(words);
  const sayShip = useWords(shipWords);
  const shared = useWords(sharedWords);
  const state = useDeskState(mode);
  const refresh = useRefreshPlanned();
  const steps = new DeskSteps(state, { mode, isCollecting, say, sayShip, shared, refresh });
  const { inHand, collected, enqueue, nextTurn } = state;
  return {
    ...state.shown,
    scan: (code) =>
      enqueue(() => (inHand.current === null ? steps.find(code) : steps.shipInHand(inHand.current, code, ''))),
    choose: (order) => {
      nextTurn();
      enqueue(() => steps.take(order));
    },
    ship: (shipmentNo, carrier) =>
      enqueue(async () => void (inHand.current && (await steps.shipInHand(inHand.current, shipmentNo, carrier)))),
    shipAnyway: () => enqueue(() => steps.shipAnyway()),
    showUndone: (isUndone, text) => {
      state.setLastResult({ tone: isUndone ? 'done' : 'failed', text });
      nextTurn();
    },
    putBack: () => {
      state.setShipping(null);
      state.setSeveral(null);
      state.setLastResult(null);
      nextTurn();
    },
    remove: (orderId) => state.setCollected(collected.current.filter(({ order_id }) => order_id !== orderId)),
    doAll: () => {
      nextTurn();
      enqueue(() => steps.advanceCollected());
    },
    clear: state.clearEntries,
  };
}

type DeskState = ReturnType<typeof useDeskState>;

function useDeskState(mode: DeskMode) {
  const [session, setSession] = useState(readPickSession);
  const { last: lastResult, show: setLastResult } = useScanResult();
  const [current, setCurrent] = useState<ScannedOrder | null>(null);
  const [shipping, showShipping] = useState<ScannedOrder | null>(null);
  const [warned, setWarned] = useState<Desk['warned']>(null);
  const [several, setSeveral] = useState<Desk['several']>(null);
  const [running, setRunning] = useState(0);
  const [turn, setTurn] = useState(0);
  // A scan before the next render must see the effect of the previous one.
  const inHand = useRef<ScannedOrder | null>(null);
  const collected = useRef(session.collected);
  const queue = useRef(Promise.resolve());
  useEffect(() => writePickSession(session), [session]);
  return {
    shown: { lastResult, current, shipping, warned, several, turn, ...session, isBusy: running > 0 },
    inHand,
    collected,
    setLastResult,
    setCurrent,
    setWarned,
    setSeveral,
    nextTurn: () => setTurn(turn + 1),
    enqueue(work: () => Promise<void>) {
      setRunning((count) => count + 1);
      queue.current = queue.current.then(work).finally(() => setRunning((count) => count - 1));
    },
    setShipping(order: ScannedOrder | null) {
      inHand.current = order;
      showShipping(order);
      setWarned(null);
    },
    setCollected(orders: ScannedOrder[]) {
      collected.current = orders;
      setSession((before) => ({ ...before, collected: orders }));
    },
    clearEntries: () => setSession((before) => ({ ...before, entries: [] })),
    note(noted: Omit<PickEntry, 'key' | 'at' | 'step'>[]) {
      const at = new Date().toISOString();
      const added = noted.map((entry, place) => ({ ...entry, at, step: mode, key: `${at}/${entry.number}/${place}` }));
      setSession((before) => ({ ...before, entries: [...added, ...before.entries].slice(0, entriesMax) }));
    },
  };
}

interface DeskSetting {
  mode: DeskMode;
  isCollecting: boolean;
  say: SameWords<(typeof words)['en']>;
  sayShip: SameWords<(typeof shipWords)['en']>;
  shared: SameWords<(typeof sharedWords)['en']>;
  /** Shows the planned shipments again. */
  refresh(): void;
}

/** The steps that scans and buttons lead to. */
class DeskSteps {
  private readonly state: DeskState;
  private readonly setting: DeskSetting;

  constructor(state: DeskState, setting: DeskSetting) {
    this.state = state;
    this.setting = setting;
  }

  async find(code: string): Promise<void> {
    const { say } = this.setting;
    try {
      const answer = await ask<typeof orderScan>('/orders/scan', { number: code });
      if (answer.kind === 'not_found') this.refuse(code, say.pick.notFound(code));
      else if (answer.kind === 'several') this.state.setSeveral({ number: code, orders: answer.orders });
      else await this.take(answer.order);
    } catch (error) {
      this.fail(code, error);
    }
  }

  async take(order: ScannedOrder): Promise<void> {
    const { mode, isCollecting } = this.setting;
    this.state.setSeveral(null);
    this.state.setCurrent(order);
    if (isCollecting && mode !== 'ship') return this.collect(order);
    if (mode !== 'ship') return await this.advance(order, mode);
    // Refuse orders that cannot be shipped before asking for a shipment number.
    const why = whyNotShipped(order);
    if (why) return this.refuseOrder(order, this.setting.sayShip.notWorkable[why]);
    this.state.setLastResult(null);
    this.state.setShipping(order);
  }

  async shipInHand(order: ScannedOrder, code: string, carrier: string): Promise<void> {
    if (code === order.order_no || code === order.partner_number)
      return this.state.setLastResult({ tone: 'failed', text: this.setting.say.pick.isOrderNumber });
    await this.ship(order, code, carrier, []);
  }

  async shipAnyway(): Promise<void> {
    const { inHand, shown } = this.state;
    if (inHand.current === null || shown.warned === null) return;
    const { shipmentNo, carrier, warnings } = shown.warned;
    await this.ship(inHand.current, shipmentNo, carrier, kindsOf(warnings));
  }

  async advanceCollected(): Promise<void> {
    const orders = this.state.collected.current;
    const step = this.setting.mode;
    if (orders.length === 0 || step === 'ship') return;
    try {
      const bodies = orders.map(({ order_id }) => ({ order_id }));
      const { results } = await ask<typeof orderAdvance>('/orders/advance', { step, orders: bodies });
      this.state.note(
        results.map((result, place) => ({
          ...namesOf(orders[place]!),
          ok: isAdvanced(result),
          text: this.formatResult(result, step),
        })),
      );
      this.state.setCollected([]);
      this.state.setLastResult(this.summaryOf(results, step));
    } catch (error) {
      this.state.setLastResult({ tone: 'failed', text: formatError(error as AskError, this.setting.shared.errorKind) });
    }
  }

  private summaryOf(results: OrderAdvanceResult[], step: AdvanceStep): ScanResult {
    const { say } = this.setting;
    const refused = results.filter((result) => !isAdvanced(result)).length;
    const done = `${say.stepDone[step]}: ${formatNumber(results.length - refused)}`;
    if (refused === 0) return { tone: 'done', text: done };
    return { tone: 'failed', text: `${done}. ${say.pick.refused(formatNumber(refused))}` };
  }

  private collect(order: ScannedOrder): void {
    const { collected, setCollected, setLastResult } = this.state;
    const { say } = this.setting;
    const number = order.partner_number;
    if (collected.current.some(({ order_id }) => order_id === order.order_id))
      setLastResult({ tone: 'done', text: say.pick.collectedAlready(number) });
    else if (collected.current.length >= collectedMax)
      setLastResult({ tone: 'failed', text: say.tooMany(formatNumber(collectedMax)) });
    else {
      setCollected([...collected.current, order]);
      setLastResult({ tone: 'done', text: say.pick.collectedOne(number) });
    }
  }

  private async advance(order: ScannedOrder, step: AdvanceStep): Promise<void> {
    try {
      const orders = [{ order_id: order.order_id }];
      const { results } = await ask<typeof orderAdvance>('/orders/advance', { step, orders });
      this.showAdvance(order, step, results[0]!);
    } catch (error) {
      this.fail(order.partner_number, error, order);
    }
  }

  private showAdvance(order: ScannedOrder, step: AdvanceStep, result: OrderAdvanceResult): void {
    const { say } = this.setting;
    const formatted = this.formatResult(result, step);
    if (!isAdvanced(result)) {
      this.refuseOrder(order, formatted);
      return;
    }
    if ('status' in result) this.state.setCurrent({ ...order, status: result.status });
    this.accept(order, result.kind === 'already' ? formatted : say.stepDone[step]);
  }

  private async ship(
    order: ScannedOrder,
    shipmentNo: string,
    carrier: string,
    confirmed: ShipmentWarning['kind'][],
  ): Promise<void> {
    try {
      const body = { order_id: order.order_id, shipment_no: shipmentNo, ...(carrier !== '' && { carrier }), confirmed };
      const { results } = await ask<typeof orderShip>('/orders/ship', { orders: [body] });
      this.setting.refresh();
      this.showShip(order, { shipmentNo, carrier }, results[0]!);
    } catch (error) {
      // The order stays in hand, so nothing that was scanned is lost.
      this.fail(order.partner_number, error, order);
    }
  }

  private showShip(order: ScannedOrder, label: { shipmentNo: string; carrier: string }, result: OrderShipResult): void {
    if (result.kind === 'confirm') {
      this.state.setLastResult(null);
      this.state.setWarned({ ...label, warnings: result.warnings });
      return;
    }
    this.state.setShipping(null);
    const text = formatShip(result, this.setting.sayShip);
    if (result.kind === 'planned') this.accept(order, text, `${text} · ${label.shipmentNo}`);
    else this.refuseOrder(order, text);
  }

  private accept(order: ScannedOrder, text: string, noted = text): void {
    this.state.setLastResult({ tone: 'done', text: this.setting.say.pick.done(order.partner_number, text) });
    this.state.note([{ ...namesOf(order), ok: true, text: noted }]);
  }

  private refuseOrder(order: ScannedOrder, text: string): void {
    const number = order.partner_number;
    this.refuse(number, text, order, this.setting.say.pick.done(number, text));
  }

  private refuse(number: string, text: string, order: ScannedOrder | null = null, loud = text): void {
    this.state.setLastResult({ tone: 'failed', text: loud });
    const names = { accountNo: order?.account_no ?? null, orderId: order?.order_id ?? null };
    this.state.note([{ number, ...names, ok: false, text }]);
  }

  private fail(number: string, error: unknown, order: ScannedOrder | null = null): void {
    const { say, shared } = this.setting;
    this.refuse(number, `${say.pick.failed(number)} ${formatError(error as AskError, shared.errorKind)}`, order);
  }

  private formatResult(result: OrderAdvanceResult, step: AdvanceStep): string {
    const { say, shared } = this.setting;
    return formatAdvance(result, step, say.result, shared.orderStatus);
  }
}

function whyNotShipped({ environment, status, steps }: ScannedOrder): NotWorkable | null {
  if (environment === 'uat') return 'uat';
  if (steps.includes('ship')) return null;
  return status === 'cancelled' || status === 'awaiting_stock' ? status : 'shipped';
}

function namesOf(order: ScannedOrder) {
  return { number: order.partner_number, accountNo: order.account_no, orderId: order.order_id };
}
