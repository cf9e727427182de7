import { inflateSync } from 'node:zlib';

/** A page of a PDF: its size in points (1/72 inch) and its text without white space, in the order of drawing. */
export interface PdfPage {
  width: number;
  height: number;
  text: string;
}

/**
 * Reads a PDF as Chromium writes it: plain objects, compressed content, and fonts with a table of their characters. It is
 * no reader for other PDFs.
 */
export function readPdf(file: Buffer): PdfPage[] {
  const objects = readObjects(file);
  const fonts = new Map<string, Characters>();
  const textOf = (id: string) => objects.get(id)?.head ?? '';
  const pagesOf = (id: string): string[] => {
    const head = textOf(id);
    return /\/Type ?\/Pages\b/.test(head) ? references(entry(head, 'Kids')).flatMap(pagesOf) : [id];
  };
  const root = [...objects.values()].find(({ head }) => /\/Type ?\/Catalog\b/.test(head))!;
  return pagesOf(references(entry(root.head, 'Pages'))[0]!).map((id) => {
    const head = textOf(id);
    const [, , width = 0, height = 0] = numbers(entry(head, 'MediaBox'));
    const resources = entry(head, 'Resources');
    const inline = resources.startsWith('<<') ? resources : textOf(references(resources)[0]!);
    const named = namedReferences(entry(inline, 'Font'), textOf);
    for (const fontId of named.values()) if (!fonts.has(fontId)) fonts.set(fontId, readCharacters(objects, fontId));
    const content = references(entry(head, 'Contents')).map((part) => objects.get(part)!.content.toString('latin1'));
    return { width, height, text: readText(content.join('\n'), (name) => fonts.get(named.get(name) ?? '')) };
  });
}

interface PdfObject {
  head: string;
  content: Buffer;
}

function readObjects(file: Buffer): Map<string, PdfObject> {
  const text = file.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\s/g)) {
    const start = match.index + match[0].length;
    const streamAt = text.indexOf('stream', start);
    const endAt = text.indexOf('endobj', start);
    const hasStream = streamAt !== -1 && streamAt < endAt;
    const head = text.slice(start, hasStream ? streamAt : endAt);
    const dataAt = streamAt + (text[streamAt + 6] === '\r' ? 8 : 7);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const data = hasStream ? file.subarray(dataAt, dataAt + length) : Buffer.alloc(0);
    objects.set(match[1]!, { head, content: /\/FlateDecode/.test(head) && hasStream ? inflateSync(data) : data });
  }
  return objects;
}

/** The value of a key: a dictionary, an array, or a reference. */
function entry(head: string, key: string): string {
  const at = new RegExp(`/${key}(?![A-Za-z])\\s*`).exec(head);
  if (!at) return '';
  const rest = head.slice(at.index + at[0].length);
  if (rest.startsWith('<<')) {
    let depth = 0;
    for (const { 0: bracket, index } of rest.matchAll(/<<|>>/g)) {
      depth += bracket === '<<' ? 1 : -1;
      if (depth === 0) return rest.slice(0, index + 2);
    }
  }
  return rest.startsWith('[') ? rest.slice(0, rest.indexOf(']') + 1) : (/^[^/>]+/.exec(rest)?.[0] ?? '');
}

function references(text: string): string[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => id!);
}

function numbers(text: string): number[] {
  return [...text.matchAll(/-?[\d.]+/g)].map(([number]) => Number(number));
}

function namedReferences(text: string, textOf: (id: string) => string): Map<string, string> {
  const dictionary = text.startsWith('<<') ? text : textOf(references(text)[0] ?? '');
  return new Map([...dictionary.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, id]) => [name!, id!]));
}

/** The characters of a font by their code, and the number of bytes of a code. */
interface Characters {
  bytes: number;
  of: Map<number, string>;
}

function readCharacters(objects: Map<string, PdfObject>, fontId: string): Characters {
  const { head } = objects.get(fontId)!;
  const [tableId] = references(entry(head, 'ToUnicode'));
  const table = objects.get(tableId ?? '')?.content.toString('latin1') ?? '';
  const of = new Map<number, string>();
  for (const [, rows] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, text] of rows!.matchAll(/<(\w+)>\s*<(\w+)>/g))
      of.set(Number.parseInt(code!, 16), unicode(text!));
  for (const [, rows] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first, last, text] of rows!.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const [from, to, start] = [first, last, text].map((hex) => Number.parseInt(hex!, 16)) as [number, number, number];
      for (let code = from; code <= to; code++) of.set(code, String.fromCodePoint(start + code - from));
    }
  return { bytes: /\/Type0\b/.test(head) ? 2 : 1, of };
}

function unicode(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}

const tokens = /\/(\w+) [\d.-]+ Tf|<([0-9A-Fa-f\s]*)>|\(((?:\\[\s\S]|[^\\()])*)\)/g;

/** The strings of the content, each read with the font that was chosen before it. */
function readText(content: string, fontOf: (name: string) => Characters | undefined): string {
  let font: Characters | undefined;
  let text = '';
  for (const [, name, hex, literal] of content.matchAll(tokens)) {
    if (name !== undefined) font = fontOf(name);
    else text += decode(hex === undefined ? unescaped(literal!) : Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'), font);
  }
  return text.replaceAll(/\s/g, '');
}

function decode(bytes: Buffer, font: Characters | undefined): string {
  if (!font) return '';
  let text = '';
  for (let at = 0; at + font.bytes <= bytes.length; at += font.bytes)
    text += font.of.get(bytes.readUIntBE(at, font.bytes)) ?? '';
  return text;
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(literal: string): Buffer {
  const plain = literal.replaceAll(/\\([0-7]{1,3}|[\s\S])/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
  return Buffer.from(plain, 'latin1');
}
