import { Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

export interface SectionProps {
  title: string;
  /** Shown to the right of the title. */
  actions?: ReactNode;
  /** Removes the padding, for tables. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page, with a border and a heading. */
export function Section({ title, actions, flush = false, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} className={classes.section ?? ''}>
      <div className={classes.head}>
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      <div className={flush ? undefined : classes.body}>{children}</div>
    </Paper>
  );
}
