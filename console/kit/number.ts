import type { Language } from './define-words.ts';

/** Grouped by thousands, which both languages write alike. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** What was only counted up to a limit is shown as "1,000+". */
export function formatCapped(count: number, cap: number): string {
  return count > cap ? `${formatNumber(cap)}+` : formatNumber(count);
}

export function formatPercent(share: number, language: Language): string {
  return share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
}

/** 340 ms, 1.2 s. */
export function formatDurationMs(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
