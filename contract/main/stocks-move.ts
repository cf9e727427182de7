import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { Clearable, LineUnits, Qty, Text, Title, WithMeaning } from '../values.ts';
import {
  Idempotent,
  LotUnits,
  lotFields,
  lotOfResult,
  ReferenceNo,
  stockLinesMax,
  WarehouseNo,
} from './stock-lines.ts';

const MoveLine = Type.Object({
  from_warehouse_no: WarehouseNo('The warehouse that the units leave.'),
  to_warehouse_no: WarehouseNo(
    'The warehouse that the units reach: another one in which your account has a tenant or a logistics key.',
  ),
  ...lotFields,
  qty: WithMeaning(Qty, 'Units to move. Only units that no order has locked can move.'),
});

/** `stocks/move`: moves free units between warehouses of the account. */
export const StocksMoveBody = Type.Object({
  reference_no: ReferenceNo,
  reason: WithMeaning(Clearable(Title(500)), 'The reason, stored with the movements.'),
  lines: WithMeaning(
    Type.Array(MoveLine, { minItems: 1, maxItems: stockLinesMax }),
    `1-${stockLinesMax} lines, all of which are moved or none.`,
  ),
});
export type StocksMoveBody = Static<typeof StocksMoveBody>;

export const StocksMoveRetval = WithMeaning(
  Type.Object({
    reference_no: WithMeaning(Text(125), 'Your `reference_no`.'),
    idempotent: Idempotent,
    results: Type.Array(
      Type.Object({
        from_warehouse_no: WarehouseNo('The warehouse that the units have left.'),
        to_warehouse_no: WarehouseNo('The warehouse that the units have reached.'),
        ...lotOfResult,
        qty: WithMeaning(LineUnits, 'The units that were moved.'),
        from_qty: WithMeaning(LotUnits, 'Units on hand of the lot in `from_warehouse_no` after this line.'),
        to_qty: WithMeaning(LotUnits, 'Units on hand of the lot in `to_warehouse_no` after this line.'),
      }),
      { maxItems: stockLinesMax, description: 'one per line, in the order sent' },
    ),
    ...warnings,
  }),
  'The lots after the move.',
);
export type StocksMoveRetval = Static<typeof StocksMoveRetval>;
