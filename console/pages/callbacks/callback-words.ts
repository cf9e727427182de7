/** The same in both languages. */
export function wordHttpStatus(status: number): string {
  return `HTTP ${status}`;
}

/** Nearly all addresses begin alike. */
export function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '');
}
