import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './stat-tile.module.css';

export interface StatTileProps {
  label: string;
  /** A formatted number; undefined while loading. */
  value: string | undefined;
  /** The list behind the number. */
  to: string;
  /** An additional line. */
  note?: ReactNode;
  /** Highlights a number that needs attention. */
  attention?: boolean;
}

export function StatTile({ label, value, to, note, attention = false }: StatTileProps) {
  return (
    <Link to={to} className={classes.tile} data-attention={attention || undefined}>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>{value ?? '…'}</span>
      {note && <span className={classes.note}>{note}</span>}
    </Link>
  );
}

export function StatTiles({ children }: { children: ReactNode }) {
  return <div className={classes.tiles}>{children}</div>;
}
