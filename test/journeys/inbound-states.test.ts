import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type InboundEvent,
  type InboundStatus,
  inboundAfter,
  inboundEvents,
  inboundStatuses,
} from '../../server/domain/inbound/inbound-document.ts';
import { startTestApp } from '../support/app.ts';
import { assertBooksInOrder, owedFor, unchanged } from '../support/logistics.ts';
import {
  announce,
  announceForm,
  cancelDocuments,
  documentOf,
  type Named,
  prod,
  prodAtOnce,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  stopDocument,
  units,
} from '../support/receiving.ts';

const app = await startTestApp();
await provisionReceiving(app);

interface Kind {
  kind: 'inbound' | 'return';
  isForm: boolean;
}
const kinds: Kind[] = (['inbound', 'return'] as const).flatMap((kind) => [
  { kind, isForm: false },
  { kind, isForm: true },
]);

let documents = 0;

async function made({ kind, isForm }: Kind, caller: typeof prod): Promise<Named> {
  const number = `STATE-${++documents}`;
  if (isForm)
    return {
      form_no: await announceForm(app, number, { TEA: 5 }, { form_type: kind === 'return' ? 2 : 1 }, caller.apiKey),
    };
  return {
    inbound_short_id: await announce(
      app,
      number,
      { TEA: 5 },
      { caller, ...(kind === 'return' ? { original: 'OUT' } : {}) },
    ),
  };
}

/** Brings a new document into each state through the APIs. */
const ways: Record<InboundStatus, (kind: Kind) => Promise<Named>> = {
  expected: (kind) => made(kind, prod),
  async receiving(kind) {
    const name = await made(kind, prod);
    await receiveUnits(app, name, [units('TEA', 1)]);
    return name;
  },
  // The units arrived with the creation, because only then the document can change again.
  received: (kind) => made(kind, prodAtOnce),
  async cancelled(kind) {
    const name = await made(kind, prod);
    await cancelDocuments(app, listOf(name));
    return name;
  },
  async stopped(kind) {
    const name = await made(kind, prod);
    await stopDocument(app, name);
    return name;
  },
};

const listOf = (name: Named) =>
  'form_no' in name ? { form_nos: [name.form_no] } : { inbound_short_ids: [name.inbound_short_id] };
const numberOf = (name: Named) => ('form_no' in name ? name.form_no : name.inbound_short_id);

/** Causes each event, and returns the response. */
const calls: Record<InboundEvent, (name: Named) => Promise<unknown>> = {
  receive: (name) => answered(receiveCall(app, { ...name, details: [units('TEA', 1)] })),
  complete: (name) => answered(receiveCall(app, { ...name, details: [units('TEA', 1)], final: true })),
  stop: (name) => answered(app.callMain('/inbounds/stop', name, { as: prod })),
  cancel: (name) => answered(app.callMain('/inbounds/cancel', listOf(name), { as: prod })),
};

async function answered(call: ReturnType<typeof receiveCall>): Promise<unknown> {
  const { status, json } = await call;
  return { status, answer: json.done ? json.retval : json.msg };
}

/** The expected response, whether the event can happen or not; a repeated stop or cancel is no error. */
function expectedAnswer(name: Named, event: InboundEvent, state: InboundStatus, to: InboundStatus | null): unknown {
  const field = Object.keys(name)[0];
  if (event === 'cancel') {
    const status = to ?? (state === 'cancelled' ? 'cancelled' : 'cannot_cancel_after_receiving');
    return { status: 200, answer: { results: [{ ...name, status }] } };
  }
  if (to !== null) return { status: 200, answer: { status: to, idempotent: false } };
  if (event === 'stop') {
    return state === 'stopped'
      ? { status: 200, answer: { status: 'stopped', idempotent: true } }
      : { status: 400, answer: `${field} is ${state} already; receiving cannot be stopped` };
  }
  return { status: 400, answer: `${field} is ${state} already; nothing more can be received` };
}

const notified: InboundStatus[] = ['received', 'stopped', 'cancelled'];

for (const state of inboundStatuses) {
  for (const event of inboundEvents) {
    const to = inboundAfter(state, event);
    test(`${state}, ${event}: ${to === null ? 'nothing changes' : `leads to ${to}`}`, async () => {
      // A refusal does not depend on the kind.
      for (const kind of to === null ? kinds.slice(0, 2) : kinds) {
        const name = await ways[state](kind);
        const before = await documentOf(app, name);
        assert.equal(before.status, state);
        const owedBefore = (await owedFor(app, numberOf(name))).length;
        if (to === null) {
          assert.deepEqual(await unchanged(app, () => calls[event](name)), expectedAnswer(name, event, state, to));
          continue;
        }
        assert.deepEqual(await calls[event](name), expectedAnswer(name, event, state, to));

        const { status, timeline, updated_at } = await documentOf(app, name);
        assert.equal(status, to);
        assert.ok(updated_at > before.updated_at);
        const added = timeline
          .slice(before.timeline.length)
          .map((entry: Record<string, unknown>) => [entry.event, entry.from, entry.to, entry.by]);
        // A further portion does not change the status.
        assert.deepEqual(added, to === state ? [] : [[event, state, to, 'PROD/prod-erp']]);
        assert.deepEqual(timeline.slice(0, before.timeline.length), before.timeline);
        const owed = (await owedFor(app, numberOf(name))).slice(owedBefore).map((callback) => callback.event);
        assert.deepEqual(owed, kind.isForm && notified.includes(to) ? [`${kind.kind}.${to}`] : []);
      }
    });
  }
}

test('a document that the warehouse has received cannot be cancelled; only units that arrived with the creation are taken back', async () => {
  for (const kind of kinds) {
    const name = await made(kind, prod);
    await receiveUnits(app, name, [units('TEA', 5)]);
    assert.deepEqual(await unchanged(app, () => calls.cancel(name)), expectedAnswer(name, 'cancel', 'received', null));
  }
});

test('after all cases the books are in order', async () => {
  await assertBooksInOrder(app);
});
