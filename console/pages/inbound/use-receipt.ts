import { useState } from 'react';
import type { InboundDetail, inboundReceive, ReceiveAnswer } from '../../../contract/console/inbound.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useNotices } from '../../kit/notices.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { linesOf, newDraft, type ReceiptDraft, readDraft, writeDraft } from './receipt-draft.ts';

export interface Receipt {
  draft: ReceiptDraft;
  change(draft: ReceiptDraft): void;
  discard(): void;
  /** The server's response to the last attempt, if it rejected the receipt. */
  refusal: Refusal | null;
  send(): Promise<ReceiveAnswer | undefined>;
  isSending: boolean;
}

export type Refusal = Exclude<ReceiveAnswer, { kind: 'counted' | 'repeated' }>;

/** After these errors it is unknown whether the receipt was recorded. */
const uncertainKinds: AskError['kind'][] = ['network', 'unavailable', 'surprise'];

/** The draft of a receipt, stored in this tab until the server has accepted it. */
export function useReceipt({ inbound_id }: Pick<InboundDetail, 'inbound_id'>): Receipt {
  const [draft, setDraft] = useState(() => readDraft(inbound_id));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const notices = useNotices();

  const keep = (next: ReceiptDraft) => {
    writeDraft(inbound_id, next);
    setDraft(next);
  };
  const receive = useChange<typeof inboundReceive>('/inbound/receive', {
    onAnswer: (answer) => {
      const isTaken = answer.kind === 'counted' || answer.kind === 'repeated';
      setRefusal(isTaken ? null : answer);
      keep(isTaken ? newDraft() : { ...draft, isUncertain: false });
    },
    onError: (error) => {
      // A missing response needs no notice: the draft itself shows it.
      if (error.kind !== 'network') notices.failed(error);
      keep({ ...draft, isUncertain: draft.isUncertain || uncertainKinds.includes(error.kind) });
    },
  });

  return {
    draft,
    change: (next) => {
      setRefusal(null);
      keep(next);
    },
    discard: () => {
      setRefusal(null);
      keep(newDraft());
    },
    refusal,
    send: () => {
      // The uncertainty is stored, so that it survives a reload of the page.
      writeDraft(inbound_id, { ...draft, isUncertain: true });
      return receive.run({
        ...{ inbound_id, receipt_no: draft.receiptNo, lines: linesOf(draft) },
        ...(draft.returnReason && { return_reason: draft.returnReason }),
      });
    },
    isSending: receive.isRunning,
  };
}
