import { readFileSync } from 'node:fs';
import { makeTranslator } from '../../reference/language/translator.ts';
import { chineseTexts } from '../../reference/zh-TW/texts.ts';
import { translateLinks } from './links.ts';
import { type TranslatedPage, translatedPartOf } from './pages.ts';

const root = new URL('../../', import.meta.url);
const codeBlock = /^```[\s\S]*?^```$/gm;
const generatedPart = /^<!-- (.*): npm run generate -->\n[\s\S]*?^<!-- end of \1 -->$/gm;

/**
 * Fills a translated page with what must not be written twice: code blocks, generated parts, and the targets of links.
 * The translator writes the fences of a code block only.
 */
export function fillPage(text: string, page: TranslatedPage): string {
  const english = translatedPartOf(readFileSync(new URL(page.english, root), 'utf8'), page);
  if (page.isGenerated) return translateLinks(makeTranslator(chineseTexts).markdown(english), page);
  return translateLinks(fillCode(fillGenerated(text, english), english, page), page);
}

function fillGenerated(text: string, english: string): string {
  const parts = new Map([...english.matchAll(generatedPart)].map(([part, name]) => [name!, part]));
  const translator = makeTranslator(chineseTexts);
  return text.replaceAll(generatedPart, (own, name: string) => translator.markdown(parts.get(name) ?? own));
}

function fillCode(text: string, english: string, { chinese }: TranslatedPage): string {
  const blocks = english.match(codeBlock) ?? [];
  const own = text.match(codeBlock) ?? [];
  if (own.length !== blocks.length)
    throw new Error(`${chinese} has ${own.length} code blocks, and the English page ${blocks.length}`);
  let index = 0;
  return text.replaceAll(codeBlock, () => blocks[index++]!);
}
