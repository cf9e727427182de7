import { readFileSync, writeFileSync } from 'node:fs';
import { renderMeasured } from '../faults/measured-page.ts';
import { generateChartSettings } from './generate-chart-settings.ts';
import { generateCollection } from './generate-collection.ts';
import { generateErrorCatalogue } from './generate-error-catalogue.ts';
import { generateLimits } from './generate-limits.ts';
import { generateSettings } from './generate-settings.ts';
import { generateSigningSamples } from './generate-signing-samples.ts';
import { generateStates } from './generate-states.ts';
import { generateWireTypes } from './generate-wire-types.ts';

/** A file of the repository that is generated from the code, entirely or in part. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  path: string;
  /** Returns the generated text. `text` is the current content of the file, or empty if it does not exist. */
  generate(text: string): string;
}

export const generatedFiles: GeneratedFile[] = [
  { path: 'ARCHITECTURE.md', generate: generateStates },
  { path: 'sdk/wire.ts', generate: generateWireTypes },
  { path: 'docs/signing.md', generate: generateSigningSamples },
  { path: 'docs/limits.md', generate: generateLimits },
  { path: 'docs/operating.md', generate: generateSettings },
  { path: 'deploy/helm/lading/values.schema.json', generate: generateChartSettings },
  { path: 'docs/errors.md', generate: generateErrorCatalogue },
  { path: 'docs/collections/lading.postman_collection.json', generate: generateCollection },
  { path: 'docs/performance.md', generate: (text) => renderMeasured(text, 'bench/measured.jsonl') },
  { path: 'docs/reliability.md', generate: (text) => renderMeasured(text, 'faults/measured.jsonl') },
];

const root = new URL('../', import.meta.url);

export function readGenerated({ path }: GeneratedFile): string {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return '';
  }
}

/** `npm run generate` */
if (import.meta.main) {
  for (const file of generatedFiles) writeFileSync(new URL(file.path, root), file.generate(readGenerated(file)));
}
