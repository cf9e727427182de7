import { storageTypes } from '../../domain/products/product.ts';

/** Recognizes `1` to `4` and our own names; any other category is stored unchanged. */
export function storageTypeOf(category: string): string {
  return /^[1-4]$/.test(category) ? storageTypes[Number(category) - 1]! : category;
}

/** Money as text, which is exact for amounts with at most 2 decimals. */
export function exact(amount: number): string {
  return String(amount);
}

/** Treats omitted and blank text the same. */
export function textOrNull(text: string | null | undefined): string | null {
  return text?.trim() ? text : null;
}
