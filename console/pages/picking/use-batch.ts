import { useQueryClient } from '@tanstack/react-query';
import type { AnswerOf, BodyOf } from '../../../contract/console/console-call.ts';
import type { PickBatch, PickLine, pickingBatch, pickingConfirm } from '../../../contract/console/picking.ts';
import { askRepeatedly } from '../../kit/ask-repeatedly.ts';
import type { SameWords } from '../../kit/define-words.ts';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { formatNumber } from '../../kit/number.ts';
import { type ScanResult, useScanResult } from '../../kit/scan-result.ts';
import { type Asked, useAsk } from '../../kit/use-ask.ts';
import { withPut } from './picked-batch.ts';
import { words } from './words.ts';

export interface Picking {
  asked: Asked<PickBatch>;
  last: ScanResult | null;
  /** A scan, while staff work on a line. */
  scan(code: string, times: number, line: PickLine | null): Promise<void>;
  /** Units of a line that have no barcode. */
  confirm(line: PickLine, units: number): Promise<void>;
  show(result: ScanResult): void;
}

/** Another device may pick the same batch, so it is asked for again and again. */
const everyMs = 2000;

export function useBatch(batch_id: number): Picking {
  const say = useWords(words);
  const client = useQueryClient();
  const { last, show } = useScanResult();
  const asked = useAsk<typeof pickingBatch>('/picking/batch', { batch_id }, { topics: ['orders'], everyMs });

  async function send(units: Pick<BodyOf<typeof pickingConfirm>, 'code' | 'line' | 'times'>): Promise<void> {
    const body = { batch_id, scan_id: newUuid(), ...units };
    const answer = await askRepeatedly<typeof pickingConfirm>('/picking/confirm', body).catch(() => null);
    show(answer === null ? { tone: 'failed', text: say.refusal.failed } : toResult(say, answer, units.code ?? ''));
    if (answer?.kind !== 'confirmed') return asked.askAgain();
    const key = ['ask', '/picking/batch', { batch_id }];
    // An answer that was on its way does not know these units.
    await client.cancelQueries({ queryKey: key });
    client.setQueryData<PickBatch>(key, (batch) => batch && withPut(batch, answer.line, answer.put));
  }

  return {
    asked,
    last,
    show,
    scan: (code, times, line) => send({ code, times, ...(line && { line: lineKey(line) }) }),
    confirm: (line, times) => send({ times, line: lineKey(line) }),
  };
}

function lineKey({ account_no, lot_id }: PickLine) {
  return { account_no, lot_id };
}

function toResult(
  say: SameWords<(typeof words)['en']>,
  answer: AnswerOf<typeof pickingConfirm>,
  code: string,
): ScanResult {
  if (answer.kind === 'confirmed') {
    const slots = answer.put.map(({ slot, units }) => say.putInto(formatNumber(slot), formatNumber(units)));
    return { tone: 'done', text: say.put(answer.sku_id, slots.join(say.comma)) };
  }
  return { tone: 'failed', text: refusalOf(say.refusal, answer, code) };
}

function refusalOf(
  say: SameWords<(typeof words)['en']>['refusal'],
  answer: Exclude<AnswerOf<typeof pickingConfirm>, { kind: 'confirmed' }>,
  code: string,
): string {
  switch (answer.kind) {
    case 'unknown_code':
      return say.unknown_code(code);
    case 'not_on_list':
      return say.not_on_list(answer.sku_id ?? code);
    case 'surplus':
      return say.surplus(answer.sku_id, formatNumber(answer.units), formatNumber(answer.remaining));
    case 'several_accounts':
    case 'closed':
      return say[answer.kind];
    default:
      return answer satisfies never;
  }
}
