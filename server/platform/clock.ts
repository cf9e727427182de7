/** The clock is passed as a parameter, so that tests can set the time. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const taipeiOffsetMs = 8 * 3600 * 1000;
const dayMs = 24 * 3600 * 1000;

/** The business day `YYYY-MM-DD` in Asia/Taipei (UTC+8 all year), plus a number of days. */
export function taipeiDay(instant: Date, daysLater = 0): string {
  return new Date(instant.getTime() + taipeiOffsetMs + daysLater * dayMs).toISOString().slice(0, 10);
}

/** RFC 3339 with the offset of Asia/Taipei, the format of all our times. */
export function taipeiInstant(instant: Date): string {
  return new Date(instant.getTime() + taipeiOffsetMs).toISOString().replace('Z', '+08:00');
}
