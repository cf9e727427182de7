import { readFileSync, writeFileSync } from 'node:fs';
import { inboundEvents, inboundMoves } from '../../server/domain/inbound/inbound-document.ts';
import { orderEvents, orderMoves } from '../../server/domain/orders/order.ts';
import { drawMoves } from '../../server/platform/state-moves.ts';

export const architecturePath = new URL('../../ARCHITECTURE.md', import.meta.url);

const tables: Record<string, string> = {
  orders: drawMoves(orderMoves, orderEvents),
  inbound: drawMoves(inboundMoves, inboundEvents),
};

/** The text with the tables of states as the code has them, each between its two marks. */
export function drawStates(text: string): string {
  return Object.entries(tables).reduce((drawn, [name, table]) => {
    const [begin, end] = [`<!-- states of ${name}: npm run draw -->`, `<!-- end of states of ${name} -->`];
    const [from, to] = [drawn.indexOf(begin), drawn.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no place for the states of ${name}`);
    return `${drawn.slice(0, from)}${begin}\n${table}\n${drawn.slice(to)}`;
  }, text);
}

/** `npm run draw` */
if (import.meta.main) writeFileSync(architecturePath, drawStates(readFileSync(architecturePath, 'utf8')));
