import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { FieldDifference } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { formatInstant } from '../../kit/time-text.ts';
import { changeWords } from '../orders/change-words.ts';
import classes from './difference-list.module.css';
import { words } from './words.ts';

/** Each changed field with its value before, if known, and after. */
export function DifferenceList({ differences }: { differences: FieldDifference[] }) {
  const say = useWords(words);
  const fields: Record<string, string> = say.field;
  return (
    <div className={classes.list}>
      {differences.map((difference) => (
        <span key={difference.field}>
          <Text component="span" inherit c="dimmed">
            {say.labelled(fields[difference.field] ?? difference.field)}
          </Text>
          <Values {...difference} />
        </span>
      ))}
    </div>
  );
}

function Values({ field, before, after }: FieldDifference) {
  const formatValue = useValueWords(field);
  if (Array.isArray(before) && Array.isArray(after))
    return <ListValues before={before.map(formatValue)} after={after.map(formatValue)} />;
  // For secrets there is no previous value to show.
  const isKnown = before !== null && before !== undefined && after !== 'set' && after !== 'rotated' && before !== after;
  return (
    <>
      {isKnown && (
        <>
          <span className={classes.gone}>{formatValue(before)}</span>
          {' → '}
        </>
      )}
      {formatValue(after)}
    </>
  );
}

/** The added and removed items of a list. */
function ListValues({ before, after }: { before: string[]; after: string[] }) {
  const gone = before.filter((one) => !after.includes(one));
  const come = after.filter((one) => !before.includes(one));
  return (
    <>
      {gone.map((one) => (
        <Fragment key={one}>
          <span className={classes.gone}>{one}</span>{' '}
        </Fragment>
      ))}
      {come.map((one) => `+${one}`).join(' ')}
    </>
  );
}

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function useValueWords(field: string): (value: unknown) => string {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { field: fieldNames } = useWords(changeWords);
  const known: Record<string, Record<string, string>> = {
    environment: shared.environment,
    fields: fieldNames,
    filters: fieldNames,
    kind: say.secretName,
    receiving: say.receivingRule,
    role: shared.role,
  };
  const formatValue = (value: unknown): string => {
    if (value === null || value === undefined) return '–';
    if (typeof value === 'boolean') return value ? shared.yes : shared.no;
    if (value === 'set' || value === 'rotated') return say.value[value];
    if (typeof value === 'string')
      return known[field]?.[value] ?? (instantForm.test(value) ? formatInstant(value) : value);
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(formatValue).join(', ');
    if (typeof value !== 'object') return String(value);
    const inner = Object.entries(value).map(([name, one]) => `${name}: ${formatValue(one)}`);
    return inner.join(', ');
  };
  return formatValue;
}
