import { StocksAdjustBody, type StocksAdjustRetval } from '../../../contract/main/stocks-adjust.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { AdjustOutcome } from '../../domain/stock/adjust-stock.ts';
import { done, notDoneAt } from '../../http/done-envelope.ts';
import { actorOf, operation } from './main-contract.ts';
import { describeRefused, lotNamed, lotOfResult, refuseLines } from './stock-lines.ts';

type Line = StocksAdjustBody['lines'][number];

/** Adds or removes units of lots, or sets them to what was counted. */
export function stocksAdjust({ adjustStock }: Pick<DomainOperations, 'adjustStock'>) {
  return operation('stocks.write', {
    path: '/stocks/adjust',
    body: StocksAdjustBody,
    documentNo: (body) => body.reference_no,
    async handle(caller, { reference_no, lines }, request) {
      const outcome = await adjustStock({
        accountId: caller.account.accountId,
        referenceNo: reference_no,
        lines: lines.map((line) => ({
          lot: lotNamed(line.warehouse_no, line),
          // The schema ensures that there is exactly one of the two.
          units: isCount(line) ? { counted: line.counted! } : { delta: line.delta! },
          reason: line.reason,
        })),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'changed':
        case 'repeated': {
          const results = outcome.lots.map(({ delta, onHand, locked }, index) => {
            const line = lines[index]!;
            return { warehouse_no: line.warehouse_no, ...lotOfResult(line), delta, qty: onHand, qty_lock: locked };
          });
          const retval: StocksAdjustRetval = { reference_no, idempotent: outcome.kind === 'repeated', results };
          return done(retval);
        }
        case 'conflict':
          return notDoneAt(['reference_no'], errorMessage('reference_no_reused'), 409);
        case 'refused':
          return refuseLines(outcome.mistakes.map((mistake) => describeMistake(mistake, lines)));
        default:
          return outcome satisfies never;
      }
    },
  });
}

function isCount({ counted }: Line): boolean {
  return counted !== undefined && counted !== null;
}

type Mistake = Extract<AdjustOutcome, { kind: 'refused' }>['mistakes'][number];

function describeMistake({ index, refused }: Mistake, lines: Line[]): Message {
  const path = `lines[${index}]`;
  if (refused.kind === 'counted_twice') return atField(path, errorMessage('lot_counted_twice'));
  const line = lines[index]!;
  return describeRefused(refused, {
    path,
    warehouseField: 'warehouse_no',
    unitsField: isCount(line) ? 'counted' : 'delta',
    removed: -(line.delta ?? 0),
  });
}
