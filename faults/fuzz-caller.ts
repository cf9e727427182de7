import { makeLadingDocument } from '../contract/document.ts';
import { signRequest } from '../sdk/client.ts';
import { makeAnswerCheck, type PlainDocument } from '../test/support/answer-check.ts';
import { faultAccount, faultClient, faultKey } from './child-process.ts';
import { openRawConnection, type RawAnswer, type RawConnection, type RawEnd, rawRequest } from './raw-connection.ts';

/** Says anything to a service, and holds every answer against the OpenAPI document. */
export interface FuzzCaller {
  port: number;
  /** The headers that an honest caller of this path would send with this body. */
  credentialsFor(path: string, body: Uint8Array): [string, string][];
  /** An honest frame around a body, by one way in and by the other in turn; null: there was no answer, which has been written down. */
  post(path: string, body: Uint8Array): Promise<RawAnswer | null>;
  /** Whatever is wrong with an answer; `path` is null where the request was too broken to have one. */
  hold(answer: RawEnd, sent: { method: string; path: string | null; what: string }): RawAnswer | null;
  answers(): number;
  statuses: Map<number, number>;
  findings: string[];
  close(): void;
}

const mounts = { warehouse: '/warehouse/v1', logistics: '/logistics' };
const tokenPath = '/api/v1/token/getToken';
const shownMax = 300;

/** What is plain takes the service's own short way; what says anything unusual is read by Node, as is all that follows on its connection. */
type WayIn = 'lane' | 'node';
const laneBytesMax = 12_000;
const unusual: [string, string] = ['te', 'trailers'];

export async function makeFuzzCaller(port: number): Promise<FuzzCaller> {
  const document = plainDocument();
  const check = makeAnswerCheck(mounts, document);
  const idle: Record<WayIn, RawConnection[]> = { lane: [], node: [] };
  const statuses = new Map<number, number>();
  const findings: string[] = [];
  let answers = 0;
  let posted = 0;
  let token = '';

  function credentialsFor(path: string, body: Uint8Array): [string, string][] {
    const { accountNo, secret } = faultAccount;
    if (path.startsWith(mounts.warehouse)) return Object.entries(signRequest({ accountNo, secret, body }));
    if (path.startsWith(mounts.logistics)) return [['authorization', faultKey.apiKey]];
    return path === tokenPath ? [] : [['authorization', `Bearer ${token}`]];
  }

  function hold(end: RawEnd, { method, path, what }: { method: string; path: string | null; what: string }): RawAnswer | null {
    if (typeof end === 'string') {
      findings.push(`${end === 'closed' ? 'closed without an answer' : 'no answer in time'}: ${what}`);
      return null;
    }
    answers++;
    statuses.set(end.status, (statuses.get(end.status) ?? 0) + 1);
    if (end.status === 500) findings.push(`500: ${what}`);
    const route = path !== null && document.paths[path]?.[method.toLowerCase()] ? path : null;
    for (const mistake of mistakesOf({ ...end, method, path, route }))
      findings.push(`unlike the document: ${mistake}: ${end.status} to ${what}`);
    return end;
  }

  function mistakesOf(answer: Parameters<typeof check>[0]): string[] {
    try {
      return check(answer);
    } catch (error) {
      return [`it cannot be read (${(error as Error).message})`];
    }
  }

  /** The service closes those that have been idle for long. */
  function takeIdle(way: WayIn): RawConnection | undefined {
    for (;;) {
      const connection = idle[way].pop();
      if (!connection || connection.isOpen()) return connection;
    }
  }

  async function post(path: string, body: Uint8Array): Promise<RawAnswer | null> {
    const way = body.length <= laneBytesMax && posted++ % 2 === 0 ? 'lane' : 'node';
    const connection = takeIdle(way) ?? openRawConnection(port);
    const headers: [string, string][] = [['content-type', 'application/json'], ...credentialsFor(path, body)];
    if (way === 'node') headers.push(unusual);
    // An empty body has its length, too.
    connection.send(rawRequest('POST', path, [...headers, ['content-length', String(body.length)]], body));
    const end = await connection.answer();
    if (connection.isOpen() && typeof end !== 'string' && end.headers.connection !== 'close') idle[way].push(connection);
    else connection.end();
    return hold(end, { method: 'POST', path, what: `${path} ${Buffer.from(body.subarray(0, shownMax)).toString()}` });
  }

  const answer = await post(tokenPath, Buffer.from(JSON.stringify({ ClientId: faultClient.clientId, CheckValue: faultClient.checkValue })));
  token = JSON.parse(answer?.body ?? '{}').retval?.access_token;
  return {
    ...{ port, credentialsFor, post, hold, statuses, findings },
    answers: () => answers,
    close() {
      for (const connection of [...idle.lane, ...idle.node]) connection.end();
    },
  };
}

function plainDocument(): PlainDocument {
  const options = {
    serverUrl: 'http://127.0.0.1:8080',
    warehouseBasePath: mounts.warehouse,
    logisticsSegment: 'logistics',
    version: '0.0.0',
  };
  return JSON.parse(JSON.stringify(makeLadingDocument(options)));
}
