import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { CopyButton } from './copy-button.tsx';
import classes from './id-text.module.css';

export interface IdTextProps {
  value: string | null | undefined;
  /** The name for the copy button: "order number". */
  label: string;
  /** The page to link to. */
  to?: string;
  /** Set to false in tables, where a button on each row would be noise. */
  copy?: boolean;
}

/** A number or id in a monospaced font, with a copy button. */
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
