import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { exactlyOneOf, WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { Clearable, isGiven, Text, Title, WithMeaning } from '../values.ts';
import {
  Idempotent,
  LotUnits,
  lotFields,
  lotOfResult,
  lotUnitsMax,
  ReferenceNo,
  stockLinesMax,
  WarehouseNo,
} from './stock-lines.ts';

const UnitsDelta = Type.Integer({
  minimum: -lotUnitsMax,
  maximum: lotUnitsMax,
  description: 'a whole number of units',
});

/** A line says how many units to add or remove, or how many were counted. */
const AdjustmentLine = Type.Refine(
  WithAlternatives(
    Type.Object({
      warehouse_no: WarehouseNo('The warehouse of the lot: one in which your account has a tenant or a logistics key.'),
      ...lotFields,
      delta: WithMeaning(
        Clearable(UnitsDelta),
        'Units to add or, if negative, to remove. Send either this or `counted`. Units added to a lot that does not exist create it.',
      ),
      counted: WithMeaning(
        Clearable(LotUnits),
        'All units of the lot that are on hand, as counted, including those that orders have locked. Send either this or `delta`.',
      ),
      reason: WithMeaning(Title(500), 'The reason, stored with the movement.'),
    }),
    exactlyOneOf('delta', 'counted'),
  ),
  ({ delta, counted }) => isGiven(delta) !== isGiven(counted),
  ({ delta }): BrokenRule => (isGiven(delta) ? '.counted delta_and_counted' : '.delta no_units_given'),
);

/** `stocks/adjust`: changes lots by a difference or to a count. */
export const StocksAdjustBody = Type.Object({
  reference_no: ReferenceNo,
  lines: WithMeaning(
    Type.Array(AdjustmentLine, { minItems: 1, maxItems: stockLinesMax }),
    `1-${stockLinesMax} lines, all of which are applied or none. A lot with \`counted\` has one line only.`,
  ),
});
export type StocksAdjustBody = Static<typeof StocksAdjustBody>;

export const StocksAdjustRetval = WithMeaning(
  Type.Object({
    reference_no: WithMeaning(Text(125), 'Your `reference_no`.'),
    idempotent: Idempotent,
    results: Type.Array(
      Type.Object({
        warehouse_no: WarehouseNo('The warehouse of the lot.'),
        ...lotOfResult,
        delta: WithMeaning(
          Type.Integer({ minimum: -lotUnitsMax, maximum: lotUnitsMax }),
          'The units that were added or removed. With `counted`, the difference to the units on hand before.',
        ),
        qty: WithMeaning(LotUnits, 'Units on hand after this line.'),
        qty_lock: WithMeaning(LotUnits, 'Units of `qty` that are allocated to orders.'),
      }),
      { maxItems: stockLinesMax, description: 'one per line, in the order sent' },
    ),
    ...warnings,
  }),
  'The lots after the adjustment.',
);
export type StocksAdjustRetval = Static<typeof StocksAdjustRetval>;
