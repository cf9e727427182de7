import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from './language.tsx';
import { formatNumber } from './number.ts';
import classes from './result-list.module.css';
import { StatusBadge } from './status-badge.tsx';
import { words } from './words.ts';

export interface BulkResult {
  key: string;
  /** The item: a number or a link. */
  name: ReactNode;
  ok: boolean;
  /** The result, or the reason for a failure. */
  text: string;
}

/** One line for each item of a bulk action, failures first. */
export function ResultList({ results }: { results: BulkResult[] }) {
  const say = useWords(words);
  const refused = results.filter(({ ok }) => !ok);
  const done = results.filter(({ ok }) => ok);
  return (
    <div>
      <Group gap="sm" mb="sm" role="status">
        {done.length > 0 && <StatusBadge tone="done">{say.okCount(formatNumber(done.length))}</StatusBadge>}
        {refused.length > 0 && (
          <StatusBadge tone="failed">{say.refusedCount(formatNumber(refused.length))}</StatusBadge>
        )}
      </Group>
      <ul className={classes.results}>
        {[...refused, ...done].map(({ key, name, ok, text }) => (
          <li key={key} className={classes.result}>
            <span className={classes.name}>{name}</span>
            <Text component="span" size="sm" c={ok ? 'dimmed' : 'var(--mantine-color-error)'}>
              {text}
            </Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
