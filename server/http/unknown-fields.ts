import type { TSchema } from 'typebox';
import type { Warning } from '../../contract/errors/lists.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { warningMessage } from '../../messages/warning-texts.ts';
import { formatPath, type Mistake } from '../platform/json/schema.ts';
import { mostSimilar } from '../platform/similar-name.ts';

/** A body may repeat the same mistake in thousands of lines. */
const warningsMax = 100;
/** Longer names are cut in messages, and nothing is similar to them. */
const nameLengthMax = 60;

interface SchemaNode {
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
}

/** The names that a value may have; null for values without names that we know. */
type Names = { fields: Map<string, Names>; items: Names } | null;

const namesOfSchemas = new WeakMap<TSchema, { names: Names }>();

/** Warns about the fields of a valid body that its schema does not know. */
export function findUnknownFields(schema: TSchema, body: unknown): Warning[] {
  const known = namesOfSchemas.get(schema) ?? { names: namesOf([schema as SchemaNode]) };
  namesOfSchemas.set(schema, known);
  const found: Warning[] = [];
  collect(known.names, body, [], found);
  return found;
}

/** `forms`: the schemas that a value may follow. */
function namesOf(forms: SchemaNode[]): Names {
  const all = forms.flatMap((form) => [form, ...(form.anyOf ?? [])]);
  const properties = all.flatMap((form) => Object.entries(form.properties ?? {}));
  const fields = new Map(
    [...Map.groupBy(properties, ([name]) => name)].map(([name, parts]) => [
      name,
      namesOf(parts.map(([, part]) => part)),
    ]),
  );
  const items = all.flatMap((form) => form.items ?? []);
  return fields.size === 0 && items.length === 0 ? null : { fields, items: items.length === 0 ? null : namesOf(items) };
}

function collect(names: Names, value: unknown, path: Mistake['path'], found: Warning[]): void {
  if (names === null || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (names.items !== null) value.forEach((item, index) => void collect(names.items, item, [...path, index], found));
    return;
  }
  // An object without known fields is free data, or its endpoint checks the names itself.
  if (names.fields.size === 0) return;
  for (const name of Object.keys(value)) {
    const inner = names.fields.get(name);
    if (inner === undefined) {
      if (found.length < warningsMax) found.push(warn(name, path, [...names.fields.keys()], value));
    } else if (inner !== null) collect(inner, (value as Record<string, unknown>)[name], [...path, name], found);
  }
}

function warn(name: string, path: Mistake['path'], known: string[], holder: object): Warning {
  const isLong = name.length > nameLengthMax;
  const shown = isLong ? `${name.slice(0, nameLengthMax)}…` : name;
  const free = known.filter((one) => !Object.hasOwn(holder, one));
  const similar = isLong ? null : mostSimilar(name, free);
  const message =
    similar === null ? warningMessage('field_ignored') : warningMessage('field_ignored_similar', { similar });
  return { code: 'unknown_field', path: formatPath([...path, shown]), message: formatMessage(message) };
}
