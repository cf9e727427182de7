/** npm run bench -- outbound|stock|search|token|sdk|callbacks|purge|json [--quick] [--json] [--profile] */
import { benchCallbacks } from './callbacks.ts';
import { makeCpuProfile } from './cpu-profile.ts';
import { makeOutput } from './figures.ts';
import { benchOutbound } from './outbound.ts';
import { benchPurge } from './purge.ts';
import { benchSdk } from './sdk.ts';
import { benchSearch } from './search.ts';
import { benchStock } from './stock.ts';
import { benchToken } from './token.ts';

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const benchmarks = {
  outbound: benchOutbound,
  stock: benchStock,
  search: benchSearch,
  token: benchToken,
  sdk: benchSdk,
  callbacks: benchCallbacks,
  purge: benchPurge,
};

const strangers = [
  ...wanted.filter((name) => !(name in benchmarks) && name !== 'json'),
  ...flags.filter((flag) => !['--quick', '--json', '--profile'].includes(flag)),
];
if (wanted.length === 0 || strangers.length > 0) {
  process.stderr.write('npm run bench -- outbound|stock|search|token|sdk|callbacks|purge|json [--quick] [--json] [--profile]\n');
  process.exit(2);
}

for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (!wanted.includes(name)) continue;
  const output = makeOutput(name, flags.includes('--json'));
  const profile = flags.includes('--profile') ? makeCpuProfile() : null;
  const { correct } = await benchmark({ quick: flags.includes('--quick'), env: profile?.env ?? {} }, output);
  profile?.report(output);
  output.end();
  if (!correct) process.exitCode = 1;
}
if (wanted.includes('json')) await import('./strict-json.ts');
