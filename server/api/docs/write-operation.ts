import type { OpenApiDocument } from '../../../reference/openapi.ts';
import type { DescribedOperation, Examples, ResponseObject } from './described-operation.ts';
import type { DocsLanguage } from './language.ts';
import { fieldsOf, type Schema, type SchemasByName } from './schema-fields.ts';
import { type Words, wordsIn } from './words.ts';

/** The code blocks of the guides have these names of languages. */
const languageOfSample: Record<string, string> = {
  Shell: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  PHP: 'php',
  Java: 'java',
  'C#': 'csharp',
  Go: 'go',
};

/** The page of an operation as Markdown. */
export function writeOperation(
  described: DescribedOperation,
  document: OpenApiDocument,
  language: DocsLanguage,
): string {
  const words = wordsIn[language];
  const { operation, method, path, isSent } = described;
  const statuses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolveResponse(response, document)] as const,
  );
  const refused = (status: string) => /^[45]/.test(status);
  const chapters = [
    `# ${operation.summary}`,
    isSent ? '' : `\`${method} ${path}\``,
    operation.description,
    isSent ? '' : `[${words.tryThis}](/docs/try#${anchorInViewer(described)})`,
    isSent ? headersOf(described, words) : authenticationOf(described, document, words),
    requestOf(described, document, words),
    samplesOf(described, words),
    ...statuses.filter(([status]) => isSent || !refused(status)).map((one) => writeResponse(one, document, words)),
    ...(isSent
      ? []
      : writeRejections(
          statuses.filter(([status]) => refused(status)),
          operation.responses,
          words,
        )),
  ];
  return `${chapters.filter((chapter) => chapter !== '').join('\n\n')}\n`;
}

/** The viewer of the page names its parts after the tag, the method and the path. */
function anchorInViewer({ operation, method, path }: DescribedOperation): string {
  const [tag = ''] = operation.tags;
  return `tag/${encodeURIComponent(tag.toLowerCase().replaceAll(' ', '-'))}/${method}${path}`;
}

function resolveResponse(response: ResponseObject, { components }: OpenApiDocument): ResponseObject {
  if (response.$ref === undefined) return response;
  return components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)] as ResponseObject;
}

function authenticationOf({ operation }: DescribedOperation, { components }: OpenApiDocument, words: Words): string {
  const names = operation.security.flatMap((together) => Object.keys(together));
  const schemes = components.securitySchemes as Record<string, { name?: string; description: string }>;
  const lines = names.map(
    (name) => `- \`${schemes[name]!.name ?? 'Authorization'}\`${words.colon}${schemes[name]!.description}`,
  );
  return `## ${words.authentication}\n\n${lines.length === 0 ? words.noAuthentication : lines.join('\n')}`;
}

function headersOf({ operation }: DescribedOperation, words: Words): string {
  const rows = (operation.parameters ?? []).map(({ name, required, description }) => {
    return `| \`${name}\` | ${required ? words.required : words.optional} | ${inCell(description)} |`;
  });
  if (rows.length === 0) return '';
  return `## ${words.callbackHeaders}\n\n| ${words.field} | ${words.type} | ${words.meaning} |\n|---|---|---|\n${rows.join('\n')}`;
}

function requestOf({ operation }: DescribedOperation, document: OpenApiDocument, words: Words): string {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  if (content === undefined) return '';
  const { schema, example, examples = example === undefined ? {} : { example: { value: example } } } = content;
  return [`## ${words.request}`, fieldTable(schema, document, words), ...writeExamples(examples, words)].join('\n\n');
}

function fieldTable(schema: Schema, { components }: OpenApiDocument, words: Words): string {
  const rows = fieldsOf(schema, components.schemas as SchemasByName).map(({ path, type, required, meaning }) => {
    return `| \`${path}\` | ${inCell(type)} · ${required ? `**${words.required}**` : words.optional} | ${inCell(meaning)} |`;
  });
  if (rows.length === 0) return words.noFields;
  return [`| ${words.field} | ${words.type} | ${words.meaning} |`, '|---|---|---|', ...rows].join('\n');
}

function inCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** More would make the page long; the OpenAPI document has all. */
const examplesShownMax = 4;

function writeExamples(examples: Examples, words: Words): string[] {
  return Object.values(examples)
    .slice(0, examplesShownMax)
    .map(({ summary, value }) => {
      const title = summary === undefined ? words.example : `${words.example}${words.colon}${summary}`;
      const isText = typeof value === 'string';
      const text = isText ? value.trimEnd() : JSON.stringify(value, null, 2);
      return `**${title}**\n\n\`\`\`${isText ? 'text' : 'json'}\n${text}\n\`\`\``;
    });
}

function samplesOf({ operation }: DescribedOperation, words: Words): string {
  const samples = operation['x-codeSamples'] ?? [];
  if (samples.length === 0) return '';
  const blocks = samples.map(({ lang, label, source }) => {
    return `### ${label}\n\n\`\`\`${languageOfSample[lang] ?? 'text'}\n${source.trimEnd()}\n\`\`\``;
  });
  return [`## ${words.samples}`, ...blocks].join('\n\n');
}

function writeResponse(
  [status, response]: readonly [string, ResponseObject],
  document: OpenApiDocument,
  words: Words,
): string {
  const [content] = Object.values(response.content ?? {});
  return [
    `## ${words.response} ${status}`,
    response.description ?? '',
    ...(content === undefined
      ? []
      : [fieldTable(content.schema, document, words), ...writeExamples(content.examples ?? {}, words)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/**
 * The tables of the descriptions have all messages. One example per status is enough, and none for those that all
 * endpoints have in common: they only differ in the code and the message.
 */
function writeRejections(
  statuses: (readonly [string, ResponseObject])[],
  declared: Record<string, ResponseObject>,
  words: Words,
): string[] {
  if (statuses.length === 0) return [];
  const parts = statuses.flatMap(([status, { description = '', content = {} }]) => {
    const isCommon = declared[status]?.$ref !== undefined;
    const [first] = isCommon ? [] : Object.values(Object.values(content)[0]?.examples ?? {});
    return [`### HTTP ${status}`, description, ...(first ? writeExamples({ first }, words) : [])];
  });
  return [`## ${words.rejections}`, ...parts];
}
