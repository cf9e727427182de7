/** What was taken away. */
export interface PurgeCounts {
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
  /** Units that stay on hand, without their document, because younger movements rest on them. */
  unitsKept: number;
}

export const nothingPurged: PurgeCounts = { orders: 0, inbounds: 0, movements: 0, callbacks: 0, unitsKept: 0 };

export function addCounts(one: PurgeCounts, other: PurgeCounts): PurgeCounts {
  return {
    orders: one.orders + other.orders,
    inbounds: one.inbounds + other.inbounds,
    movements: one.movements + other.movements,
    callbacks: one.callbacks + other.callbacks,
    unitsKept: one.unitsKept + other.unitsKept,
  };
}

export interface PurgeReport extends PurgeCounts {
  purgeId: number;
  startedAt: Date;
  /** null: it was cut off, or is still at it. */
  finishedAt: Date | null;
  actor: string;
  /** Documents made before were to go. */
  madeBefore: Date;
}

const millisecondsPerDay = 86_400_000;

/** What was made before this is past its retention. */
export function madeBeforeOf(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * millisecondsPerDay);
}

export function wordCounts({ orders, inbounds, movements, callbacks, unitsKept }: PurgeCounts): string {
  const gone = `${orders} orders and ${inbounds} inbound documents, with ${movements} movements and ${callbacks} callbacks`;
  return unitsKept === 0 ? gone : `${gone}; ${unitsKept} units kept for what is younger`;
}
