import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLadingDocument } from '../../reference/document.ts';
import { version } from '../../server/version.ts';
import { type Ended, installTools } from '../own-tools.ts';
import { checkJourneys } from './journeys.ts';
import { folder, runTool, type Tool } from './tools.ts';

/** npm run check:openapi [-- lint | generate | prism ...]: other people's tools on our OpenAPI document. */
const parts = { lint, generate, prism: checkJourneys };
type Part = keyof typeof parts;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`usage: npm run check:openapi [-- ${Object.keys(parts).join(' | ')} ...]\n`);
  process.exit(2);
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: [],
};

await installTools(folder);
const output = mkdtempSync(join(tmpdir(), 'lading-openapi-'));
const documentFile = join(output, 'openapi.json');
const mounts = { warehouseBasePath: '/warehouse/v1', logisticsSegment: 'logistics' };
writeFileSync(
  documentFile,
  JSON.stringify(makeLadingDocument({ serverUrl: 'http://127.0.0.1:8080', ...mounts, version }), null, 2),
);
const problems: string[] = [];
for (const name of asked.length > 0 ? (asked as Part[]) : (Object.keys(parts) as Part[])) await parts[name](report);
if (problems.length === 0) rmSync(output, { recursive: true, force: true });
else
  process.stdout.write(
    `${problems.length} failed: ${problems.join(', ')}. The document and the output are in ${output}\n`,
  );
process.exit(problems.length === 0 ? 0 : 1);

function report(what: string, found: string | null, figures = ''): void {
  process.stdout.write(`${found === null ? 'ok    ' : 'FAILED'} ${what}${figures === '' ? '' : `: ${figures}`}\n`);
  if (found === null) return;
  problems.push(what);
  process.stdout.write(`${found}\n`);
}

/** Warnings count as errors, also those that do not change the exit code. */
function complaintOf({ code, output: said }: Ended): string | null {
  return code === 0 && !/\bwarn(ing)?s?\b/i.test(said) ? null : said;
}

async function lint(): Promise<void> {
  const spectral = ['lint', documentFile, '--ruleset', join(folder, 'spectral.yaml'), '--fail-severity', 'hint'];
  report('Spectral, spectral:oas', complaintOf(await runTool('spectral', spectral, output)));
  const redocly = ['lint', documentFile, '--config', join(folder, 'redocly.yaml')];
  report('Redocly, recommended-strict', complaintOf(await runTool('redocly', redocly, output)));
}

async function generate(): Promise<void> {
  const clients: [Tool, string[]][] = [
    ['openapi-typescript', [documentFile, '--output', 'openapi-typescript/types.ts']],
    ['hey-api', ['--input', documentFile, '--output', 'hey-api']],
    ['orval', ['--input', documentFile, '--output', 'orval/client.ts', '--client', 'fetch']],
  ];
  for (const [tool, args] of clients) report(tool, complaintOf(await runTool(tool, args, output)));
  copyFileSync(join(folder, 'generated-calls.ts'), join(output, 'generated-calls.ts'));
  writeFileSync(join(output, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  report('tsc --strict on the generated clients', complaintOf(await runTool('tsc', ['--project', output], output)));
}
