import type { TSchema } from 'typebox';

/**
 * Generates Python declarations: a TypedDict for each object, also for those inside others, and an alias for every other
 * schema. They are valid since Python 3.9, which has no NotRequired: required fields are in a base class.
 */
export function makePythonTypes(schemas: Record<string, TSchema>): string {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const declarations: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const node = schema as SchemaNode;
    if (isObject(node)) declareObject(name, node, { names, declarations });
    else declarations.push(wrapped(`${name} = ${typeOf(schema, name, { names, declarations }, 'itself')}`, ''));
  }
  return declarations.join('\n\n\n');
}

interface SchemaNode {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: string[];
}

interface Scope {
  names: Map<TSchema, string>;
  declarations: string[];
}

const plainTypes: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const keywords = [
  'and',
  'as',
  'class',
  'def',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'not',
  'or',
  'pass',
  'with',
];
const lineWidthMax = 120;

function isObject({ type, properties = {} }: SchemaNode): boolean {
  return type === 'object' && Object.keys(properties).length > 0;
}

function declareObject(name: string, { properties = {}, required = [] }: SchemaNode, scope: Scope): void {
  const fields = Object.entries(properties).map(([field, schema]) => ({
    field,
    type: typeOf(schema, `${name}${pascalCase(field)}`, scope),
    isRequired: required.includes(field),
  }));
  const isPlain = fields.every(({ field }) => /^[A-Za-z_]\w*$/.test(field) && !keywords.includes(field));
  const declare = isPlain ? declareClass : declareByFunction;
  const [must, may] = [fields.filter(({ isRequired }) => isRequired), fields.filter(({ isRequired }) => !isRequired)];
  if (may.length === 0) scope.declarations.push(declare(name, 'TypedDict', must));
  else if (must.length === 0) scope.declarations.push(declare(name, 'TypedDict', may, 'total=False'));
  else {
    scope.declarations.push(declareClass(`_${name}Required`, 'TypedDict', must));
    scope.declarations.push(declareClass(name, `_${name}Required`, may, 'total=False'));
  }
}

interface Field {
  field: string;
  type: string;
}

function declareClass(name: string, base: string, fields: Field[], option?: string): string {
  const bases = option === undefined ? base : `${base}, ${option}`;
  const lines = fields.map(({ field, type }) => wrapped(`    ${field}: ${type}`, '    '));
  return `class ${name}(${bases}):\n${lines.join('\n')}`;
}

/** For fields whose names are not names in Python, such as `orders.status`. */
function declareByFunction(name: string, base: string, fields: Field[], option?: string): string {
  const lines = fields.map(({ field, type }) => wrapped(`        "${field}": ${type},`, '        '));
  return `${name} = ${base}(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n${option === undefined ? '' : `    ${option},\n`})`;
}

function typeOf(schema: TSchema, name: string, scope: Scope, itself?: 'itself'): string {
  const known = scope.names.get(schema);
  if (known !== undefined && !itself) return known;
  const node = schema as SchemaNode;
  if (node.const !== undefined) return `Literal[${literal(node.const)}]`;
  if (node.enum) return unionOf(node.enum.map((value) => `Literal[${literal(value)}]`));
  if (node.anyOf) {
    const severalObjects = node.anyOf.filter((part) => isObject(part as SchemaNode)).length > 1;
    return unionOf(node.anyOf.map((part, index) => typeOf(part, severalObjects ? `${name}${index + 1}` : name, scope)));
  }
  if (node.type === 'array') return `List[${typeOf(node.items!, singular(name), scope)}]`;
  if (isObject(node)) {
    declareObject(name, node, scope);
    return name;
  }
  if (node.type === 'object') return 'Dict[str, Any]';
  const plain = plainTypes[node.type ?? ''];
  if (plain === undefined) throw new Error(`a schema of type ${node.type} has no type in Python yet`);
  return plain;
}

/** Joins literals, and puts None last. */
function unionOf(types: string[]): string {
  const literals = types.flatMap((type) => /^Literal\[(.*)\]$/.exec(type)?.[1] ?? []);
  const others = [...new Set(types.filter((type) => !type.startsWith('Literal[') && type !== 'None'))];
  const parts = [...(literals.length > 0 ? [`Literal[${literals.join(', ')}]`] : []), ...others];
  const union = parts.length === 1 ? parts[0]! : `Union[${parts.join(', ')}]`;
  return types.includes('None') ? `Optional[${union}]` : union;
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function pascalCase(field: string): string {
  return field.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}

/** Breaks a long line after a comma; inside brackets, Python continues on the next line. */
function wrapped(line: string, indent: string): string {
  const lines = [''];
  for (const part of line.split(/(?<=, )/)) {
    const last = lines.at(-1)!;
    if (last !== '' && (last + part).trimEnd().length > lineWidthMax) lines.push(`${indent}    ${part}`);
    else lines[lines.length - 1] = last + part;
  }
  return lines.map((one) => one.trimEnd()).join('\n');
}
