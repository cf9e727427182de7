import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prismLogVariable, prismVariable } from '../../test/support/validating-proxy.ts';
import { run } from '../own-tools.ts';
import { fileOf, root } from './tools.ts';

type Report = (what: string, found: string | null, figures?: string) => void;

/** Every test that calls a service through the SDK. */
function filesThroughProxy(): string[] {
  const callsThroughProxy = /\b(clientsOf|throughProxy)\(/;
  const files = globSync(['test/{journeys,sdk}/*.test.ts', 'tools/openapi-check/*.test.ts'], { cwd: root });
  return files.filter((file) => callsThroughProxy.test(readFileSync(join(root, file), 'utf8'))).toSorted();
}

/**
 * Runs the tests that call the service through the SDK with Prism in between, which checks every request and every
 * response. A violation becomes an error response, so that its test fails, too.
 */
export async function checkJourneys(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-prism-log-'));
  const log = join(folder, 'log');
  const files = filesThroughProxy();
  const args = ['--test', '--test-global-setup=test/support/global-setup.ts', '--test-reporter=spec', ...files];
  const env = { [prismVariable]: fileOf('prism'), [prismLogVariable]: log };
  const { code, output } = await run(process.execPath, args, root, env);
  const { requests, operations, violations } = readLog(readFileSync(log, 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  const figures = `${requests} requests of ${operations} operations in ${files.length} files, ${violations.length} violations`;
  const failed = code === 0 ? [] : [output.slice(output.indexOf('failing tests'))];
  const nothing = requests === 0 ? ['no request went through Prism'] : [];
  const found = [...violations, ...failed, ...nothing].join('\n');
  report('Prism in front of the SDK journeys', found === '' ? null : found, figures);
}

function readLog(log: string): { requests: number; operations: number; violations: string[] } {
  const lines = log.split('\n');
  const requests = lines.flatMap((line) => /\[HTTP SERVER\] (\w+ \S+) .*Request received/.exec(line)?.[1] ?? []);
  return {
    requests: requests.length,
    operations: new Set(requests).size,
    violations: lines.filter((line) => /violation|terminated with error|\[VALIDATOR\].*(error|warn)/i.test(line)),
  };
}
