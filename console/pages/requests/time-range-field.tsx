import { Select } from '@mantine/core';
import { DateFilter } from '../../kit/date-field.tsx';
import { useWords } from '../../kit/language.tsx';
import type { UrlFilters } from '../../kit/url-filters.ts';
import classes from './requests.module.css';
import { choiceOf, isCustom, mistakeIn, rangeChoices, type rangeDescription, taipeiClock } from './time-range.ts';
import { words } from './words.ts';

const custom = 'custom';
const hourMs = 3_600_000;

/** Selects a period up to now, or a start and an end. */
export function TimeRangeField({ range }: { range: UrlFilters<typeof rangeDescription> }) {
  const say = useWords(words);
  const { values, set } = range;
  const mistake = isCustom(values) ? mistakeIn(values) : null;
  const choose = (choice: string | null) => {
    const now = Date.now();
    if (choice === custom)
      set({ within: '', from: taipeiClock(new Date(now - hourMs)), to: taipeiClock(new Date(now)) });
    else set({ within: choice === null || choice === 'hour' ? '' : choice, from: '', to: '' });
  };
  return (
    <>
      <Select
        label={say.range.label}
        allowDeselect={false}
        data={[...rangeChoices, custom].map((value) => ({ value, label: say.range[value as keyof typeof say.range] }))}
        value={isCustom(values) ? custom : choiceOf(values)}
        onChange={choose}
      />
      {isCustom(values) && (
        <>
          <DateFilter
            withTime
            className={classes.clock ?? ''}
            label={say.range.from}
            value={values.from.replace('T', ' ')}
            error={mistake === null ? null : say.range[mistake]}
            onApply={(from) => set({ from: from.replace(' ', 'T') || values.from })}
          />
          <DateFilter
            withTime
            className={classes.clock ?? ''}
            label={say.range.to}
            value={values.to.replace('T', ' ')}
            onApply={(to) => set({ to: to.replace(' ', 'T') || values.to })}
          />
        </>
      )}
    </>
  );
}
