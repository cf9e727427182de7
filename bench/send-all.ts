import { openConnection } from './connection.ts';

const sentAtOnce = 32;

/** Sends requests that prepare a measurement over several connections, as fast as possible; all must succeed. */
export async function sendAll(port: number, requests: Buffer[]): Promise<void> {
  let next = 0;
  async function send(): Promise<void> {
    const connection = await openConnection(port);
    while (next < requests.length) {
      const { status, body } = await connection.ask(requests[next++]!);
      if (status !== 200)
        throw new Error(`what is needed could not be made: ${status} ${body.toString().slice(0, 300)}`);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: sentAtOnce }, send));
}
