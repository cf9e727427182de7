import { Select } from '@mantine/core';
import { DateFilter } from '../../kit/date-field.tsx';
import { useWords } from '../../kit/language.tsx';
import type { UrlFilters } from '../../kit/url-filters.ts';
import { daysOf, isCustom, mistakeIn, type periodDescription, periodOf, periods, taipeiToday } from './period.ts';
import { words } from './words.ts';

const custom = 'custom';

/** Selects a period, or a first and a last day. */
export function PeriodField({ period }: { period: UrlFilters<typeof periodDescription> }) {
  const say = useWords(words);
  const { values, set } = period;
  const mistake = isCustom(values) ? mistakeIn(values) : null;
  const choose = (choice: string | null) => {
    if (choice === custom) set({ period: '', ...daysOf(values, taipeiToday()) });
    else set({ period: choice ?? '', from: '', to: '' });
  };
  return (
    <>
      <Select
        label={say.range.label}
        allowDeselect={false}
        data={[...periods, custom].map((value) => ({ value, label: say.range[value as keyof typeof say.range] }))}
        value={isCustom(values) ? custom : periodOf(values)}
        onChange={choose}
      />
      {isCustom(values) && (
        <>
          <DateFilter
            label={say.range.from}
            value={values.from}
            error={mistake === null ? null : say.range[mistake]}
            onApply={(from) => set({ from: from || values.from })}
          />
          <DateFilter label={say.range.to} value={values.to} onApply={(to) => set({ to: to || values.to })} />
        </>
      )}
    </>
  );
}
