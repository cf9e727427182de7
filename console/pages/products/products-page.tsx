import type { ProductRow, productsSearch } from '../../../contract/console/products-search.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { datesFilter, type FilterValues, pickFilter, picksFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { measureText, sizeText } from './measures.ts';
import { storageName } from './storage-name.ts';
import { words } from './words.ts';

const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled', 'unspecified'];
const description = { sku: textFilter, name: textFilter, accounts: picksFilter, storage: pickFilter, updated: datesFilter } as const;

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const list = useLiveList<typeof productsSearch>({
    path: '/products/search',
    body: bodyOf(filters.values),
    keyOf: ({ product_id }) => String(product_id),
    topics: ['products'],
  });

  return (
    <>
      <PageHeader title={say.title} actions={<SavedViews page="products" />} />
      <FilterBar
        filters={filters}
        labels={{
          sku: say.filter.sku,
          name: say.filter.name,
          accounts: shared.noun.account,
          storage: shared.noun.storage,
          updated: shared.noun.updated,
        }}
        options={{
          accounts: accounts ?? [],
          storage: storageTypes.map((value) => ({ value, label: storageName(shared, say, value) })),
        }}
        placeholders={{ sku: say.skuPlaceholder }}
      />
      <DataTable
        name="products"
        label={say.title}
        columns={useColumns()}
        list={list}
        rowName={({ sku_id }) => sku_id}
        rowLink={({ product_id }) => `/products/${product_id}`}
        empty={
          filters.isEmpty ? (
            <EmptyState title={say.emptyTitle} hint={say.emptyHint} />
          ) : (
            <NothingFits title={say.nothingFits} hint={say.nothingFitsHint} onClear={filters.clear} />
          )
        }
      />
    </>
  );
}

function useColumns(): Column<ProductRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    {
      key: 'sku',
      title: shared.noun.sku,
      alwaysShown: true,
      cell: (row) => <IdText value={row.sku_id} label={shared.noun.sku} copy={false} />,
    },
    { key: 'name', title: say.name, cell: (row) => row.name },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    { key: 'storage', title: shared.noun.storage, cell: (row) => storageName(shared, say, row.storage_type) },
    { key: 'size', title: say.size, cell: (row) => <span style={{ whiteSpace: 'nowrap' }}>{sizeText(row)}</span> },
    { key: 'weight', title: say.weight, align: 'right', cell: (row) => (row.weight_kg === null ? '' : measureText(row.weight_kg)) },
    { key: 'updated', title: shared.noun.updated, cell: (row) => <Time at={row.updated_at} /> },
    { key: 'created', title: shared.noun.created, hiddenAtFirst: true, cell: (row) => <Time at={row.created_at} /> },
  ];
}

/** Without what is not set: the schema is strict. */
function bodyOf({ sku, name, accounts, storage, updated }: FilterValues<typeof description>) {
  return {
    ...(sku !== '' && { sku_prefix: sku }),
    ...(name !== '' && { name_prefix: name }),
    ...(accounts.length > 0 && { accounts }),
    ...(storage !== '' && { storage_type: storage }),
    ...(updated.from !== null && { updated_from: updated.from }),
    ...(updated.to !== null && { updated_to: updated.to }),
  };
}
