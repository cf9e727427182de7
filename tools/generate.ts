import { readFileSync, writeFileSync } from 'node:fs';
import { renderMeasured } from '../faults/measured-page.ts';
import { generateChartSettings } from './generate-chart-settings.ts';
import { generateCollection } from './generate-collection.ts';
import { generateErrorCatalogue } from './generate-error-catalogue.ts';
import { generateLimits } from './generate-limits.ts';
import { generatePythonTypes } from './generate-python-types.ts';
import { generateReceivers } from './generate-receivers.ts';
import { generateSettings } from './generate-settings.ts';
import { generateSigningSamples } from './generate-signing-samples.ts';
import { generateStates } from './generate-states.ts';
import { generateWireTypes } from './generate-wire-types.ts';
import { sdkVersionText } from './release/version-texts.ts';
import { acceptTranslations } from './translations/accept.ts';
import { fillPage } from './translations/fill-page.ts';
import { translatedPages } from './translations/pages.ts';

/** A file of the repository that is generated from the code, entirely or in part. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  path: string;
  /** Returns the generated text. `text` is the current content of the file, or empty if it does not exist. */
  generate(text: string): string;
}

const root = new URL('../', import.meta.url);

function generateSdkVersion(): string {
  return sdkVersionText(JSON.parse(readFileSync(new URL('sdk/package.json', root), 'utf8')).version);
}

export const generatedFiles: GeneratedFile[] = [
  { path: 'ARCHITECTURE.md', generate: generateStates },
  { path: 'sdk/version.ts', generate: generateSdkVersion },
  { path: 'sdk/wire.ts', generate: generateWireTypes },
  { path: 'clients/python/lading.py', generate: generatePythonTypes },
  { path: 'docs/callbacks.md', generate: generateReceivers },
  { path: 'docs/signing.md', generate: generateSigningSamples },
  { path: 'docs/limits.md', generate: generateLimits },
  { path: 'docs/operating.md', generate: generateSettings },
  { path: 'deploy/helm/lading/values.schema.json', generate: generateChartSettings },
  { path: 'docs/errors.md', generate: generateErrorCatalogue },
  { path: 'docs/collections/lading.postman_collection.json', generate: generateCollection },
  { path: 'docs/performance.md', generate: (text) => renderMeasured(text, 'bench/measured.jsonl') },
  { path: 'docs/reliability.md', generate: (text) => renderMeasured(text, 'faults/measured.jsonl') },
  // After the English pages, from which they take code and generated parts.
  ...translatedPages.map((page) => ({ path: page.chinese, generate: (text: string) => fillPage(text, page) })),
];

export function readGenerated({ path }: GeneratedFile): string {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return '';
  }
}

/** `npm run generate`, or `npm run generate -- --accept-translations [PAGE...]` */
if (import.meta.main) {
  for (const file of generatedFiles) writeFileSync(new URL(file.path, root), file.generate(readGenerated(file)));
  const [option, ...pages] = process.argv.slice(2);
  if (option === '--accept-translations') acceptTranslations(pages);
}
