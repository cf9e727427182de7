import { Anchor } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { InboundDetail, InboundLine, inboundFindByScan, ReturnReason } from '../../../contract/console/inbound.ts';
import { ask } from '../../kit/ask.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useScanResult } from '../../kit/scan-result.ts';
import { conditionOfKey } from './grade-buttons.tsx';
import {
  awaitedOf,
  type Condition,
  hasValidDates,
  lineOfScan,
  type ReceiptDraft,
  roomFor,
  type Scanned,
  sumOf,
  withChosen,
  withUnits,
} from './receipt-draft.ts';
import { useReceipt } from './use-receipt.ts';
import { words } from './words.ts';

export type Receiving = ReturnType<typeof useReceiving>;

/** The state of the receiving panel: scans, the draft of the receipt, and the questions before it is sent. */
export function useReceiving(shown: InboundDetail) {
  const say = useWords(words);
  const notices = useNotices();
  const receipt = useReceipt(shown);
  const { draft } = receipt;
  const [condition, setCondition] = useState<Condition>('good');
  const [asks, setAsks] = useState<'receive' | 'discard' | null>(null);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const units = formatNumber(sumOf(draft.entries).units);
  const canReceive = canBeReceived(shown, draft);
  const { forget, toScanner, ...scans } = useScans(shown, receipt, condition);

  const close = () => {
    setAsks(null);
    setReasonMissing(false);
    toScanner();
  };
  useControlEnter(() => canReceive && asks === null && setAsks('receive'));
  return {
    ...{ receipt, condition, asks, setAsks, close, units, canReceive, toScanner, isReasonMissing, ...scans },
    setCondition: (chosen: Condition) => {
      setCondition(chosen);
      toScanner();
    },
    setReason: (returnReason: ReturnReason) => receipt.change({ ...draft, returnReason }),
    send: async () => {
      if (shown.kind === 'return' && !draft.returnReason && !draft.isUncertain) return setReasonMissing(true);
      const answer = await receipt.send();
      if (answer?.kind === 'counted') notices.done(say.draft.counting(units));
      if (answer?.kind === 'repeated') notices.done(say.draft.repeated);
      forget();
      close();
    },
    discard: () => {
      receipt.discard();
      forget();
      close();
    },
    /** Adds a product without units. The operator then types how many there are. */
    add: (line: InboundLine) => {
      receipt.change(withChosen(draft, line));
      // After the render, in which the entry becomes the first one.
      setTimeout(() => document.querySelector<HTMLInputElement>('[data-current] input')?.select());
    },
  };
}

function useScans(shown: InboundDetail, receipt: ReturnType<typeof useReceipt>, condition: Condition) {
  const say = useWords(words);
  const { draft } = receipt;
  const { last, show: setLast, refine } = useScanResult();
  const [chosen, setChosen] = useState<Scanned | null>(null);
  const [turn, setTurn] = useState(0);
  const grades = useRef<HTMLDivElement>(null);
  const toScanner = () => setTurn((before) => before + 1);

  const count = (scanned: Scanned, as: Condition) => {
    const { line, units: more } = scanned;
    const room = roomFor(shown, draft, line.sku_id);
    if (more > room) {
      const text = room <= 0 ? say.draft.full : (sku: string) => say.draft.scannedTooMany(sku, formatNumber(room));
      return setLast({ tone: 'failed', text: text(line.sku_id) });
    }
    const next = withUnits(draft, scanned, as);
    receipt.change(next);
    const counted = sumOf(next.entries.filter(({ skuId }) => skuId === line.sku_id)).units;
    const text = say.draft.counted(line.sku_id, formatNumber(counted));
    setLast({ tone: 'done', text: more === 1 ? text : `${text} (+${formatNumber(more)})` });
  };
  // While more units of the product are expected, the next key grades the next unit.
  const grade = (as: Condition) => {
    if (chosen === null) return;
    const { line } = chosen;
    const awaited = awaitedOf(shown, draft, line.sku_id) - chosen.units;
    count(chosen, as);
    setChosen({ line, units: 1 });
    if (awaited <= 0) toScanner();
    else grades.current?.focus();
  };
  const showUnknown = async (code: string, otherSku: string | null) => {
    const text = otherSku === null ? say.draft.unknown(code) : say.draft.otherProduct(code, otherSku);
    const unknown = { tone: 'failed', text } as const;
    setLast(unknown);
    const other = otherSku === null ? await findOther(code, shown.inbound_id) : null;
    if (other !== null) refine(unknown, { tone: 'failed', text: <OtherDocument code={code} inboundId={other} /> });
  };
  const scan = async (code: string, times = 1) => {
    const isReturn = shown.kind === 'return';
    const key = conditionOfKey[code.toLowerCase()];
    const known = lineOfScan(shown, code);
    if (known === null && isReturn && chosen && key) return grade(key);
    const { scanned, otherSku } = known ? { scanned: known, otherSku: null } : await findLine(shown, code);
    if (scanned === null) return await showUnknown(code, otherSku);
    const counted = { line: scanned.line, units: scanned.units * times };
    if (!isReturn) return count(counted, condition);
    setChosen(counted);
    const named = say.draft.unitsOfSku(formatNumber(counted.units), counted.line.sku_id);
    setLast({ tone: 'active', text: say.draft.chosen(named) });
    grades.current?.focus();
  };
  const forget = () => {
    setLast(null);
    setChosen(null);
  };
  return { last, chosen, grades, grade, scan, forget, turn, toScanner };
}

function canBeReceived(shown: InboundDetail, draft: ReceiptDraft): boolean {
  const hasTooMany = draft.entries.some(({ skuId }) => roomFor(shown, draft, skuId) < 0);
  return sumOf(draft.entries).units > 0 && !hasTooMany && hasValidDates(draft);
}

function useControlEnter(onPress: () => void): void {
  const pressed = useEffectEvent(onPress);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) pressed();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Asks the server, which knows codes that were added since this page was loaded, and those of other products. */
async function findLine(
  { inbound_id, lines }: InboundDetail,
  code: string,
): Promise<{ scanned: Scanned | null; otherSku: string | null }> {
  const answer = await ask<typeof inboundFindByScan>('/inbound/find-by-scan', { text: code, inbound_id }).catch(
    () => null,
  );
  const line = answer?.kind === 'line' ? lines.find(({ line_no }) => line_no === answer.line_no) : undefined;
  return {
    scanned: line && answer?.kind === 'line' ? { line, units: answer.units } : null,
    otherSku: answer?.kind === 'other_product' ? answer.sku_id : null,
  };
}

/** A number that is not in this document may belong to another document. */
async function findOther(code: string, inboundId: number): Promise<number | null> {
  const answer = await ask<typeof inboundFindByScan>('/inbound/find-by-scan', { text: code }).catch(() => null);
  const others =
    answer?.kind === 'documents' ? answer.documents.filter(({ inbound_id }) => inbound_id !== inboundId) : [];
  return others.length === 1 ? others[0]!.inbound_id : null;
}

function OtherDocument({ code, inboundId }: { code: string; inboundId: number }) {
  const say = useWords(words);
  return (
    <>
      {say.draft.otherDocument(code)}{' '}
      <Anchor component={Link} to={`/inbound/${inboundId}`} inherit>
        {say.draft.openOther}
      </Anchor>
    </>
  );
}
