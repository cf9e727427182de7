import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { handoverIssue } from '../../contract/console/onboarding.ts';
import { startConsole } from '../support/console.ts';
import { startSecondNode } from '../support/second-node.ts';
import { eachRound, listOf, roundsOf } from './races.ts';

const { app, admin } = await startConsole();
const second = await startSecondNode(app);

test('of several who open a link at the same moment on two nodes, exactly one sees the secrets', async () => {
  await eachRound(roundsOf({ usual: 10, full: 200 }), async () => {
    const issued = await admin.ask(handoverIssue, {
      request_id: randomUUID(),
      account_no: 'ALPHA',
      secrets: [{ kind: 'account_secret', owner: 'ALPHA' }],
      overlap_s: 0,
      hours: 1,
      language: 'en',
    });
    assert.ok(issued.kind === 'issued');
    const payload = `token=${new URL(issued.link.url!).hash.slice(1)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = await Promise.all(
      listOf(6, (index) =>
        [app, second][index % 2]!.http.inject({ method: 'POST', url: '/handover', headers, payload }),
      ),
    );
    const seen = answers.filter(({ payload: page }) => page.includes('<code>las_'));
    assert.deepEqual([seen.length, seen[0]?.statusCode], [1, 200]);
    const others = answers.filter((answer) => answer !== seen[0]);
    for (const other of others) assert.match(other.payload, /It was opened before/);
  });
});
