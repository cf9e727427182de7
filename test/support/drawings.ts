import { readFileSync, writeFileSync } from 'node:fs';
import { drawMeasured } from '../../faults/measured-page.ts';
import { drawCollection } from './draw-collection.ts';
import { drawErrorCatalogue } from './draw-error-catalogue.ts';
import { drawLimits } from './draw-limits.ts';
import { drawSigningSamples } from './draw-signing-samples.ts';
import { drawStates } from './draw-states.ts';
import { drawWireTypes } from './draw-wire-types.ts';

/** A file of the tree that is made from the code, or has parts that are. */
export interface Drawing {
  /** From the root of the tree. */
  path: string;
  /** The text as the code would have it; given is what the file says now, empty where there is none. */
  draw(text: string): string;
}

export const drawings: Drawing[] = [
  { path: 'ARCHITECTURE.md', draw: drawStates },
  { path: 'sdk/wire.ts', draw: drawWireTypes },
  { path: 'docs/signing.md', draw: drawSigningSamples },
  { path: 'docs/limits.md', draw: drawLimits },
  { path: 'docs/errors.md', draw: drawErrorCatalogue },
  { path: 'docs/collections/lading.postman_collection.json', draw: drawCollection },
  { path: 'docs/performance.md', draw: (text) => drawMeasured(text, 'bench/measured.jsonl') },
  { path: 'docs/reliability.md', draw: (text) => drawMeasured(text, 'faults/measured.jsonl') },
];

const root = new URL('../../', import.meta.url);

export function readDrawing({ path }: Drawing): string {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return '';
  }
}

/** `npm run draw` */
if (import.meta.main) {
  for (const drawing of drawings) writeFileSync(new URL(drawing.path, root), drawing.draw(readDrawing(drawing)));
}
