import type { OpenApiDocument } from '../openapi.ts';
import type { Translator } from './translator.ts';

type Json = Record<string, unknown>;

/** Values that programs send or receive are never translated. */
const values = new Set(['example', 'value', 'x-codeSamples']);

/** Returns the document with all its texts for people in another language. */
export function translateDocument(document: OpenApiDocument, translator: Translator): OpenApiDocument {
  return translateNode(document, translator) as OpenApiDocument;
}

function translateNode(node: unknown, translator: Translator): unknown {
  if (Array.isArray(node)) return node.map((part) => translateNode(part, translator));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node as Json).map(([key, part]) => [key, translatePart(key, part, node as Json, translator)]),
  );
}

function translatePart(key: string, part: unknown, parent: Json, translator: Translator): unknown {
  // A list below `examples` has values, an object has named examples with summaries.
  if (values.has(key) || (key === 'examples' && Array.isArray(part))) return part;
  if (key === 'tags' && isTextList(part)) return part.map((name) => translator.text(name));
  if (typeof part !== 'string') return translateNode(part, translator);
  if (key === 'description') return translator.markdown(part);
  return key === 'summary' || (key === 'name' && isTagOrContact(parent)) ? translator.text(part) : part;
}

function isTextList(part: unknown): part is string[] {
  return Array.isArray(part) && part.every((one) => typeof one === 'string');
}

/** The names of parameters and licences are the same in every language. */
function isTagOrContact(parent: Json): boolean {
  return !('in' in parent) && !('identifier' in parent);
}
