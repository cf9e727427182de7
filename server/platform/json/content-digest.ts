import { hash } from 'node:crypto';

export const digestHexLength = 32;

/** A digest that is equal only for equal content: 128 bits of SHA-256 in hex. The caller must pass a canonical form. */
export function contentDigest(content: unknown): string {
  return hash('sha256', JSON.stringify(content)).slice(0, digestHexLength);
}

/**
 * Converts an object to its sorted fields, so that equal content has the same form regardless of the order of its keys.
 */
export function inOneForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneForm);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { fields: sorted.map(([key, part]) => [key, inOneForm(part)]) };
}
