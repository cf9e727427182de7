import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertInOrder, startCallbackStore } from './callback-store.ts';
import { quick } from './delivery.ts';
import { startReceiver } from './receiver.ts';

const { database, empty, startWorker, queue, untilQueueIsEmpty } = await startCallbackStore();

const triesMax = 4;
const settings = {
  ...quick,
  retryDelaysSeconds: Array(triesMax - 1).fill(0.01),
  openSeconds: 0.02,
  openMaxSeconds: 0.04,
  lookEverySeconds: 0.03,
};

/** null: the receiver hangs up. */
type Script = (number | null)[];
const status = fc.constantFrom(200, 200, 204, 301, 400, 404, 410, 429, 500, 503, null);
const script: fc.Arbitrary<Script> = fc.array(status, { minLength: triesMax, maxLength: triesMax });
const scenario = fc.record({
  receivers: fc.integer({ min: 1, max: 4 }),
  perDocument: fc.integer({ min: 1, max: 3 }),
  workers: fc.integer({ min: 1, max: 3 }),
  scripts: fc.array(script, { minLength: 1, maxLength: 30 }),
});

interface Ending {
  status: string;
  tries: Script;
}

/** What must become of a callback whose receiver answers like this. */
function modelEnding(answers: Script): Ending {
  const last = answers.findIndex((one) => one === 410 || (one !== null && one >= 200 && one <= 299));
  const tries = last === -1 ? answers : answers.slice(0, last + 1);
  return { status: last !== -1 && answers[last] !== 410 ? 'delivered' : 'failed', tries };
}

test('whatever receivers answer: every callback ends as its answers imply, after exactly those tries, in the order of its document', async () => {
  const plan = new Map<string, Script>();
  const receiver = await startReceiver(({ eventId, time }) => {
    const answer = plan.get(eventId)?.[time - 1];
    if (answer === undefined) return { status: 299 };
    if (answer === null) throw new Error('hangs up');
    return { status: answer, ...(answer === 204 ? { body: '' } : {}) };
  });

  await fc.assert(
    fc.asyncProperty(scenario, async ({ receivers, perDocument, workers, scripts }) => {
      await empty();
      plan.clear();
      receiver.received.length = 0;
      const urls = Array.from({ length: receivers }, (_, index) => `${receiver.url}/${index}`);
      const callbacks = await queue({ urls, count: scripts.length, perDocument, notify: false });
      for (const [index, { eventId }] of callbacks.entries()) plan.set(eventId, scripts[index]!);
      const started = Array.from({ length: workers }, () => startWorker({ settings }));
      await untilQueueIsEmpty();
      await Promise.all(started.map((worker) => worker.close()));

      const endings = await database.read(
        (sql) => sql<Ending[]>`
          select status, array(select http_status from callback_attempt made where made.callback_id = callback.callback_id order by attempt_no) as tries
          from callback order by callback_id`,
      );
      assert.deepEqual(
        endings.map((one) => ({ ...one })),
        scripts.map(modelEnding),
      );
      assert.equal(receiver.received.length, scripts.flatMap((one) => modelEnding(one).tries).length);
      assertInOrder(receiver);
    }),
    { numRuns: 15 },
  );
});
