import { readFileSync, writeFileSync } from 'node:fs';
import { type KeptLine, readKept, renderMeasured } from '../faults/measured-page.ts';
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
import { summarizePerformance } from './measured/performance-summary.ts';
import { summarizeReliability } from './measured/reliability-summary.ts';
import { drawChart, renderSummary, type SummaryPart } from './measured/summary.ts';
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

/** A page with its results, and the charts of its summary. */
function measuredFiles(
  page: string,
  results: string,
  summarize: (lines: KeptLine[]) => SummaryPart[],
): GeneratedFile[] {
  const parts = () => summarize(readKept(results));
  return [
    { path: page, generate: (text) => renderSummary(renderMeasured(text, results), parts()) },
    ...parts().map(({ file }) => ({ path: `docs/images/${file}.svg`, generate: () => drawChart(parts(), file) })),
  ];
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
  ...measuredFiles('docs/performance.md', 'bench/measured.jsonl', summarizePerformance),
  ...measuredFiles('docs/reliability.md', 'faults/measured.jsonl', summarizeReliability),
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

export function writeGeneratedFiles(): void {
  for (const file of generatedFiles) writeFileSync(new URL(file.path, root), file.generate(readGenerated(file)));
}

/** `npm run generate`, or `npm run generate -- --accept-translations [PAGE...]` */
if (import.meta.main) {
  writeGeneratedFiles();
  const [option, ...pages] = process.argv.slice(2);
  if (option === '--accept-translations') acceptTranslations(pages);
}
