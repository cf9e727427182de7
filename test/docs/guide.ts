import { readFileSync } from 'node:fs';

export const docsFolder = new URL('../../docs/', import.meta.url);

export function readGuide(name: string): string {
  return readFileSync(new URL(name, docsFolder), 'utf8');
}

/** A fenced block: its language, the rest of its first line (often a file name), and its text. */
export interface Block {
  language: string;
  name: string;
  text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S+)[ ]?(.*)\n([\s\S]*?)\n```$/gm)].map(([, language, name, text]) => ({
    language: language!,
    name: name!,
    text: text!,
  }));
}

export function blockNamed(markdown: string, name: string): string {
  const named = blocksOf(markdown).filter((block) => block.name === name);
  if (named.length !== 1) throw new Error(`${named.length} blocks are named ${name}`);
  return named[0]!.text;
}
