import type { ProductRow } from '../../../contract/console/products.ts';

/** Removes trailing zeros: 30.5 for 30.500. */
export function measureText(measure: string | null): string {
  return measure === null ? '–' : measure.replace(/\.?0+$/, '');
}

/** '' if no side is known. */
export function sizeText({ length_cm, width_cm, height_cm }: ProductRow): string {
  const sides = [length_cm, width_cm, height_cm];
  return sides.every((side) => side === null) ? '' : sides.map(measureText).join(' × ');
}
