import { inboundEvents, inboundMoves } from '../../server/domain/inbound/inbound-document.ts';
import { orderEvents, orderMoves } from '../../server/domain/orders/order.ts';
import { drawMoves } from '../../server/platform/state-moves.ts';
import { drawBetweenMarks } from './draw-between-marks.ts';

const tables: Record<string, string> = {
  orders: drawMoves(orderMoves, orderEvents),
  inbound: drawMoves(inboundMoves, inboundEvents),
};

/** The text with the tables of states as the code has them. */
export function drawStates(text: string): string {
  return Object.entries(tables).reduce((drawn, [name, table]) => drawBetweenMarks(drawn, `states of ${name}`, table), text);
}
