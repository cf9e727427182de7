import type { TSchema } from 'typebox';
import { formatDescription } from './openapi.ts';

/** A field with text of which we know all current values; the schema also allows those of later versions. */
export interface KnownTexts {
  field: TSchema;
  values: string[];
}

/**
 * Generates TypeScript declarations: one type per schema, with the descriptions of its fields as comments, and one union
 * per list of known texts.
 */
export function makeTypeDeclarations(schemas: Record<string, TSchema>, texts: Record<string, KnownTexts> = {}): string {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  for (const [name, { field }] of Object.entries(texts)) names.set(field, name);
  const unions = Object.entries(texts).map(([name, { values }]) => [name, values.map(literal).join(' | ')]);
  const types = Object.entries(schemas).map(([name, schema]) => [name, typeOf(schema, names, '', 'itself')]);
  return [...unions, ...types].map(([name, type]) => `export type ${name} = ${type};\n`).join('\n');
}

interface SchemaNode {
  type?: string;
  meaning?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: string[];
}

const plainTypes: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(schema: TSchema, names: Map<TSchema, string>, indent: string, itself?: 'itself'): string {
  const name = names.get(schema);
  if (name !== undefined && !itself) return name;
  const node = schema as SchemaNode;
  if (node.const !== undefined) return literal(node.const);
  if (node.enum) return node.enum.map(literal).join(' | ');
  if (node.anyOf) return node.anyOf.map((part) => typeOf(part, names, indent)).join(' | ');
  if (node.type === 'array') return arrayOf(typeOf(node.items!, names, indent));
  if (node.type === 'object') return objectOf(node, names, indent);
  const plain = plainTypes[node.type ?? ''];
  if (plain === undefined) throw new Error(`a schema of type ${node.type} has no type in TypeScript yet`);
  return plain;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function arrayOf(item: string): string {
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties = {}, required = [] }: SchemaNode, names: Map<TSchema, string>, indent: string): string {
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([field, schema]) => {
    const key = `${/^\w+$/.test(field) ? field : `'${field}'`}${required.includes(field) ? '' : '?'}`;
    return `${remark(schema, deeper)}${deeper}${key}: ${typeOf(schema, names, deeper)};\n`;
  });
  return fields.length === 0 ? 'object' : `{\n${fields.join('')}${indent}}`;
}

function remark(schema: TSchema, indent: string): string {
  const { meaning, description } = schema as SchemaNode;
  const words = formatDescription(meaning, description).description;
  return words === undefined ? '' : `${indent}/** ${words} */\n`;
}
