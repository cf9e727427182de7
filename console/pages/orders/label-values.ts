const labelValuesMax = 200;

/** The fields have the partner's own names; a nested field has its path, such as `store.code`. */
export function labelValues(label: Record<string, unknown>): [name: string, text: string][] {
  const values: [string, string][] = [];
  const visit = (name: string, value: unknown) => {
    if (values.length >= labelValuesMax) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(name === '' ? key : `${name}.${key}`, inner);
    } else values.push([name, value === null ? '' : String(value)]);
  };
  visit('', label);
  return values;
}
