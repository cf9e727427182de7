/** Formats an instant to the microsecond in Taipei time: `2026-11-15T09:30:00.123456+08:00`. */
export function taipeiTime(column: string, as: string = column): string {
  return `to_char(${column} at time zone interval '8 hours', 'YYYY-MM-DD"T"HH24:MI:SS.US"+08:00"') as ${as}`;
}
