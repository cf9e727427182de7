import { inboundEvents, inboundMoves } from '../server/domain/inbound/inbound-document.ts';
import { orderEvents, orderMoves } from '../server/domain/orders/order.ts';
import { renderMoves } from '../server/platform/state-moves.ts';
import { replaceBetweenMarks } from './generate-between-marks.ts';

const tables: Record<string, string> = {
  orders: renderMoves(orderMoves, orderEvents),
  inbound: renderMoves(inboundMoves, inboundEvents),
};

/** Generates the state tables of ARCHITECTURE.md from the code. */
export function generateStates(text: string): string {
  return Object.entries(tables).reduce(
    (generated, [name, table]) => replaceBetweenMarks(generated, `states of ${name}`, table),
    text,
  );
}
