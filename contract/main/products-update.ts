import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { CallerIdentifier, Clearable, IdentifierOrEmpty, PlaceNumber, Text, WithMeaning } from '../values.ts';

/** The most products of one request. */
export const productsUpdatedMax = 500;
export const codesMax = 20;
const unitsMax = 1_000_000;
export const locationMax = 50;

export const ProductCodeUnits = Type.Integer({ minimum: 1, maximum: unitsMax });

const Code = Type.Object({
  code: WithMeaning(
    CallerIdentifier,
    'The text that a scanner reads, such as an EAN. It belongs to one product of your account.',
  ),
  units: WithMeaning(
    Clearable(ProductCodeUnits),
    'The units that one scan means: 12 for a carton of twelve. Omitted: 1.',
  ),
});

const Location = Type.Object({
  warehouse_no: WithMeaning(PlaceNumber, 'One of your warehouses.'),
  location: WithMeaning(
    IdentifierOrEmpty(locationMax),
    'Where people find the product there, such as `A-02-13`. Pick lists are sorted by it. Empty: the location is removed.',
  ),
});

/** `products/update`: sets barcodes and locations of products. */
export const ProductsUpdateBody = Type.Object({
  products: WithMeaning(
    Type.Array(
      Type.Object({
        sku_id: WithMeaning(CallerIdentifier, 'Your key for the product, which has been synced before.'),
        codes: WithMeaning(
          Clearable(Type.Array(Code, { maxItems: codesMax })),
          'All codes of the product from now on. Omitted or `null`: they stay as they are. An empty list removes them.',
        ),
        locations: WithMeaning(
          Clearable(Type.Array(Location, { maxItems: codesMax })),
          'Locations in warehouses. Those that are not listed stay as they are.',
        ),
      }),
      { minItems: 1, maxItems: productsUpdatedMax },
    ),
    `1-${productsUpdatedMax} products, all of which are changed or none.`,
  ),
});
export type ProductsUpdateBody = Static<typeof ProductsUpdateBody>;

export const ProductsUpdateRetval = WithMeaning(
  Type.Object({
    results: Type.Array(
      Type.Object({
        sku_id: WithMeaning(Text(125), 'Your key for the product.'),
        status: WithMeaning(Type.Literal('updated'), 'Also if the product was like that before.'),
      }),
      { maxItems: productsUpdatedMax, description: 'one per product, in the order sent' },
    ),
    ...warnings,
  }),
  'The products that were changed.',
);
export type ProductsUpdateRetval = Static<typeof ProductsUpdateRetval>;
