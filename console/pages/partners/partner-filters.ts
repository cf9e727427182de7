export const states = ['enabled', 'disabled'] as const;

/** Whether one of the texts has it in it, whatever the case. */
export function hasText(texts: string[], wanted: string): boolean {
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
}

/** Nothing wanted: everything. */
export function isWanted<Value>(value: Value, wanted: Value[]): boolean {
  return wanted.length === 0 || wanted.includes(value);
}
