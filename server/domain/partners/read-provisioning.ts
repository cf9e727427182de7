import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { type Mistake, makeChecker, wordPath } from '../../platform/schema.ts';
import { Provisioning } from './provisioning.ts';

export type ProvisioningReading =
  /** With mistakes, `provisioning` is what can be read beside them, so that what is wrong with that can be said too. */
  | { kind: 'read'; provisioning: Provisioning; mistakes: Mistake[]; mistaken: string[]; word: MistakeWording }
  | { kind: 'unreadable'; mistakes: string[] };

/** Words mistakes with the line and the path at which they stand, in the order of the file: `line 7, accounts[0].environment: …`. */
export type MistakeWording = (mistakes: Mistake[]) => string[];

const check = makeChecker(Provisioning);

/** Reads YAML or JSON (which is YAML); every mistake is named with its line. */
export function readProvisioning(text: string): ProvisioningReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error', strict: true });
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return { kind: 'unreadable', mistakes: [nestedTooDeeply] };
  if (document.errors.length > 0) {
    const mistakes = document.errors.map((error) => `line ${lines.linePos(error.pos[0]).line}: ${withoutValues(error.message)}`);
    return { kind: 'unreadable', mistakes };
  }

  const word: MistakeWording = (mistakes) =>
    mistakes
      .map((mistake) => ({ ...mistake, line: lineOf(document, lines, mistake.path) }))
      .sort((left, right) => left.line - right.line)
      .map(({ line, path, message }) => `${[`line ${line}`, wordPath(path)].filter(Boolean).join(', ')}: ${message}`);
  const { value, mistake } = plainValueOf(document);
  if (mistake !== undefined) return { kind: 'unreadable', mistakes: [mistake] };
  const checked = check(value ?? {});
  if (checked.kind === 'valid') return { kind: 'read', provisioning: checked.value, mistakes: [], mistaken: [], word };
  return { kind: 'read', ...withoutMistaken(value as Provisioning, checked.mistakes), mistakes: checked.mistakes, word };
}

/** Leaves holes where mistaken items stood, so that the others keep their places. */
function withoutMistaken(value: Provisioning, mistakes: Mistake[]): { provisioning: Provisioning; mistaken: string[] } {
  const items = mistakes.map(({ path }) => itemOf(path));
  if (items.includes(null)) return { provisioning: {}, mistaken: [] };
  const provisioning = structuredClone(value);
  const mistaken: string[] = [];
  for (const path of items as (string | number)[][]) {
    const list = path.slice(0, -1).reduce((part, step) => (part as Record<string | number, unknown>)?.[step], provisioning as unknown);
    const index = path.at(-1) as number;
    if (!Array.isArray(list)) continue;
    if (path.length === 2) mistaken.push(...namesOf(path[0] as string, list[index]));
    delete list[index];
  }
  return { provisioning, mistaken };
}

/** The innermost item of a list that a path leads into; null where the list itself is wrong. */
function itemOf(path: (string | number)[]): (string | number)[] | null {
  const isTenant = path[0] === 'accounts' && path[2] === 'tenants' && typeof path[3] === 'number';
  if (isTenant) return path.slice(0, 4);
  return typeof path[1] === 'number' ? path.slice(0, 2) : null;
}

/** What others may refer to: that it does not exist is then not their mistake. */
function namesOf(part: string, item: unknown): string[] {
  const { account_no, warehouse_no, store_no } = (item ?? {}) as Record<string, unknown>;
  return { accounts: [`account ${account_no}`], warehouses: [`warehouse ${warehouse_no}`], stores: [`store ${store_no}`] }[part] ?? [];
}

const nestedTooDeeply = 'the file is nested too deeply';

/** An alias that leads nowhere only shows here, and the parser's own message would quote it. */
function plainValueOf(document: Document): { value?: unknown; mistake?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    if (error instanceof RangeError) return { mistake: nestedTooDeeply };
    return { mistake: 'an alias (*name) has no anchor before it, or aliases are nested too deeply' };
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
function lineOf(document: Document, lines: LineCounter, path: (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
