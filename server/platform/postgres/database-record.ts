import type { ServerIdentity } from './server-identity.ts';

/** An open connection, as far as the record needs it. */
export interface RecordedConnection {
  identity: ServerIdentity;
  purpose: string;
  destroy(): void;
}

export type CommitOutcome = 'committed' | 'in_doubt' | 'failed';

/** Why a server must not be used. */
export interface Refusal {
  code: 'STANDBY' | 'OLD_TIMELINE' | 'OTHER_CLUSTER' | 'STALLED';
  reason: string;
}

/** The end of a transaction from the moment at which COMMIT is sent. */
export interface PendingCommit {
  ended(outcome: CommitOutcome): void;
}

/**
 * Everything that the connections of a process have found out about their database. All pools of the process share one
 * record: a server that one of them has left behind is not used by the others.
 */
export class DatabaseRecord {
  readonly commits: Record<CommitOutcome, number>;
  /**
   * Grows when a server with a higher timeline is seen. What was read before may have been lost with the old server: it
   * must be read again before something new is based on it.
   */
  generation: number;
  private readonly connections: Set<RecordedConnection>;
  /** The start of each commit that has no result yet. */
  private readonly pending: Set<{ startedMs: number }>;
  /** The server of the newest timeline on which a commit succeeded. */
  private committedOn: ServerIdentity | null;
  private newest: ServerIdentity | null;
  private doubt: boolean;
  private lastFullDiskMs: number;

  constructor() {
    this.commits = { committed: 0, in_doubt: 0, failed: 0 };
    this.generation = 0;
    this.connections = new Set();
    this.newest = null;
    this.pending = new Set();
    this.committedOn = null;
    this.doubt = false;
    this.lastFullDiskMs = Number.NEGATIVE_INFINITY;
  }

  /** Why a server with this identity must not be used; null if it may be. */
  refusalOf(found: ServerIdentity): Refusal | null {
    return refusalOf(found, this.committedOn);
  }

  /** Connections to a server that has been replaced are closed, because they would report outdated rows. */
  opened(connection: RecordedConnection): void {
    for (const other of this.connections) {
      if (isNewerThan(connection.identity, other.identity)) other.destroy();
    }
    this.connections.add(connection);
    if (this.newest !== null && isNewerThan(connection.identity, this.newest)) this.generation++;
    if (this.newest === null || isNewerThan(connection.identity, this.newest)) this.newest = connection.identity;
  }

  closed(connection: RecordedConnection): void {
    this.connections.delete(connection);
  }

  commitSent({ identity }: RecordedConnection): PendingCommit {
    const pending = { startedMs: performance.now() };
    this.pending.add(pending);
    return {
      ended: (outcome) => {
        this.pending.delete(pending);
        this.commits[outcome]++;
        if (outcome === 'in_doubt') this.doubt = true;
        if (outcome !== 'committed') return;
        this.doubt = false;
        if (this.committedOn === null || isNewerThan(identity, this.committedOn)) this.committedOn = identity;
      },
    };
  }

  diskWasFull(): void {
    this.lastFullDiskMs = performance.now();
  }

  /** The timeline of the newest server to which a connection is open; null if there is none. */
  timeline(): number | null {
    const timelines = [...this.connections].map(({ identity }) => identity.timeline);
    return timelines.length === 0 ? null : Math.max(...timelines);
  }

  connectionsByPurpose(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { purpose } of this.connections) counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
    return counts;
  }

  /** How long the oldest commit without a result has waited; 0 if there is none. */
  longestPendingSeconds(): number {
    const [first] = this.pending;
    return first === undefined ? 0 : (performance.now() - first.startedMs) / 1000;
  }

  /** Whether the outcome of a commit is unknown, and none has been confirmed since. */
  isInDoubt(): boolean {
    return this.doubt;
  }

  secondsSinceFullDisk(): number {
    return (performance.now() - this.lastFullDiskMs) / 1000;
  }
}

function isNewerThan(one: ServerIdentity, other: ServerIdentity): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.timeline > other.timeline;
}

/** The rule by itself: `committedOn` is the newest server on which this process has committed. */
export function refusalOf(found: ServerIdentity, committedOn: ServerIdentity | null): Refusal | null {
  if (found.isStandby) return { code: 'STANDBY', reason: 'the server is a standby and accepts no writes' };
  const stalled: Refusal | null = found.isStalled
    ? { code: 'STALLED', reason: 'commits wait for the synchronous standby' }
    : null;
  if (committedOn === null) return stalled;
  if (found.systemIdentifier !== committedOn.systemIdentifier) {
    return {
      code: 'OTHER_CLUSTER',
      reason: 'the server belongs to another database cluster than before; if that is intended, restart this node',
    };
  }
  if (found.timeline >= committedOn.timeline) return stalled;
  return {
    code: 'OLD_TIMELINE',
    reason:
      `the server is on timeline ${found.timeline}, but this node has committed on timeline ${committedOn.timeline}: it was ` +
      'replaced by another server; after a restore from a backup, restart this node',
  };
}
