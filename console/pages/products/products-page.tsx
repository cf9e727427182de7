import type { ProductRow, productsSearch } from '../../../contract/console/products.ts';
import { column, idColumn, timeColumn, wordColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { productSorts } from '../../kit/statuses.ts';
import {
  bodyOf,
  datesFilter,
  flagFilter,
  pickFilter,
  picksFilter,
  textFilter,
  useUrlFilters,
} from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { words as kitWords } from '../../kit/words.ts';
import { ImportLink } from '../import/import-link.tsx';
import { measureText, sizeText } from './measures.ts';
import { storageName } from './storage-name.ts';
import { words } from './words.ts';

const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled', 'unspecified'];
const description = {
  sku: { ...textFilter, field: 'sku_prefix' },
  code: textFilter,
  name: { ...textFilter, field: 'name_prefix' },
  accounts: picksFilter,
  storage: { ...pickFilter, field: 'storage_type' },
  updated: datesFilter,
  sort: { ...pickFilter, choices: productSorts },
  reversed: flagFilter,
} as const;

export function Component() {
  const say = useWords(words);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const list = useLiveList<typeof productsSearch>({
    path: '/products/search',
    body: bodyOf(filters),
    keyOf: ({ product_id }) => String(product_id),
    topics: ['products'],
    counted: true,
  });

  return (
    <>
      <PageHeader
        title={say.title}
        actions={
          <>
            <SavedViews page="products" />
            <ImportLink kind="products" />
          </>
        }
      />
      <FilteredList
        filters={filters}
        {...useFilterTexts(accounts)}
        rare={['sort', 'reversed']}
        tabs="storage"
        placeholders={{ sku: say.skuPlaceholder, code: say.codePlaceholder }}
        name="products"
        label={say.title}
        columns={useColumns()}
        list={list}
        rowName={({ sku_id }) => sku_id}
        rowLink={({ product_id }) => `/products/${product_id}`}
        phoneRow={{ beside: 'storage', below: ['name', 'location', 'account'] }}
        empty={{ title: say.emptyTitle, hint: say.emptyHint }}
        noMatches={{ title: say.noMatches, hint: say.nothingFitsHint }}
      />
    </>
  );
}

function useFilterTexts(accounts: Option[] | undefined) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sayKit = useWords(kitWords);
  return {
    labels: {
      sku: say.filter.sku,
      code: say.filter.code,
      name: say.filter.name,
      accounts: shared.noun.account,
      storage: shared.noun.storage,
      updated: shared.noun.updated,
      sort: sayKit.sort,
      reversed: sayKit.reversed,
    },
    options: {
      accounts: accounts ?? [],
      storage: storageTypes.map((value) => ({ value, label: storageName(shared, say, value) })),
      sort: productSorts.map((value) => ({ value, label: value === 'name' ? say.name : shared.noun[value] })),
    },
  };
}

function useColumns(): Column<ProductRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const upFirst = (by: string) => ({ sort: { by, first: 'ascending' as const } });
  const newestFirst = (by: string) => ({ sort: { by, first: 'descending' as const } });
  return [
    idColumn('sku', shared.noun.sku, (row) => row.sku_id, { alwaysShown: true, ...upFirst('sku') }),
    column('name', say.name, (row) => row.name, upFirst('name')),
    column('location', say.location, locationText),
    column('account', shared.noun.account, (row) => row.account_no),
    wordColumn('storage', shared.noun.storage, (row) => storageName(shared, say, row.storage_type)),
    column('codes', say.codes, (row) => row.codes.map(({ code }) => code).join(', '), { hiddenAtFirst: true }),
    wordColumn('size', say.size, sizeText),
    column('weight', say.weight, (row) => (row.weight_kg === null ? '' : measureText(row.weight_kg)), {
      align: 'right',
    }),
    timeColumn('updated', shared.noun.updated, (row) => row.updated_at, newestFirst('updated')),
    timeColumn('created', shared.noun.created, (row) => row.created_at, {
      hiddenAtFirst: true,
      ...newestFirst('created'),
    }),
  ];
}

/** The number of the warehouse is left out if the product has one location. */
function locationText({ locations }: ProductRow): string {
  if (locations.length === 1) return locations[0]!.location;
  return locations.map(({ warehouse_no, location }) => `${warehouse_no}: ${location}`).join(', ');
}
