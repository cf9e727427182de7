import { formatDurationMs } from '../../kit/number.ts';

/** 40 ms, 0.3 s, 12 min, 3.4 h: short enough for an axis. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 5400) return `${(seconds / 3600).toFixed(1)} h`;
  if (seconds >= 90) return `${Math.round(seconds / 60)} min`;
  if (seconds >= 0.1) return `${seconds.toFixed(1)} s`;
  return seconds === 0 ? '0' : formatDurationMs(seconds * 1000);
}
