export const states = ['enabled', 'disabled'] as const;

/** Whether one of the texts contains `wanted`, ignoring case. */
export function hasText(texts: string[], wanted: string): boolean {
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
}

/** An empty `wanted` matches everything. */
export function isWanted<Value>(value: Value, wanted: Value[]): boolean {
  return wanted.length === 0 || wanted.includes(value);
}
