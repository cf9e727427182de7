import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { type Mistake, makeChecker, wordPath } from '../../platform/schema.ts';
import { Provisioning } from './provisioning.ts';

export type ProvisioningReading =
  | { kind: 'provisioning'; provisioning: Provisioning; place: Placer }
  | { kind: 'mistakes'; mistakes: string[] };

/** Words a mistake with the line and the path at which it stands: `line 7, accounts[0].environment: …`. */
export type Placer = (mistake: Mistake) => string;

const check = makeChecker(Provisioning);

/** Reads YAML or JSON (which is YAML); every mistake is named with its line. */
export function readProvisioning(text: string): ProvisioningReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error', strict: true });
  if (document.errors.length > 0) {
    const mistakes = document.errors.map((error) => `line ${lines.linePos(error.pos[0]).line}: ${withoutValues(error.message)}`);
    return { kind: 'mistakes', mistakes };
  }

  const place: Placer = ({ path, message }) => {
    const line = lineOf(document, lines, path);
    const where = [line === null ? '' : `line ${line}`, wordPath(path)].filter(Boolean).join(', ');
    return where ? `${where}: ${message}` : message;
  };
  const value = plainValueOf(document);
  if (value === undefined)
    return { kind: 'mistakes', mistakes: ['an alias (*name) has no anchor before it, or aliases are nested too deeply'] };
  const checked = check(value ?? {});
  if (checked.kind === 'mistakes') return { kind: 'mistakes', mistakes: checked.mistakes.map(place) };
  return { kind: 'provisioning', provisioning: checked.value, place };
}

/** undefined: an alias leads nowhere, which only shows here, and the message would quote it. */
function plainValueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The parser quotes what it stumbled over, which may be a secret. */
function withoutValues(message: string): string {
  return message
    .replace(/Missing closing .quote/, 'Missing closing quote')
    .replace(/:? ?["“`'].*$/s, '')
    .replace(/\n.*$/s, '');
}

/** The line of the nearest part of the file that is really there. */
function lineOf(document: Document, lines: LineCounter, path: (string | number)[]): number | null {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
