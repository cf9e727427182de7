import { marked, type Token, type Tokens } from 'marked';
import { errorCodes, type PublicErrorCode } from '../../../contract/errors/codes.ts';
import type { Chapter, DocPage } from './doc-page.ts';
import type { GuideText } from './guide-text.ts';
import type { DocsLanguage } from './language.ts';
import { wordsIn } from './words.ts';

/** What the error guide says about a code: its explanation, and the rows of its tables, by the headings above them. */
interface CodeText {
  explanation: string;
  tables: { headings: string[]; header: string[]; rows: string[][] }[];
}

export const errorNames = Object.keys(errorCodes);

/**
 * One page per error code, and one that lists them. They are taken from the error guide of the language, so that each
 * text exists once. Responses link to these pages.
 */
export function pagesOfErrors({ markdown, language: textLanguage }: GuideText, language: DocsLanguage): DocPage[] {
  const words = wordsIn[language];
  const chapter: Chapter = {
    title: words.errorsTitle,
    groups: [
      {
        pages: [
          { page: '/errors', shortTitle: words.errorsTitle },
          ...errorNames.map((code) => ({ page: `/errors/${code}`, shortTitle: code })),
        ],
      },
    ],
  };
  const texts = readCodes(markdown);
  const listed = errorNames.map(
    (code) => `| [\`${code}\`](/docs/errors/${code}) | ${texts.get(code)!.explanation.replaceAll('\n', ' ')} |`,
  );
  const list = [
    `# ${words.errorsTitle}`,
    words.errorsIntroduction,
    [`| ${words.code} | ${words.meaning} |`, '|---|---|', ...listed].join('\n'),
  ].join('\n\n');
  const pageOf = (page: string, title: string, text: string): DocPage => {
    return { page, title, shortTitle: title, markdown: text, textLanguage, chapter };
  };
  return [
    { ...pageOf('/errors', words.errorsTitle, list), textLanguage: language },
    ...errorNames.map((code) =>
      pageOf(`/errors/${code}`, `${words.errorTitle} ${code}`, writeCode(code, texts.get(code)!, language)),
    ),
  ];
}

function readCodes(markdown: string): Map<string, CodeText> {
  const texts = new Map(errorNames.map((code): [string, CodeText] => [code, { explanation: '', tables: [] }]));
  let headings: string[] = [];
  let current: CodeText | undefined;
  for (const token of marked.lexer(markdown) as Token[]) {
    if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading;
      headings = [...headings.slice(0, depth - 1), text];
      current = texts.get(text.replaceAll('`', ''));
    } else if (token.type === 'paragraph' && current?.explanation === '') {
      current.explanation = token.raw.trim();
    } else if (token.type === 'table') {
      addRows(texts, token as Tokens.Table, headings.slice(1));
    }
  }
  for (const [code, text] of texts) text.explanation ||= explanationOf(code as PublicErrorCode);
  return texts;
}

/** For a deployment without the guides. */
function explanationOf(code: PublicErrorCode): string {
  return `${errorCodes[code].meaning} ${errorCodes[code].todo}`;
}

/** A row belongs to the code that one of its cells names, alone. */
function addRows(texts: Map<string, CodeText>, { header, rows }: Tokens.Table, headings: string[]): void {
  const titles = header.map(({ text }) => text);
  for (const cells of rows) {
    for (const [column, { text }] of cells.entries()) {
      const code = /^\[?`([a-z_]+)`(?:\]\([^)]*\))?$/.exec(text)?.[1];
      const tables = code === undefined ? undefined : texts.get(code)?.tables;
      if (tables === undefined) continue;
      const without = <T>(all: T[]) => all.filter((_one, index) => index !== column);
      const known = tables.find((table) => table.headings.join() === headings.join());
      const row = without(cells.map((cell) => cell.text));
      if (known) known.rows.push(row);
      else tables.push({ headings, header: without(titles), rows: [row] });
    }
  }
}

function writeCode(code: string, { explanation, tables }: CodeText, language: DocsLanguage): string {
  const parts = tables.map(({ headings, header, rows }) => {
    const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(inCell).join(' | ')} |`);
    return `### ${headings.join(' · ')}\n\n${lines.join('\n')}`;
  });
  const messages = parts.length === 0 ? [] : [`## ${wordsIn[language].errorMessages}`, ...parts];
  return `${[`# \`${code}\``, explanation, ...messages].join('\n\n')}\n`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
