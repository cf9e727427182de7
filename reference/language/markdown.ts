type Translate = (english: string) => string;

/** Each paragraph and list item becomes one line. Code blocks and comments stay as they are. */
export function translateMarkdownWith(translate: Translate, markdown: string): string {
  return blocksOf(markdown)
    .map((block) => (block.kind === 'verbatim' ? block.text : translateBlock(translate, block.text)))
    .join('\n');
}

interface Block {
  kind: 'verbatim' | 'text';
  /** A text with its heading, list or table marks, on one line. */
  text: string;
}

const startsBlock = /^(#{1,6} |\||<!--|```|\s*(?:[-*]|\d+\.) )/;

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const isFence = line.startsWith('```');
    const isVerbatim = isCode || isFence || line.trim() === '' || line.startsWith('<!--');
    if (isVerbatim) blocks.push({ kind: 'verbatim', text: line });
    else if (isOpen && !startsBlock.test(line)) blocks.at(-1)!.text += ` ${line.trim()}`;
    else blocks.push({ kind: 'text', text: line });
    isCode = isFence !== isCode;
    isOpen = !isVerbatim && !/^(#{1,6} |\|)/.test(line);
  }
  return blocks;
}

function translateBlock(translate: Translate, block: string): string {
  if (block.startsWith('|')) return translateRow(translate, block);
  const [, marks = '', text = ''] = /^(#{1,6} |\s*(?:[-*]|\d+\.) (?:\[[ x]\] )?)?(.*)$/s.exec(block)!;
  return `${marks}${translate(text)}`;
}

function translateRow(translate: Translate, row: string): string {
  if (/^[|\-: ]+$/.test(row)) return row;
  const cells = row.slice(1, row.trimEnd().length - 1).split(/(?<!\\)\|/);
  return `|${cells.map((cell) => ` ${cell.trim() === '' ? '' : translate(cell.trim())} `).join('|')}|`;
}
