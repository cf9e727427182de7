import { hash } from 'node:crypto';

const digestHexLength = 32;

/** The same for the same content, and for no other: 128 bits of SHA-256, in hex. The caller brings the content into one form. */
export function contentDigest(content: unknown): string {
  return hash('sha256', JSON.stringify(content)).slice(0, digestHexLength);
}

/** An object as its fields, sorted: the same for the same content, however it was written down. */
export function inOneForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneForm);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { fields: sorted.map(([key, part]) => [key, inOneForm(part)]) };
}
