import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { CopyButton } from './copy-button.tsx';
import classes from './id-text.module.css';

export interface IdTextProps {
  value: string | null | undefined;
  /** What it is: "order number"; said by the copy button. */
  label: string;
  /** Where it leads. */
  to?: string;
  /** false in tables, where a button on each row would be noise. */
  copy?: boolean;
}

/** A number or id: letters of equal width, with a button that copies it. */
export function IdText({ value, label, to, copy = true }: IdTextProps) {
  if (value === null || value === undefined || value === '') return null;
  return (
    <span className={classes.id}>
      {to === undefined ? (
        <span className={classes.text}>{value}</span>
      ) : (
        <Anchor component={Link} to={to} className={classes.text}>
          {value}
        </Anchor>
      )}
      {copy && <CopyButton value={value} label={label} />}
    </span>
  );
}
