import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, startTestApp } from '../support/app.ts';
import { operators, provisionOperators } from '../support/console.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';

const app = await startTestApp();
await provisionOperators(app);
const connect = await listenRaw(app);

const smallBodyBytes = 4096;
const json: [string, string] = ['content-type', 'application/json'];
const { username, password } = operators.viewer;
const token = { path: '/api/v1/token/getToken', body: { ClientId: alpha.clientId, CheckValue: alpha.checkValue } };
const signIn = { path: '/console/api/session/sign-in', body: { username, password } };
const bodies = [token, signIn, ...['current', 'sign-out'].map((name) => ({ path: `/console/api/session/${name}`, body: {} }))];

async function actions(): Promise<number> {
  const [row] = await app.store.database.read((sql) => sql`select count(*)::int from operator_action`);
  return row!.count;
}

for (const { path, body } of bodies) {
  test(`before a caller is known, a body over 4 KiB is rejected by its content length alone: ${path}`, async () => {
    const before = await actions();
    const connection = await connect();
    connection.send(rawRequest('POST', path, [json, ['content-length', String(smallBodyBytes + 1)]]));
    const answer = (await connection.answer())!;
    assert.deepEqual([answer.status, answer.json.msg ?? answer.json.error.message], [413, 'the body is larger than 4096 bytes']);
    await connection.closed;
    assert.equal(await actions(), before);
  });

  test(`before a caller is known, a chunked body is rejected as soon as it is over 4 KiB: ${path}`, async () => {
    const before = await actions();
    const connection = await connect();
    connection.send(rawRequest('POST', path, [json, ['transfer-encoding', 'chunked']]));
    connection.send('1001\r\n', Buffer.alloc(smallBodyBytes + 1, 0x20), '\r\n');
    const answer = (await connection.answer())!;
    assert.deepEqual([answer.status, answer.json.msg ?? answer.json.error.message], [413, 'the body is larger than 4096 bytes']);
    await connection.closed;
    assert.equal(await actions(), before);
  });

  test(`a body of exactly 4 KiB is read: ${path}`, async () => {
    const connection = await connect();
    connection.send(rawRequest('POST', path, [json], JSON.stringify(body).padEnd(smallBodyBytes)));
    const answer = (await connection.answer())!;
    connection.socket.destroy();
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.done === true || ['signed_in', 'signed_out'].includes(answer.json.kind), answer.text);
  });
}
