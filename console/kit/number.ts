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

/** NT$1,250 or NT$99.50: the server sends amounts as text, because they must stay exact. */
export function formatMoney(amount: string): string {
  const [, sign = '', whole = '0', cents = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const decimals = /^0*$/.test(cents) ? '' : `.${cents.padEnd(2, '0')}`;
  return `${sign}NT$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${decimals}`;
}

/** Adds up amounts, each times a number of units, in hundredths, so that nothing is rounded. */
export function sumMoney(parts: { amount: string; units: number }[]): string {
  const cents = parts.reduce((sum, { amount, units }) => sum + centsOf(amount) * BigInt(units), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function centsOf(amount: string): bigint {
  const [whole = '0', cents = ''] = amount.split('.');
  return BigInt(`${whole}${cents.padEnd(2, '0').slice(0, 2)}`);
}
