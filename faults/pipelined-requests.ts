import { setTimeout as sleep } from 'node:timers/promises';
import type { FuzzCaller } from './fuzz-caller.ts';
import { endpointOf } from './hostile-bodies.ts';
import type { Random } from './random.ts';
import { openRawConnection, type RawConnection, rawRequest } from './raw-connection.ts';

const rubbish = 'rubbish\r\n\r\n';
const rubbishName = 'rubbish at the end of a pipeline';
const { path } = endpointOf('stockQuery');

/**
 * Sends a stock query for each sku on one connection without waiting for responses, then rubbish, then one more query.
 * The responses must come in the order of the requests; rubbish is rejected, and nothing after it is read.
 */
export async function sendPipeline(
  skuIds: string[],
  { caller, random, find }: { caller: FuzzCaller; random: Random; find(what: string): void },
): Promise<void> {
  const requests = skuIds.map((skuId) => stockQuery(skuId, caller));
  const connection = openRawConnection(caller.port);
  const bytes = Buffer.concat([...requests, Buffer.from(rubbish), requests[0]!]);
  for (const piece of piecesOf(bytes, random)) {
    connection.send(piece);
    if (random.oneIn(3)) await sleep(1);
  }
  for (const skuId of skuIds) {
    const what = `in a pipeline: ${skuId}`;
    const answer = caller.hold(await connection.answer(), { method: 'POST', path, what });
    if (answer && !answer.body.includes(`"${skuId}"`))
      find(`responses came out of order: ${answer.body} to a query for ${skuId}`);
  }
  await checkEnd(connection, caller, find);
  connection.end();
}

async function checkEnd(connection: RawConnection, caller: FuzzCaller, find: (what: string) => void): Promise<void> {
  const last = caller.hold(await connection.answer(), { method: 'POST', path: null, what: rubbishName });
  if (last && last.status !== 400) find(`${rubbishName} got the response ${last.status}`);
  const next = await connection.answer();
  if (next === 'silent') find(`the connection stays open after ${rubbishName}`);
  else if (next !== 'closed') find(`a request after ${rubbishName} got the response ${next.status}`);
}

function stockQuery(skuId: string, caller: FuzzCaller): Buffer {
  const bytes = Buffer.from(JSON.stringify({ sku_ids: [skuId] }));
  return rawRequest('POST', path, [['content-type', 'application/json'], ...caller.credentialsFor(path, bytes)], bytes);
}

function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.oneIn(2) ? bytes.length : random.upTo(1500);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
