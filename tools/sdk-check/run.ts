import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, installTools, run } from '../own-tools.ts';

/** `npm run check:sdk`: other people's tools on the package of the client library, as it is served. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const packed = join(root, 'sdk/lading-client.tgz');
let failed = false;

await installTools(folder);
report('npm run sdk', await run('npm', ['run', '--silent', 'sdk'], root));
report('publint', await runTool('publint/src/cli.js', [packed, '--strict']));
// The package has ES modules only, which Node 20.19 and newer also load with `require`: the one warning that does not count.
const attw = [packed, '--no-emoji', '--ignore-rules', 'cjs-resolves-to-esm'];
report('are the types wrong', await runTool('@arethetypeswrong/cli/dist/index.js', attw));
await checkInstalled();
process.exit(failed ? 1 : 0);

/** In a folder of its own, as a partner has it. */
async function checkInstalled(): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'lading-sdk-'));
  const libraries = ['--lib', 'es2022,dom,dom.iterable'];
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  copyFileSync(join(folder, 'partner-program.mts'), join(project, 'program.mts'));
  report('npm install', await run('npm', ['install', '--no-audit', '--no-fund', packed], project));
  const compile = ['--strict', '--noEmit', '--target', 'es2022', ...modules, ...libraries, 'program.mts'];
  report('TypeScript 5.0', await runTool('typescript/bin/tsc', compile, project));
  const required =
    "new (require('@lading/client/testing').FakeService)(); new (require('@lading/client').RecentEvents)()";
  report('require', await run(process.execPath, ['--eval', required], project));
  rmSync(project, { recursive: true });
}

async function runTool(file: string, args: string[], cwd = folder): Promise<Ended> {
  return await run(process.execPath, [join(folder, 'node_modules', file), ...args], cwd, { NO_COLOR: '1' });
}

function report(name: string, { code, output }: Ended): void {
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}\n`);
  if (code === 0) return;
  failed = true;
  process.stdout.write(`${output}\n`);
}
