import { Marked, type Token, type Tokens } from 'marked';
import type { OpenApiDocument } from '../../../reference/openapi.ts';
import { operationsOf } from './described-operation.ts';
import { type DocPage, plainText } from './doc-page.ts';
import { takeSlug } from './render-markdown.ts';
import { fieldsOf, type SchemasByName } from './schema-fields.ts';

/** One result of the search. The browser loads all entries on the first search and looks for the words in them. */
export interface SearchEntry {
  kind: 'guide' | 'operation' | 'field' | 'error';
  title: string;
  /** The page or operation that the entry is part of. */
  context: string;
  /** The name of the page, and its section. */
  url: string;
  text: string;
}

/** Longer texts would only be repeated by the sections after them. */
const textMax = 1200;

export function makeSearchIndex(pages: DocPage[], document: OpenApiDocument): SearchEntry[] {
  const errors = new Set(pages.map(({ page }) => page).filter((page) => page.startsWith('/errors/')));
  return pages
    .flatMap((page) => {
      // The pages of errors have the same text as the sections of the guide.
      if (page.page.startsWith('/guides/'))
        return sectionsOf(page).filter(({ url, title }) => !(url.includes('#') && errors.has(`/errors/${title}`)));
      if (page.page.startsWith('/errors/')) return [errorOf(page)];
      return /^\/reference\/[a-z]+(-[a-z]+)+$/.test(page.page) ? sectionsOf(page) : [];
    })
    .concat(operationsOf(document).flatMap((described) => entriesOf(described, document)));
}

function sectionsOf({ page, title, markdown }: DocPage): SearchEntry[] {
  const slugs = new Map<string, number>();
  const entries: SearchEntry[] = [];
  for (const token of new Marked().lexer(markdown) as Token[]) {
    if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading;
      const heading = plainText(text);
      const slug = takeSlug(slugs, heading);
      const isTitle = depth === 1;
      entries.push({
        kind: 'guide',
        title: isTitle ? title : heading,
        context: isTitle ? '' : title,
        url: isTitle ? page : `${page}#${slug}`,
        text: '',
      });
    } else {
      const last = entries.at(-1);
      if (last && last.text.length < textMax)
        last.text = `${last.text} ${plainText(withoutTableLines(token.raw))}`.trim().slice(0, textMax);
    }
  }
  return entries;
}

function errorOf({ page, shortTitle, markdown }: DocPage): SearchEntry {
  const text = plainText(withoutTableLines(markdown.replace(/^# .*$/m, ''))).slice(0, textMax);
  return { kind: 'error', title: page.slice('/errors/'.length), context: shortTitle, url: page, text };
}

/** The lines of tables and the marks of headings and lists would only disturb an excerpt. */
function withoutTableLines(markdown: string): string {
  return markdown.replaceAll(/\|(?:\s*-+\s*\|)+|\||^#+ |^\s*- (?:\[ \] )?/gm, ' ');
}

function entriesOf(
  { name, method, path, operation }: ReturnType<typeof operationsOf>[number],
  { components }: OpenApiDocument,
): SearchEntry[] {
  const { summary, description, requestBody } = operation;
  const url = `/reference/${name}`;
  const text = `${method} ${path} ${name} ${plainText(withoutTableLines(description))}`.slice(0, textMax);
  const [body] = Object.values(requestBody?.content ?? {});
  const [answer] = Object.values(operation.responses['200']?.content ?? {});
  const schemas = components.schemas as SchemasByName;
  const fields = [body, answer].flatMap((content) => (content ? fieldsOf(content.schema, schemas) : []));
  const own = new Map(fields.map((field) => [field.path, field]));
  return [
    { kind: 'operation', title: summary, context: operation.tags.join(', '), url, text },
    ...[...own.values()].map((field): SearchEntry => {
      return { kind: 'field', title: field.path, context: summary, url, text: plainText(field.meaning) };
    }),
  ];
}
