import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { atLeastOneOf, bothOf, exactlyOneOf, WithAlternatives } from '../alternatives.ts';
import { ErrorItem, warnings } from '../errors/lists.ts';
import {
  CallerIdentifier,
  Clearable,
  Identifier,
  isGiven,
  Message,
  Text,
  WithExample,
  WithMeaning,
} from '../values.ts';

// The parts that orders/update, orders/hold and orders/release have in common.

export const changeBatchMax = 100;

export const orderNameFields = {
  outbound_short_id: WithMeaning(
    Clearable(CallerIdentifier),
    'Your number for an order of the warehouse API or the main API. Send either this or `internal_name`.',
  ),
  internal_name: WithMeaning(
    Clearable(Identifier(30)),
    'Your number for an order of the logistics webhook. Send either this or `outbound_short_id`.',
  ),
};

interface Named {
  outbound_short_id?: string | null;
  internal_name?: string | null;
}

const oneOrder = exactlyOneOf('outbound_short_id', 'internal_name');

/** Requires exactly one of the two numbers. `someOf`: the schema itself requires one of these fields. */
export const NamedOrder = <Fields extends TProperties>(
  schema: TObject<Fields & typeof orderNameFields>,
  someOf?: string[],
) =>
  Type.Refine(
    WithAlternatives(schema, someOf === undefined ? oneOrder : bothOf(oneOrder, atLeastOneOf(...someOf))),
    (entry) => isGiven((entry as Named).outbound_short_id) !== isGiven((entry as Named).internal_name),
    (entry): BrokenRule =>
      isGiven((entry as Named).outbound_short_id)
        ? '.internal_name two_orders_named'
        : '.outbound_short_id no_order_named',
  );

const refusedMeaning =
  '`requested`: the system of the warehouse has the order, and we ask it to make the change; `changes` of the order shows its answer. `too_late`: the order can no longer be changed. `refused`: the change itself is not possible. `not_found`: you have no such order. With the last three, nothing was changed.';

/** The result of one entry. `done` is the status of a change that was made. */
export const ChangeResult = <Done extends string>(done: Done, meaning: string) =>
  Type.Object({
    outbound_short_id: WithMeaning(Type.Optional(Text(125)), 'The value in the request.'),
    internal_name: WithMeaning(Type.Optional(Text(30)), 'The value in the request.'),
    status: WithMeaning(
      Type.Enum([done, 'requested', 'too_late', 'refused', 'not_found']),
      `\`${done}\`: ${meaning} ${refusedMeaning}`,
    ),
    code: WithMeaning(
      Type.Optional(ErrorItem.properties.code),
      'The reason for programs, with `too_late` and `refused`; one of the codes in `errors`.',
    ),
    message: WithMeaning(
      Type.Optional(WithExample(Message, 'the order is being handed over to its warehouse')),
      'The reason, with `too_late` and `refused`.',
    ),
    fields: WithMeaning(
      Type.Optional(Type.Array(Text(50), { maxItems: 20, examples: [['express_type']] })),
      'The fields at fault, with `refused`.',
    ),
  });
export type ChangeResult = Static<ReturnType<typeof ChangeResult<string>>>;

export const ChangeRetval = <Result extends ReturnType<typeof ChangeResult>>(result: Result) =>
  WithMeaning(
    Type.Object({
      results: Type.Array(result, {
        maxItems: changeBatchMax,
        description: 'one per entry, in the order sent, including duplicates',
      }),
      ...warnings,
    }),
    'The result of each entry.',
  );
