import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sessionsEnd } from '../../contract/console/session.ts';
import { startTestApp } from '../support/app.ts';
import { type ConsoleUser, provisionOperators, signIn } from '../support/console.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await receive(app, { 'sku-1': [['2030-01-01', 50]] });
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/console/api/live`;

/** The events of a stream, one after the other, as a browser reads them. */
async function* eventsOf(user: ConsoleUser): AsyncGenerator<{ event: string; data: unknown }> {
  const answer = await fetch(url, { headers: { cookie: user.cookie } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream']);
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (event !== undefined) yield { event, data: JSON.parse(data!) };
    }
  }
}

test('a page hears of a new order, of stock that moved and of nothing else', async () => {
  const events = eventsOf(await signIn(app, 'viewer'));
  assert.deepEqual((await events.next()).value, { event: 'open', data: {} });
  // What has changed by the first look is not told: the page has just asked for everything. Signing in was such a change.
  let topics: string[] = [];
  for (let orders = 1; !topics.includes('orders'); orders++) {
    await order(app, `L-${orders}`, [['sku-1', 1]]);
    const { event, data } = (await events.next()).value!;
    assert.equal(event, 'change');
    topics = (data as { topics: string[] }).topics;
  }
  assert.deepEqual(
    topics.filter((topic) => topic !== 'audit'),
    ['orders', 'inbound', 'stock'].filter((topic) => topics.includes(topic)),
  );
  assert.ok(topics.includes('stock'));
  await events.return(undefined);
});

test('without a session there is nothing to hear', async () => {
  const answer = await fetch(url);
  assert.deepEqual([answer.status, ((await answer.json()) as { error: { kind: string } }).error.kind], [401, 'unauthorized']);
  const elsewhere = await fetch(url, { headers: { cookie: (await signIn(app, 'viewer')).cookie, origin: 'https://evil.example' } });
  assert.deepEqual([elsewhere.status, ((await elsewhere.json()) as { error: { kind: string } }).error.kind], [403, 'not_allowed']);
});

test('when the session ends, so does the stream', async () => {
  const user = await signIn(app, 'staff');
  const events = eventsOf(user);
  assert.equal((await events.next()).value?.event, 'open');
  await user.ask(sessionsEnd, { session_id: user.signedIn.session_id });
  const rest = await Array.fromAsync(events);
  assert.equal(rest.at(-1)?.event, 'signed-out');
});
