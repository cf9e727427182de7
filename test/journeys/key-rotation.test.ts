import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateTokenKey } from '../../server/domain/partners/rotate-token-key.ts';
import { alpha, beta, startTestApp, type TestApp } from '../support/app.ts';
import { startSecondNode } from '../support/second-node.ts';

const first = await startTestApp({ env: { TOKEN_TTL_S: '86400' } });
const second = await startSecondNode(first);

const rotations = 3;
const stepSeconds = 150;
const stepMs = 20;

const tokens: string[] = [];
const refusals: string[] = [];
let calls = 0;

/** Any token so far, old or new. */
function someToken(): string | undefined {
  return tokens[Math.floor(Math.random() * tokens.length)];
}

function tokensOf(kid: string): string[] {
  return tokens.filter((token) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid === kid);
}

async function issue(node: TestApp, { clientId, checkValue }: typeof alpha): Promise<void> {
  const payload = { ClientId: clientId, CheckValue: checkValue };
  const { statusCode, payload: text } = await node.http.inject({
    method: 'POST',
    url: '/api/v1/token/getToken',
    payload,
  });
  const { done, retval } = JSON.parse(text);
  if (statusCode !== 200 || !done) return void refusals.push(`getToken: ${statusCode} ${text}`);
  tokens.push(retval.access_token);
}

async function call(node: TestApp, token: string): Promise<void> {
  const { status, text } = await node.callMain('/getOrdersData/searchList', { page_size: 1 }, { token });
  calls++;
  if (status !== 200) refusals.push(`call: ${status} ${text}`);
}

test('while the token keys rotate, two nodes accept every token and every client', async () => {
  first.clock.set(new Date());
  let isOver = false;
  const goOn = async (work: () => Promise<void>) => {
    while (!isOver) await work();
  };
  const crowd = [first, second].flatMap((node, index) => [
    goOn(() => issue(node, index === 0 ? alpha : beta)),
    goOn(() => (tokens.length > 0 ? call(node, someToken()!) : sleep(5))),
    goOn(() => (tokens.length > 0 ? call(node, tokens.at(-1)!) : sleep(5))),
  ]);

  const moveOn = async () => {
    first.clock.set(new Date(first.clock.now().getTime() + stepSeconds * 1000));
    await sleep(stepMs);
  };
  const kids: string[] = [];
  for (let rotation = 0; rotation < rotations; rotation++) {
    const { kid, signsFrom } = await rotateTokenKey(first.store.service, first.store.keyring, first.clock, {
      actor: 'test',
    });
    kids.push(kid);
    while (first.clock.now() < signsFrom) await moveOn();
    const callsUntil = calls + 20;
    while (refusals.length === 0 && (tokensOf(kid).length < 4 || calls < callsUntil)) await sleep(5);
  }
  isOver = true;
  await Promise.all(crowd);

  assert.deepEqual(refusals, []);
  for (const kid of kids) assert.ok(tokensOf(kid).length >= 4, 'each key has signed');
});
