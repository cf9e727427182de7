export type MovementKind = 'receive' | 'retract' | 'lock' | 'unlock' | 'ship' | 'adjust';

/** One change of one lot; what it does to the balance follows from nothing else. */
export interface Movement {
  accountId: number;
  lotId: number;
  kind: MovementKind;
  onHandDelta: number;
  lockedDelta: number;
  /** The document it belongs to. */
  orderId?: number;
  inboundId?: number;
  cause: Cause;
  reason?: string;
}

/** Who brought something about, and in which call. */
export interface Cause {
  actor: string;
  traceId: string | null;
}
