import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { LogisticsClient, MainClient, RefusedError, WarehouseClient } from '../../sdk/client.ts';
import { alpha, type TestApp } from './app.ts';

/** What a partner with our SDK calls with. */
export interface Clients {
  warehouse: WarehouseClient;
  main: MainClient;
  logistics: LogisticsClient;
}

export type Credentials = Pick<typeof alpha, 'accountNo' | 'secret' | 'clientId' | 'checkValue' | 'apiKey'>;

/** Clients of an account, over a real socket. They sign with the time of the machine, so that the clock of the app must not stand. */
export async function clientsOf(app: TestApp, { accountNo, secret, clientId, checkValue, apiKey }: Credentials = alpha): Promise<Clients> {
  // What a retry would mend is a finding in a test.
  const to = { url: await addressOf(app), retriesMax: 0 };
  return {
    warehouse: new WarehouseClient({ ...to, accountNo, secret, basePath: app.config.warehouseBasePath }),
    main: new MainClient({ ...to, clientId, checkValue }),
    logistics: new LogisticsClient({ ...to, apiKey, segment: app.config.logisticsSegment }),
  };
}

/** Where the app listens, from now on. */
export async function addressOf({ http }: TestApp): Promise<string> {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

/** A call that must be refused; why. */
export async function refusalOf(call: Promise<unknown>): Promise<{ status: number | null; code: string | null; message: string }> {
  const error = await call.then(
    (answer) => assert.fail(`not refused: ${JSON.stringify(answer)}`),
    (thrown) => thrown,
  );
  if (!(error instanceof RefusedError)) throw error;
  const { status, code, reason, trace_id, message } = error;
  assert.equal(message, `${reason} (trace_id ${trace_id})`);
  return { status, code, message: reason };
}
