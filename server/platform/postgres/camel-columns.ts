import { Fragment } from './sql.ts';

const aliasesOf = new Map<string, Fragment>();

/** Selects columns under camelCase names: `lot.lot_id, status` becomes `lot.lot_id as "lotId", status`. */
export function camelColumns(columns: string): Fragment {
  let aliases = aliasesOf.get(columns);
  if (aliases === undefined) {
    aliases = new Fragment([columns.split(/,\s*/).map(withCamelName).join(', ')], []);
    aliasesOf.set(columns, aliases);
  }
  return aliases;
}

function withCamelName(column: string): string {
  const name = column.slice(column.indexOf('.') + 1);
  const camelName = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camelName === name ? column : `${column} as "${camelName}"`;
}
