import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import type { AnswerOf, BodyOf } from '../../../contract/console/console-call.ts';
import type {
  BlindLine,
  CountLot,
  CountProduct,
  countEnter,
  countFind,
  countUndo,
} from '../../../contract/console/counts.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { formatError, useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useScanResult } from '../../kit/scan-result.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { lotKey, lotOf } from './count-lot.ts';
import { words } from './words.ts';

type Found = Extract<AnswerOf<typeof countFind>, { kind: 'found' }>;
type Entered = AnswerOf<typeof countEnter>;

/** A product whose lot somebody must choose. */
export interface LotQuestion {
  product: CountProduct;
  lots: CountLot[];
  /** null: the scan is not counted. */
  answer(lot: CountLot | null): void;
}

/** A scan whose response is missing. */
interface Unsent {
  sendAgain(): void;
}

/** A scan of this device. */
export interface OwnEntry {
  scanId: string;
  product: CountProduct;
  lot: CountLot;
  units: number;
}

/** Enough to take back what just went wrong, and the sheet stays in sight. */
const entriesShownMax = 5;

/** Counting by scan on one device. A scan waits until its lot is chosen and its response has arrived. */
export function useCount(countId: number, onLine: (line: BlindLine) => void) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { last, show } = useScanResult();
  const { question, chooseLot, lotFor } = useLotOfScan();
  const { unsent, send } = useSending();
  const [entries, setEntries] = useState<OwnEntry[]>([]);
  const failed = (text: string) => show({ tone: 'failed', text });

  const enter = async (product: CountProduct, lot: CountLot, units: number) => {
    const scanId = newUuid();
    const answer = await send({ count_id: countId, scan_id: scanId, lot, units });
    if (answer.kind === 'entered' || answer.kind === 'repeated') {
      onLine(answer.line);
      setEntries((before) => [{ scanId, product, lot, units }, ...before].slice(0, entriesShownMax));
      const sum = formatNumber(answer.line.counted ?? 0);
      show({ tone: 'done', text: say.entered(formatNumber(units), product.sku_id, sum) });
    } else if (answer.kind === 'ended') failed(say.endedMeanwhile);
    else failed(answer.kind === 'too_many_units' ? say.tooMany : say.notOnSheet(product.sku_id));
  };
  const scanned = async (code: string, times: number) => {
    const found = await ask<typeof countFind>('/counts/find', { count_id: countId, code });
    if (found.kind === 'unknown') return failed(say.unknown(code));
    const { sku_id, location } = found.product;
    if (found.kind === 'not_on_sheet')
      return failed(location === null ? say.notOnSheet(sku_id) : say.liesAt(sku_id, location));
    const lot = await lotFor(found);
    if (lot === null) return show(null);
    await enter(found.product, lot, found.units * times);
  };
  const shown = (work: Promise<unknown>) =>
    work.catch((error: AskError) => failed(formatError(error, shared.errorKind)));
  useStayFor(question ?? unsent, () => failed(say.settleFirst));
  const undo = useUndo(countId, { say, onLine, show, setEntries });
  return {
    ...{ last, question, unsent, entries, undo, chooseLot },
    scan: (code: string, times: number) => shown(scanned(code, times)),
    enter: (product: CountProduct, lot: CountLot, units: number) => shown(enter(product, lot, units)),
  };
}

/** Finds the lot of a scan, and asks if there are several. */
function useLotOfScan() {
  const [question, setQuestion] = useState<LotQuestion | null>(null);
  // The lot of the product that was scanned last. A ref, because a scan in the queue sees the render before.
  const chosen = useRef<CountLot | null>(null);

  const chooseLot = (product: CountProduct, lots: CountLot[]): Promise<CountLot | null> =>
    new Promise((resolve) => {
      const answer = (lot: CountLot | null) => {
        setQuestion(null);
        if (lot !== null) chosen.current = lot;
        resolve(lot);
      };
      setQuestion({ product, lots, answer });
    });
  const lotFor = async ({ product, lines }: Found): Promise<CountLot | null> => {
    if (chosen.current?.product_id === product.product_id) return chosen.current;
    const lots = lines.map(lotOf);
    if (lots.length !== 1) return await chooseLot(product, lots);
    chosen.current = lots[0]!;
    return chosen.current;
  };
  return { question, chooseLot, lotFor };
}

/** A scan that is not counted yet, and those behind it, would be lost on another page. */
function useStayFor(waiting: object | null, onStay: () => void): void {
  const blocker = useBlocker(waiting !== null);
  const stay = useEffectEvent(() => {
    blocker.reset?.();
    onStay();
  });
  useEffect(() => {
    if (blocker.state === 'blocked') stay();
  }, [blocker.state]);
}

/** Sends a scan until its response arrives. */
function useSending() {
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const send = async (body: BodyOf<typeof countEnter>): Promise<Entered> => {
    for (;;) {
      try {
        return await ask<typeof countEnter>('/counts/enter', body);
      } catch (error) {
        const { kind } = error as AskError;
        if (!['network', 'unavailable', 'surprise', 'throttled'].includes(kind)) throw error;
        await new Promise<void>((resolve) => setUnsent({ sendAgain: resolve }));
        setUnsent(null);
      }
    }
  };
  return { unsent, send };
}

interface UndoParts {
  say: (typeof words)['en'];
  onLine(line: BlindLine): void;
  show: ReturnType<typeof useScanResult>['show'];
  setEntries(change: (before: OwnEntry[]) => OwnEntry[]): void;
}

function useUndo(countId: number, { say, onLine, show, setEntries }: UndoParts) {
  const notices = useNotices();
  return async ({ scanId, product, lot }: OwnEntry) => {
    const body = { count_id: countId, scan_id: scanId };
    const answer = await ask<typeof countUndo>('/counts/undo', body).catch((error: AskError) => {
      notices.failed(error);
      return null;
    });
    if (answer?.kind === 'ended') show({ tone: 'failed', text: say.review.ended });
    if (answer?.kind !== 'undone') return;
    onLine(answer.line);
    setEntries((before) => before.filter((entry) => entry.scanId !== scanId));
    const sum = lotKey(lot) === lotKey(answer.line) ? (answer.line.counted ?? 0) : 0;
    show({ tone: 'active', text: say.undone(product.sku_id, formatNumber(sum)) });
  };
}
