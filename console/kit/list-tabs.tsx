import { UnstyledButton } from '@mantine/core';
import type { ListCount } from '../../contract/console/console-values.ts';
import type { Option } from './filter-bar.tsx';
import { useWords } from './language.tsx';
import classes from './list-tabs.module.css';
import { formatNumber } from './number.ts';
import { sharedWords } from './shared-words.ts';
import type { ListCounts } from './use-live-list.ts';
import { words } from './words.ts';

export interface ListTabsProps {
  /** The name of the field: "Status". */
  label: string;
  options: Option[];
  chosen: string[];
  /** null: not known (yet). */
  counts: ListCounts | null;
  onChoose(chosen: string[]): void;
}

/** The values of a filter with the number of rows that each would show. Several may be chosen in the filter itself. */
export function ListTabs({ label, options, chosen, counts, onChoose }: ListTabsProps) {
  const say = useWords(words);
  const all = chosen.length === 0 ? (counts?.total ?? null) : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll.
    <div className={classes.tabs} role="group" aria-label={label}>
      <Tab text={say.allRows} count={all} isChosen={chosen.length === 0} onClick={() => onChoose([])} />
      {options.map(({ value, label: text }) => (
        <Tab
          key={value}
          text={text}
          count={counts?.tabs[value] ?? null}
          isChosen={chosen.includes(value)}
          onClick={() => onChoose([value])}
        />
      ))}
    </div>
  );
}

interface TabProps {
  text: string;
  count: ListCount | null;
  isChosen: boolean;
  onClick(): void;
}

function Tab({ text, count, isChosen, onClick }: TabProps) {
  const shared = useWords(sharedWords);
  const say = useWords(words);
  return (
    <UnstyledButton
      className={classes.tab ?? ''}
      aria-pressed={isChosen}
      data-empty={(count?.count === 0 && !count.is_more) || undefined}
      {...(count?.is_more && { title: say.countedPartly(formatNumber(count.count)) })}
      onClick={onClick}
    >
      {text}
      {count && (
        <span className={classes.count}>
          {count.is_more ? shared.cappedCount(formatNumber(count.count)) : formatNumber(count.count)}
        </span>
      )}
    </UnstyledButton>
  );
}
