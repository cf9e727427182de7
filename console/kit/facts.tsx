import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  label: string;
  /** undefined, null and '' are shown as a dash. */
  value: ReactNode;
  /** Takes the full width. */
  wide?: boolean;
}

/** Labels and values, in as many columns as fit. */
export function Facts({ facts }: { facts: (Fact | false | null)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false && fact !== null)
        .map(({ label, value, wide }) => (
          <div key={label} className={classes.fact} data-wide={wide || undefined}>
            <dt>{label}</dt>
            <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
          </div>
        ))}
    </dl>
  );
}
