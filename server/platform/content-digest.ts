import { hash } from 'node:crypto';

const digestHexLength = 32;

/** The same for the same content, and for no other: 128 bits of SHA-256, in hex. The caller brings the content into one form. */
export function contentDigest(content: unknown): string {
  return hash('sha256', JSON.stringify(content)).slice(0, digestHexLength);
}
