export type MovementKind = 'receive' | 'retract' | 'lock' | 'unlock' | 'ship' | 'adjust';

/** One change of one lot; balances are determined by movements alone. */
export interface Movement {
  accountId: number;
  lotId: number;
  kind: MovementKind;
  onHandDelta: number;
  lockedDelta: number;
  /** The document that the movement belongs to. */
  orderId?: number;
  inboundId?: number;
  cause: Cause;
  reason?: string;
  /** Only moves: the warehouse on its other side. */
  otherWarehouseNo?: number;
}

/** The actor and the request that caused a change. */
export interface Cause {
  actor: string;
  traceId: string | null;
}
