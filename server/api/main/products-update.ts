import { ProductsUpdateBody, type ProductsUpdateRetval } from '../../../contract/main/products-update.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { atField } from '../../../messages/rejection-texts.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { ProductMistake } from '../../domain/products/change-products.ts';
import { done } from '../../http/done-envelope.ts';
import { operation } from './main-contract.ts';
import { refuseLines } from './stock-lines.ts';

/** Sets barcodes and locations of products. */
export function productsUpdate({ changeProducts }: Pick<DomainOperations, 'changeProducts'>) {
  return operation('products.write', {
    path: '/products/update',
    body: ProductsUpdateBody,
    async handle({ account }, { products }) {
      const outcome = await changeProducts({
        accountId: account.accountId,
        changes: products.map(({ sku_id, codes, locations }) => ({
          skuId: sku_id,
          codes: codes?.map(({ code, units }) => ({ code, units: units ?? 1 })) ?? null,
          locations: (locations ?? []).map(({ warehouse_no, location }) => ({ warehouseNo: warehouse_no, location })),
        })),
      });
      if (outcome.kind === 'refused') return refuseLines(outcome.mistakes.map(describeMistake));
      const retval: ProductsUpdateRetval = { results: products.map(({ sku_id }) => ({ sku_id, status: 'updated' })) };
      return done(retval);
    },
  });
}

function describeMistake(mistake: ProductMistake): Message {
  const path = `products[${mistake.index}]`;
  switch (mistake.kind) {
    case 'unknown_product':
      return atField(`${path}.sku_id`, errorMessage('product_unknown'));
    case 'repeated_product':
      return atField(`${path}.sku_id`, errorMessage('listed_twice'));
    case 'code_of_other':
      return atField(`${path}.codes[${mistake.codeIndex}].code`, errorMessage('code_of_other'));
    case 'repeated_code':
      return atField(`${path}.codes[${mistake.codeIndex}].code`, errorMessage('listed_twice'));
    case 'incomplete_product':
      throw new Error('the request has no facts');
    case 'too_many_codes':
      throw new Error('the schema limits the codes of a product, and the request replaces them');
    case 'unknown_warehouse':
      return atField(`${path}.locations[${mistake.locationIndex}].warehouse_no`, errorMessage('warehouse_unknown'));
    case 'repeated_warehouse':
      return atField(`${path}.locations[${mistake.locationIndex}].warehouse_no`, errorMessage('listed_twice'));
    default:
      return mistake satisfies never;
  }
}
