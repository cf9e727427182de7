import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './stat-tile.module.css';

export interface StatTileProps {
  label: string;
  /** Already worded, as by formatNumber; undefined while it is asked for. */
  value: string | undefined;
  /** The list behind the number. */
  to: string;
  /** One more line. */
  note?: ReactNode;
  /** Something to look after: only where the number asks for it. */
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

/** As many beside each other as fit. */
export function StatTiles({ children }: { children: ReactNode }) {
  return <div className={classes.tiles}>{children}</div>;
}
