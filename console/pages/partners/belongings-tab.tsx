import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { choicesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { hasText, isWanted, states } from './partner-filters.ts';
import { PartnerList, type PartnerListProps } from './partner-list.tsx';
import { words } from './words.ts';

const description = { text: textFilter, account: pickFilter, state: choicesFilter(states) } as const;

export interface BelongingsTabProps<Row> extends Omit<PartnerListProps<Row>, 'filters'> {
  placeholder: string;
  nameOf(row: Row): string;
}

/** Clients or keys of all accounts, filtered by name, account and state. */
export function BelongingsTab<Row extends { account_no: string; enabled: boolean }>({
  placeholder,
  nameOf,
  children,
  ...list
}: BelongingsTabProps<Row>) {
  const say = useWords(words);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const { text, account, state } = filters.values;
  const fits = (row: Row) =>
    hasText([nameOf(row)], text) &&
    (account === '' || row.account_no === account) &&
    isWanted(row.enabled ? 'enabled' : 'disabled', state);
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ text: say.search, account: say.account, state: say.state }}
        options={{ account: accounts ?? [], state: states.map((value) => ({ value, label: say[value] })) }}
        placeholders={{ text: placeholder }}
      />
      <PartnerList {...list} filters={filters}>
        {(rows, around) => children(rows.filter(fits), around)}
      </PartnerList>
    </>
  );
}
