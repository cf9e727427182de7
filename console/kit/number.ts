import type { Language } from './define-words.ts';

/** Groups thousands with commas, as both languages do. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}

/** Shows a capped count as "1,000+". */
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
