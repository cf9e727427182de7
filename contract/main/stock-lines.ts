import { Type } from 'typebox';
import {
  CallerIdentifier,
  Clearable,
  ExpiryDate,
  IdentifierOrEmpty,
  PlaceNumber,
  stockTypes,
  Text,
  WithMeaning,
} from '../values.ts';

/** The most lines of one adjustment or move. */
export const stockLinesMax = 500;

export const lotUnitsMax = 1_000_000_000_000;

/** The fields that name a lot besides its warehouse. */
export const lotFields = {
  sku_id: WithMeaning(CallerIdentifier, 'Your key for the product.'),
  stock_type: WithMeaning(Type.Enum([...stockTypes]), '`bad`: defective, must not be sold.'),
  batch_id: WithMeaning(Clearable(IdentifierOrEmpty(125)), 'Batch of the lot. Omitted or empty: no batch.'),
  expire_date: WithMeaning(
    ExpiryDate,
    'Expiry date of the lot. Omitted, `null` or `""`: the lot that does not expire.',
  ),
};

/** The same in a response. */
export const lotOfResult = {
  sku_id: WithMeaning(Text(125), 'Your key for the product.'),
  stock_type: WithMeaning(Type.Enum([...stockTypes]), 'Good or defective.'),
  batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Batch of the lot; may be empty.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    'Expiry date; `null` if the lot does not expire.',
  ),
};

export const LotUnits = Type.Integer({ minimum: 0, maximum: lotUnitsMax });

export const ReferenceNo = WithMeaning(
  CallerIdentifier,
  'Your number for this change, unique within your account among adjustments and moves. A repeat with the same content returns the same result and changes nothing.',
);

export const WarehouseNo = (meaning: string) => WithMeaning(PlaceNumber, meaning);

export const Idempotent = WithMeaning(
  Type.Boolean(),
  '`true` if the `reference_no` was already used with the same content: nothing was changed again, and the figures are those of the first request.',
);
