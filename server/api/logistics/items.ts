import { storageTypes } from '../../domain/products/product.ts';

/** `1` to `4` and our own words are understood; any other category is kept as it is. */
export function storageTypeOf(category: string): string {
  return /^[1-4]$/.test(category) ? storageTypes[Number(category) - 1]! : category;
}

/** Money as text: what came with at most 2 decimals is exact so. */
export function exact(amount: number): string {
  return String(amount);
}

/** What is left out and what is blank are the same. */
export function textOrNull(text: string | null | undefined): string | null {
  return text?.trim() ? text : null;
}
