import type { ImportedProductChange } from '../../../contract/console/imports.ts';
import { formatNumber } from '../../kit/number.ts';
import type { words } from './words.ts';

type Say = Pick<(typeof words)['en'], 'fact' | 'oneUnit' | 'cartonOf'>;

/** The changes of a product, a line each: `+` for something new. */
export function changeTexts(change: ImportedProductChange | null, say: Say): string[] {
  if (change === null) return [];
  const units = (count: number) => (count === 1 ? say.oneUnit : say.cartonOf(formatNumber(count)));
  const factNames: Record<string, string> = say.fact;
  return [
    ...change.facts.map(({ name, before, after }) => {
      const title = factNames[name] ?? name;
      return before === null ? `+ ${title}: ${after}` : `${title}: ${before} → ${after}`;
    }),
    ...change.codes.map(({ code, units: count, before }) =>
      before === null ? `+ ${code} · ${units(count)}` : `${code} · ${units(before)} → ${units(count)}`,
    ),
    ...change.locations.map(({ warehouse_no, location, before }) =>
      before === null ? `+ ${warehouse_no}: ${location}` : `${warehouse_no}: ${before} → ${location}`,
    ),
  ];
}
