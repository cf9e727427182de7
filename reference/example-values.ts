import type { TSchema } from 'typebox';
import type { ContractReference } from './reference.ts';

/**
 * Collects an example value for each field from the examples of the endpoints and webhooks, by the schema of the field.
 */
export function collectExamples(references: ContractReference[]): Map<TSchema, unknown> {
  const examples = new Map<TSchema, unknown>();
  for (const { endpoints, webhooks = [] } of references) {
    for (const { body, answers } of endpoints) {
      if (body) noteExamples(body.schema, body.example, examples);
      for (const answer of answers) {
        for (const { value, sent } of Object.values(answer.examples)) {
          noteExamples(answer.schema, value, examples);
          // Rejected requests contain invalid values, which are not good examples.
          if (body && sent !== undefined && answer.status === 200) noteExamples(body.schema, sent, examples);
        }
      }
    }
    for (const { body, answerBody } of webhooks) {
      for (const { schema, examples: shown } of answerBody ? [body, answerBody] : [body]) {
        for (const { value } of Object.values(shown)) noteExamples(schema, value, examples);
      }
    }
  }
  return examples;
}

interface SchemaNode {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}

/** Keeps the first example, unless it is empty. */
function noteExamples(schema: TSchema, value: unknown, examples: Map<TSchema, unknown>): void {
  if (isSilent(examples.get(schema))) examples.set(schema, value);
  const { properties = {}, items, anyOf = [] } = schema as SchemaNode;
  const branch = anyOf.find((part) => looksLike(part, value));
  if (branch) noteExamples(branch, value, examples);
  if (Array.isArray(value) && items) for (const one of value) noteExamples(items, one, examples);
  for (const [field, part] of Object.entries(properties)) {
    const given = (value as Record<string, unknown>)[field];
    if (given !== undefined) noteExamples(part, given, examples);
  }
}

function isSilent(example: unknown): boolean {
  return (
    example === undefined || example === null || example === '' || (Array.isArray(example) && example.length === 0)
  );
}

/** Whether a value matches a schema; precise enough to distinguish the alternatives in our responses. */
function looksLike(schema: TSchema, value: unknown): boolean {
  const node = schema as SchemaNode;
  if (node.anyOf) return node.anyOf.some((part) => looksLike(part, value));
  if (node.const !== undefined) return node.const === value;
  if (node.enum) return node.enum.includes(value);
  if (node.type === 'integer') return Number.isInteger(value);
  if (node.type === 'null') return value === null;
  if (node.type === 'array') return Array.isArray(value);
  if (node.type !== 'object') return node.type === undefined || typeof value === node.type;
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    hasFields(node, value as Record<string, unknown>)
  );
}

function hasFields({ required = [], properties = {} }: SchemaNode, value: Record<string, unknown>): boolean {
  const fits = ([field, given]: [string, unknown]) =>
    properties[field] !== undefined && looksLike(properties[field], given);
  return (
    required.every((field) => field in value) &&
    (Object.keys(properties).length === 0 || Object.entries(value).every(fits))
  );
}
