import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultOf, makeHostileCommands } from '../../faults/hostile-commands.ts';
import { makeRandom } from '../../faults/random.ts';
import { startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const here = makeRunHere({ ...settingsFor(app.store), PUBLIC_URL: 'http://127.0.0.1:9' });
const folder = mkdtempSync(join(tmpdir(), 'lading-hostile-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run faults -- commands` has more runs. */
const { LADING_PROPERTY_RUNS: wantedRuns, LADING_PROPERTY_SEED: wantedSeed } = process.env;
const seed = Number(wantedSeed ?? Math.floor(Math.random() * 1_000_000_000));
const runs = Number(wantedRuns ?? 40);
const hostile = await makeHostileCommands(makeRandom(seed), seed, folder);

async function changesSoFar(): Promise<unknown> {
  const [row] = await app.store.database.read(
    (sql) =>
      sql`select (select count(*) from partner_change) as changes, (select max(secret_id) from secret) as newest_secret`,
  );
  return row;
}

test('a provisioning file that is nearly right is applied in full or refused with its mistakes, and never fails in another way', async () => {
  for (let run = 0; run < runs; run++) {
    const args = hostile.apply();
    const before = await changesSoFar();
    const result = await here.run(args);
    const finding = faultOf(args, result);
    if (finding !== null) assert.fail(`${finding}\nLADING_PROPERTY_SEED=${seed}, run ${run}`);
    if (result.code !== 0)
      assert.deepEqual(await changesSoFar(), before, `a refused file has changed something; seed ${seed}, run ${run}`);
  }
});

test('a command with any arguments ends with a result or with the mistakes in them', async () => {
  for (let run = 0; run < runs; run++) {
    const args = hostile.command();
    const finding = faultOf(args, await here.run(args));
    if (finding !== null)
      assert.fail(
        `lading ${JSON.stringify(args).slice(0, 1000)}: ${finding}\nLADING_PROPERTY_SEED=${seed}, run ${run}`,
      );
  }
});
