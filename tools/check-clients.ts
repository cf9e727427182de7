import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { allLanguagesVariable } from '../test/docs/programs.ts';
import { interpreterNames, provideInterpreter } from './install-interpreters.ts';

/** `npm run check:clients`: the clients, receivers and signing samples in all languages; a missing language is an error. */
for (const name of interpreterNames) await provideInterpreter(name);
const files = ['clients/requests', 'clients/journey', 'docs/callbacks', 'docs/signing'];
const { status } = spawnSync(
  'npm',
  ['run', '--silent', 'test:one', '--', ...files.map((name) => `test/${name}.test.ts`)],
  {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, [allLanguagesVariable]: '1' },
  },
);
process.exit(status ?? 1);
