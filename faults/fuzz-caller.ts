import { setTimeout as sleep } from 'node:timers/promises';
import { makeLadingDocument } from '../reference/document.ts';
import { signRequest } from '../sdk/client.ts';
import { makeAnswerCheck, type PlainDocument } from '../test/support/answer-check.ts';
import { faultAccount, faultClient, faultKey } from './child-process.ts';
import { openRawConnection, type RawAnswer, type RawConnection, type RawEnd, rawRequest } from './raw-connection.ts';
import { diagnosedAccount } from './schema-known.ts';

/** Sends any bytes to a service, and checks every response against the OpenAPI document. */
export interface FuzzCaller {
  port: number;
  /** The headers that a regular client of this path would send with this body. */
  credentialsFor(path: string, body: Uint8Array): [string, string][];
  /** Sends a body in a valid request, through both request paths in turn. null: no response, which is noted. */
  post(path: string, body: Uint8Array): Promise<RawAnswer | null>;
  /** Notes everything that is wrong with a response. `path` is null when the request was too broken to have one. */
  hold(answer: RawEnd, sent: SentRequest): RawAnswer | null;
  answers(): number;
  statuses: Map<number, number>;
  findings: string[];
  close(): void;
}

interface SentRequest {
  method: string;
  path: string | null;
  what: string;
}

const mounts = { warehouse: '/warehouse/v1', logistics: '/logistics' };
const diagnosePath = `${mounts.warehouse}/diagnose`;
const tokenPath = '/api/v1/token/getToken';
const shownMax = 300;
const busyTriesMax = 60;

/** Plain requests take the direct lane. Node parses unusual ones, and all later ones on their connection. */
type RequestPath = 'lane' | 'node';
const laneBytesMax = 12_000;
const unusual: [string, string] = ['te', 'trailers'];

export async function makeFuzzCaller(port: number, quick: boolean): Promise<FuzzCaller> {
  const caller = new CheckedCaller(port, quick);
  await caller.fetchToken();
  return caller;
}

class CheckedCaller implements FuzzCaller {
  readonly port: number;
  private readonly quick: boolean;
  readonly statuses: Map<number, number>;
  readonly findings: string[];
  private readonly document: PlainDocument;
  private readonly check: ReturnType<typeof makeAnswerCheck>;
  private readonly idle: Record<RequestPath, RawConnection[]>;
  private held: number;
  private posted: number;
  private token: string;

  constructor(port: number, quick: boolean) {
    this.port = port;
    this.quick = quick;
    this.statuses = new Map();
    this.findings = [];
    this.document = plainDocument();
    this.check = makeAnswerCheck(mounts, this.document);
    this.idle = { lane: [], node: [] };
    this.held = 0;
    this.posted = 0;
    this.token = '';
  }

  async fetchToken(): Promise<void> {
    const { clientId, checkValue } = faultClient;
    const body = Buffer.from(JSON.stringify({ ClientId: clientId, CheckValue: checkValue }));
    const answer = await this.post(tokenPath, body);
    this.token = JSON.parse(answer?.body ?? '{}').retval?.access_token;
  }

  answers(): number {
    return this.held;
  }

  close(): void {
    for (const connection of [...this.idle.lane, ...this.idle.node]) connection.end();
  }

  credentialsFor(path: string, body: Uint8Array): [string, string][] {
    const { accountNo, secret } = path === diagnosePath ? diagnosedAccount : faultAccount;
    if (path.startsWith(mounts.warehouse)) return Object.entries(signRequest({ accountNo, secret, body }));
    if (path.startsWith(mounts.logistics)) return [['authorization', faultKey.apiKey]];
    return path === tokenPath ? [] : [['authorization', `Bearer ${this.token}`]];
  }

  async post(path: string, body: Uint8Array): Promise<RawAnswer | null> {
    const what = `${path} ${Buffer.from(body.subarray(0, shownMax)).toString()}`;
    for (let tries = 1; ; tries++) {
      const end = await this.sendOnce(path, body);
      // The service may ask for a retry on a busy machine, where several faults run at a time.
      const isBusy = typeof end !== 'string' && end.status === 503 && end.headers['retry-after'] !== undefined;
      if (!isBusy || !this.quick || tries === busyTriesMax) return this.hold(end, { method: 'POST', path, what });
      await sleep(1000 * Number(end.headers['retry-after']));
    }
  }

  private async sendOnce(path: string, body: Uint8Array): Promise<RawEnd> {
    const requestPath = body.length <= laneBytesMax && this.posted++ % 2 === 0 ? 'lane' : 'node';
    const idle = this.takeIdle(requestPath);
    const end = idle ? await this.exchange(idle, requestPath, path, body) : 'closed';
    if (end !== 'closed') return end;
    // The service may close an idle connection just when a request is sent on it. A new connection must get a response.
    return await this.exchange(openRawConnection(this.port), requestPath, path, body);
  }

  private async exchange(
    connection: RawConnection,
    requestPath: RequestPath,
    path: string,
    body: Uint8Array,
  ): Promise<RawEnd> {
    const headers: [string, string][] = [['content-type', 'application/json'], ...this.credentialsFor(path, body)];
    if (requestPath === 'node') headers.push(unusual);
    // An empty body has a content length, too.
    connection.send(rawRequest('POST', path, [...headers, ['content-length', String(body.length)]], body));
    const end = await connection.answer();
    if (connection.isOpen() && typeof end !== 'string' && end.headers.connection !== 'close')
      this.idle[requestPath].push(connection);
    else connection.end();
    return end;
  }

  /** The service closes connections that have been idle for long. */
  private takeIdle(requestPath: RequestPath): RawConnection | undefined {
    for (;;) {
      const connection = this.idle[requestPath].pop();
      if (!connection || connection.isOpen()) return connection;
    }
  }

  hold(end: RawEnd, { method, path, what }: SentRequest): RawAnswer | null {
    if (typeof end === 'string') {
      this.findings.push(`${end === 'closed' ? 'closed without a response' : 'no response in time'}: ${what}`);
      return null;
    }
    this.held++;
    this.statuses.set(end.status, (this.statuses.get(end.status) ?? 0) + 1);
    if (end.status === 500) this.findings.push(`500: ${what}`);
    const route = path !== null && this.document.paths[path]?.[method.toLowerCase()] ? path : null;
    for (const mistake of this.mistakesOf({ ...end, method, path, route }))
      this.findings.push(`differs from the OpenAPI document: ${mistake}: ${end.status} to ${what}`);
    return end;
  }

  private mistakesOf(answer: Parameters<typeof this.check>[0]): string[] {
    try {
      return this.check(answer);
    } catch (error) {
      return [`the response cannot be read (${(error as Error).message})`];
    }
  }
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
