import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { choicesFilter, pickFilter, textFilter, type UrlFilters } from '../../kit/url-filters.ts';
import { PartnerList, type PartnerListProps } from './partner-list.tsx';
import { states } from './partner-states.ts';
import { words } from './words.ts';

export const belongingFilters = {
  text: textFilter,
  account: { ...pickFilter, field: 'account_no' },
  state: choicesFilter(states),
} as const;

export interface BelongingsTabProps<Row> extends PartnerListProps<Row> {
  filters: UrlFilters<typeof belongingFilters>;
  placeholder: string;
}

/** Clients or keys of all accounts, filtered by name, account and state. */
export function BelongingsTab<Row>({ placeholder, ...list }: BelongingsTabProps<Row>) {
  const say = useWords(words);
  const accounts = useAccountOptions();
  return (
    <>
      <FilterBar
        filters={list.filters}
        labels={{ text: say.search, account: say.account, state: say.state }}
        options={{ account: accounts ?? [], state: states.map((value) => ({ value, label: say[value] })) }}
        placeholders={{ text: placeholder }}
      />
      <PartnerList {...list} />
    </>
  );
}
