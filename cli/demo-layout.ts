import { styleText } from 'node:util';

export const widthMax = 98;

/** Uses colour only on a terminal, and not if NO_COLOR is set. */
export const paint = {
  heading: (text: string) => styleText('bold', text, { stream: process.stdout }),
  quiet: (text: string) => styleText('dim', text, { stream: process.stdout }),
  sent: (text: string) => styleText('cyan', text, { stream: process.stdout }),
  answered: (text: string) => styleText('green', text, { stream: process.stdout }),
  refused: (text: string) => styleText('yellow', text, { stream: process.stdout }),
  wrong: (text: string) => styleText('red', text, { stream: process.stdout }),
};

/** Wraps text to the line width. */
export function wrap(text: string, indent: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && indent + last.length + 1 + word.length > widthMax) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return indented(lines, indent);
}

/**
 * Formats compact JSON that breaks only lines that are too wide. A string is printed unchanged, undefined as nothing.
 */
export function wrapJson(value: unknown, indent: number): string[] {
  if (value === undefined) return [];
  return indented(typeof value === 'string' ? [value] : jsonLines(value, widthMax - indent), indent);
}

/** Indents content below its bracket. Fields share a line if they fit; array entries have one line each. */
function jsonLines(value: unknown, width: number): string[] {
  const whole = JSON.stringify(value);
  if (whole.length <= width || typeof value !== 'object' || value === null) return [whole];
  const isList = Array.isArray(value);
  const parts = Object.entries(value);
  const lines = [isList ? '[' : '{'];
  let isRoom = true;
  for (const [index, [key, part]] of parts.entries()) {
    const name = isList ? '' : `${JSON.stringify(key)}:`;
    const isLast = index === parts.length - 1;
    const block = jsonLines(part, width - name.length - 2);
    block[block.length - 1] += isLast ? (isList ? ']' : '}') : ',';
    const [first, ...rest] = [`${name}${block[0]}`, ...indented(block.slice(1), name.length)];
    const fits = isRoom && rest.length === 0 && lines.at(-1)!.length + first!.length <= width;
    if (fits || index === 0) lines[lines.length - 1] += first!;
    else lines.push(` ${first}`);
    lines.push(...indented(rest, 1));
    isRoom = !isList && rest.length === 0;
  }
  return lines;
}

function indented(lines: string[], indent: number): string[] {
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

/** Truncates a secret to a recognizable prefix. */
export function cutShort(secret: string): string {
  return `${secret.slice(0, 10)}…`;
}
