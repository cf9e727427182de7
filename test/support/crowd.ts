import assert from 'node:assert/strict';
import { alpha, signedHeaders, type TestApp } from './app.ts';
import { listenRaw, type RawAnswer, type RawConnection, rawRequest } from './raw-http.ts';
import type { Caller } from './warehouse.ts';

/** One request of the warehouse API. */
export interface CrowdRequest {
  path: string;
  body: object;
  caller?: Caller;
}

/** A node that listens on a port. */
export interface Door {
  app: TestApp;
  connect(): Promise<RawConnection>;
}

/** Callers, each with its own TCP connection. */
export interface Crowd {
  /**
   * Sends all requests at once, each on its own connection, and returns the answers in the order of the requests.
   * Asserts that every answer follows the contract: accepted, duplicate, or refused.
   */
  call(requests: CrowdRequest[]): Promise<RawAnswer[]>;
}

export async function openDoor(app: TestApp): Promise<Door> {
  return { app, connect: await listenRaw(app) };
}

/** Callers that take turns at the doors. */
export function gatherCrowd(doors: Door[], size: number): Crowd {
  const connections: RawConnection[] = [];
  const doorOf = (index: number) => doors[index % doors.length]!;

  /** Opens a connection again if its node has closed it because it was idle. */
  async function connect(index: number): Promise<RawConnection> {
    if (connections[index]?.socket.readyState !== 'open') connections[index] = await doorOf(index).connect();
    return connections[index]!;
  }

  return {
    async call(requests) {
      assert.ok(requests.length <= size, `${requests.length} requests, ${size} callers`);
      const bytes = requests.map((request, index) => bytesOf(request, doorOf(index).app));
      const callers = await Promise.all(requests.map((_, index) => connect(index)));
      for (const [index, caller] of callers.entries()) caller.send(bytes[index]!);
      return (await Promise.all(callers.map((caller) => caller.answer()))).map(assertOfContract);
    },
  };
}

function bytesOf({ path, body, caller = alpha }: CrowdRequest, { clock, config }: TestApp): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = Object.entries({ 'content-type': 'application/json', ...signedHeaders(bytes, clock, caller) });
  return rawRequest('POST', `${config.warehouseBasePath}${path}`, headers, bytes);
}

const answersOfContract = ['200 LST-TPW-2000', '400 LST-TPW-2001', '400 PARAM_INVALID'];

function assertOfContract(answer: RawAnswer | null): RawAnswer {
  assert.ok(answer, 'the connection was closed before the answer');
  assert.ok(answersOfContract.includes(`${answer.status} ${answer.json.code}`), answer.text);
  return answer;
}
