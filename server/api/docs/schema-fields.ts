/** The parts of a JSON Schema that a table of fields shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
}

export interface Field {
  /** `details[].qty` */
  path: string;
  type: string;
  required: boolean;
  /** Markdown. */
  meaning: string;
}

export type SchemasByName = Record<string, Schema>;

/** The operators of a filter are no fields. Its description names those that it has. */
const operators = new Set(['gte', 'gt', 'lte', 'lt', 'ne', 'prefix']);

/** Deeper fields are not listed; no schema of ours is as deep. */
const depthMax = 8;

/** All fields of a body, in the order in which the schema declares them. */
export function fieldsOf(schema: Schema, schemas: SchemasByName): Field[] {
  return [...walk(schema, '', schemas, 0).values()];
}

export function resolve(schema: Schema, schemas: SchemasByName): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...schemas[$ref.slice($ref.lastIndexOf('/') + 1)], ...own };
}

function walk(given: Schema, prefix: string, schemas: SchemasByName, depth: number): Map<string, Field> {
  const fields = new Map<string, Field>();
  if (depth > depthMax) return fields;
  const schema = resolve(given, schemas);
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    if (operators.has(name)) continue;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const field = resolve(value, schemas);
    fields.set(path, {
      path,
      type: typeOf(field, schemas),
      required: schema.required?.includes(name) === true,
      meaning: meaningOf(field, schemas),
    });
    add(fields, walk(field, path, schemas, depth + 1));
  }
  if (schema.items) add(fields, walk(schema.items, `${prefix}[]`, schemas, depth + 1));
  for (const part of schema.allOf ?? []) add(fields, walk(part, prefix, schemas, depth + 1));
  for (const alternatives of [schema.oneOf ?? [], schema.anyOf ?? []])
    add(fields, common(alternatives.map((part) => walk(part, prefix, schemas, depth + 1))));
  return fields;
}

/** A field that is required anywhere is required. The first description counts. */
function add(fields: Map<string, Field>, others: Map<string, Field>): void {
  for (const [path, field] of others) {
    const known = fields.get(path) ?? field;
    fields.set(path, { ...known, required: known.required || field.required });
  }
}

/** Fields of alternatives. Required are those that each alternative requires which has the object they belong to. */
function common(alternatives: Map<string, Field>[]): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const [path, field] of alternatives.flatMap((one) => [...one])) {
    const object = path.slice(0, path.lastIndexOf('.') + 1);
    const having = alternatives.filter((one) => [...one.keys()].some((name) => name.startsWith(object)));
    const required = having.every((one) => one.get(path)?.required === true);
    const known = fields.get(path) ?? field;
    const types = [...new Set([...known.type.split(' or '), ...field.type.split(' or ')])];
    const nullLast = types.toSorted((one, other) => Number(one === 'null') - Number(other === 'null'));
    fields.set(path, { ...known, type: nullLast.join(' or '), required });
  }
  return new Map([...fields].map(([path, field]) => [path, withValuesInMeaning(field)]));
}

/** More values than these are easier to read in the meaning. */
const valuesInTypeMax = 2;

function withValuesInMeaning(field: Field): Field {
  const types = field.type.split(' or ');
  const values = types.filter((type) => type.startsWith('`"'));
  if (values.length <= valuesInTypeMax) return field;
  const others = types.filter((type) => !values.includes(type) && type !== 'string');
  const meaning = `${field.meaning} ${values.map((value) => value.replaceAll('"', '')).join(', ')}`;
  return { ...field, type: ['string', ...others].join(' or '), meaning };
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] {
  return [...allOf, ...oneOf, ...anyOf];
}

function typeOf(given: Schema, schemas: SchemasByName): string {
  const schema = resolve(given, schemas);
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const parts = alternativesOf(schema);
  if (schema.type === undefined && parts.length > 0)
    return [...new Set(parts.map((part) => typeOf(part, schemas)))].join(' or ');
  const types = [schema.type ?? 'any'].flat().map((type) => {
    if (type !== 'array' || schema.items === undefined) return type;
    const inner = typeOf(schema.items, schemas);
    return inner.includes(' ') ? 'array' : `${inner}[]`;
  });
  return types.join(' or ');
}

/** Lists the allowed values, unless the description names them. */
function meaningOf(schema: Schema, schemas: SchemasByName): string {
  const described = schema.description ?? resolve(schema.items ?? {}, schemas).description ?? '';
  const missing = (schema.enum ?? []).filter((value) => !described.includes(String(value)));
  if (missing.length === 0) return described;
  const values = schema.enum!.map((value) => `\`${String(value)}\``).join(', ');
  return described === '' ? values : `${described} ${values}`;
}
