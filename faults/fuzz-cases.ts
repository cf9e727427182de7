import fc from 'fast-check';
import {
  entriesMax,
  type FieldPath,
  type FuzzedEndpoint,
  neighbours,
  soundBody,
  withEntries,
  withFragment,
  withNeighbour,
  withoutField,
} from './hostile-bodies.ts';
import { anyDocument } from './hostile-documents.ts';
import type { Fragment } from './hostile-values.ts';

/** A body for an endpoint, and what makes it hostile. */
export interface FuzzCase {
  endpoint: FuzzedEndpoint;
  what: string;
  /** Each number makes another document, so that sending a case again costs as much as the first time. */
  make(number: number): Buffer;
  /** The service must accept it. Otherwise similar hostile bodies would not reach the code that they are meant for. */
  isSound?: boolean;
}

const bodyMaxBytes = 1_048_576;

export function soundCase(endpoint: FuzzedEndpoint): FuzzCase {
  return {
    endpoint,
    make: (number) => Buffer.from(JSON.stringify(soundBody(endpoint, number))),
    what: 'sound',
    isSound: true,
  };
}

/** A call that prepares another one. */
export function preparingCase(endpoint: FuzzedEndpoint, body: object): FuzzCase {
  return { endpoint, make: () => Buffer.from(JSON.stringify(body)), what: 'preparation' };
}

/** A body that is cut off, has a byte too many, or has a wrong byte, at one position. */
export function brokenJsonCases(endpoint: FuzzedEndpoint, whole: Buffer, at: number): FuzzCase[] {
  const before = whole.subarray(0, at);
  const changes: [string, Buffer][] = [
    ['cut off', before],
    ['a NUL', Buffer.concat([before, Buffer.of(0), whole.subarray(at)])],
    ['invalid UTF-8', Buffer.concat([before, Buffer.of(0xe8), whole.subarray(at)])],
    ['a brace', Buffer.concat([before, Buffer.from('}'), whole.subarray(at + 1)])],
  ];
  // A brace inside a string is valid JSON.
  return changes
    .filter(([, body]) => readJson(body) === undefined)
    .map(([what, body]) => ({ endpoint, make: () => body, what: `${what} at byte ${at}` }));
}

/** One field with each of these values, left out, beside unexpected fields, and as a list of unexpected length. */
export function fieldCases(endpoint: FuzzedEndpoint, path: FieldPath, fragments: Fragment[]): FuzzCase[] {
  const name = `${endpoint.operationId} ${path.join('.')}`;
  const max = entriesMax(endpoint.schema, path);
  const counts = max === null ? [] : [0, max, max + 1, max * 10];
  const changed = (what: string, change: (body: object) => Buffer): FuzzCase => ({
    endpoint,
    what: `${name} ${what}`,
    make: (number) => change(soundBody(endpoint, number)),
  });
  return [
    soundCase(endpoint),
    ...fragments.map((fragment) =>
      changed(`= ${String(fragment).slice(0, 100)}`, (body) => withFragment(body, path, fragment)),
    ),
    changed('left out', (body) => withoutField(body, path)),
    ...neighbours(path).map((neighbour) =>
      changed(`beside ${neighbour}`, (body) => withNeighbour(body, path, neighbour)),
    ),
    ...counts.map((count) => changed(`${count} times`, (body) => withEntries(body, path, count))),
  ].filter(({ make }) => make(0).length <= bodyMaxBytes);
}

/** Bodies that fast-check draws from the schema of an endpoint, all fields at once. */
export function drawnCases(endpoint: FuzzedEndpoint, count: number, seed: number): FuzzCase[] {
  return Array.from({ length: count }, (_, index) => {
    const drawSeed = seed + index;
    const draw = (number: number) =>
      fc.sample(anyDocument(endpoint.schema, soundBody(endpoint, number)), { numRuns: 1, seed: drawSeed })[0];
    return {
      endpoint,
      make: (number) => Buffer.from(JSON.stringify(draw(number))),
      what: `drawn with seed ${drawSeed}`,
    };
  });
}

export function describeCase({ what, endpoint }: FuzzCase, body: Buffer): string {
  return `${endpoint.path} ${what}: ${body.toString('utf8', 0, 300)}`;
}

/** undefined: the bytes are not JSON. */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
