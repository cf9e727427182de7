import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { ProductRow } from './products-search.ts';
import type { ShelfRow } from './stock-values.ts';

export const productDetail = consoleCall<{ product: ProductRow; shelves: ShelfRow[] }>()('/products/detail', record({ product_id: RowId }));
