import type { ReactNode } from 'react';
import type { CallbackStatus } from '../../contract/console/callbacks.ts';
import type { InboundStatus } from '../../contract/console/inbound.ts';
import type { OrderStatus } from '../../contract/console/orders.ts';
import classes from './status-badge.module.css';

/** waiting: blocked; todo: not started; active: in progress; stopped: ended early; failed: needs attention. */
export const tones = ['waiting', 'todo', 'active', 'done', 'stopped', 'failed'] as const;
export type Tone = (typeof tones)[number];

export interface StatusBadgeProps {
  tone: Tone;
  children: ReactNode;
}

/** A status as text with an icon whose shape and colour both show the tone. */
export function StatusBadge({ tone, children }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <svg className={classes.sign} viewBox="0 0 10 10" aria-hidden="true">
        {signs[tone]}
      </svg>
      {children}
    </span>
  );
}

const signs = {
  waiting: (
    <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.4 1.6" />
  ),
  todo: <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  active: (
    <>
      <circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5 1.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />
    </>
  ),
  done: (
    <path
      d="M1.5 5.4 4 7.8 8.6 2.4"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  stopped: <path d="M2 5h6" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
  failed: <path d="M5 0.8 9.6 9H0.4z" fill="currentColor" />,
} as const satisfies Record<Tone, unknown>;

export const orderTone = {
  awaiting_stock: 'waiting',
  pending_warehouse_transfer: 'todo',
  in_warehouse: 'active',
  picking: 'active',
  packed: 'active',
  partially_shipped: 'active',
  shipped: 'done',
  arrived: 'done',
  delivered: 'done',
  undelivered: 'failed',
  cancelled: 'stopped',
} as const satisfies Record<OrderStatus, Tone>;

export const inboundTone = {
  expected: 'todo',
  receiving: 'active',
  received: 'done',
  cancelled: 'stopped',
  stopped: 'stopped',
} as const satisfies Record<InboundStatus, Tone>;

export const callbackTone = { pending: 'active', delivered: 'done', failed: 'failed' } as const satisfies Record<
  CallbackStatus,
  Tone
>;
