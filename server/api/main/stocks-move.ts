import { StocksMoveBody, type StocksMoveRetval } from '../../../contract/main/stocks-move.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { MoveMistake } from '../../domain/stock/move-stock.ts';
import { done, notDoneAt } from '../../http/done-envelope.ts';
import { actorOf, operation } from './main-contract.ts';
import { describeRefused, lotNamed, lotOfResult, refuseLines } from './stock-lines.ts';

type Line = StocksMoveBody['lines'][number];

/** Moves free units between warehouses of the account. */
export function stocksMove({ moveStock }: Pick<DomainOperations, 'moveStock'>) {
  return operation('stocks.write', {
    path: '/stocks/move',
    body: StocksMoveBody,
    documentNo: (body) => body.reference_no,
    async handle(caller, { reference_no, reason, lines }, request) {
      const outcome = await moveStock({
        accountId: caller.account.accountId,
        referenceNo: reference_no,
        lines: lines.map((line) => ({
          lot: lotNamed(line.from_warehouse_no, line),
          toWarehouseNo: line.to_warehouse_no,
          units: line.qty,
        })),
        reason: reason ?? null,
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'moved':
        case 'repeated': {
          const results = outcome.lines.map(({ from, to }, index) => {
            const line = lines[index]!;
            const { from_warehouse_no, to_warehouse_no, qty } = line;
            const lot = lotOfResult(line);
            return { from_warehouse_no, to_warehouse_no, ...lot, qty, from_qty: from.onHand, to_qty: to.onHand };
          });
          const retval: StocksMoveRetval = { reference_no, idempotent: outcome.kind === 'repeated', results };
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

function describeMistake({ index, side, refused }: MoveMistake, lines: Line[]): Message {
  const path = `lines[${index}]`;
  if (refused.kind === 'same_warehouse') return atField(`${path}.to_warehouse_no`, errorMessage('same_warehouse'));
  return describeRefused(refused, {
    path,
    warehouseField: `${side}_warehouse_no`,
    unitsField: 'qty',
    removed: lines[index]!.qty,
  });
}
