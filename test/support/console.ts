import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { SeenPosition } from '../../console/kit/seen-position.ts';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import type { SignedIn, sessionSignIn } from '../../contract/console/sessions.ts';
import { startTestApp, type TestApp } from './app.ts';

/** One of each role. */
export const operators = {
  admin: { username: 'boss', password: 'correct horse battery', role: 'admin' },
  staff: { username: 'packer', password: 'staple the packing list', role: 'staff' },
  viewer: { username: 'viewer', password: 'only looks at things', role: 'read-only' },
} as const;
export type TestOperator = keyof typeof operators;

export interface ConsoleAnswer<Answer> {
  status: number;
  headers: Record<string, unknown>;
  json: Answer & { error?: { kind: string; message: string; mistakes?: { path: string; message: string }[] } };
}

/** Somebody at the console. */
export interface ConsoleUser {
  signedIn: SignedIn;
  cookie: string;
  /** The position of the database log that a page of this user has seen. */
  seen: SeenPosition;
  /** Sends a call like a page; the response must be 200. */
  ask<Call extends ConsoleCall>(call: Call, body: BodyOf<Call>): Promise<AnswerOf<Call>>;
  /** The same, whatever is answered. */
  send(
    path: string,
    body: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<ConsoleAnswer<Record<string, unknown>>>;
}

export async function provisionOperators(app: Pick<TestApp, 'provision' | 'store'>): Promise<void> {
  await app.provision({ operators: Object.values(operators).map((operator) => ({ ...operator })) });
  await app.store.database.transaction(async (tx) => {
    for (const { username, password } of Object.values(operators)) {
      await tx`
        update secret set password_hash = ${cheapHash(password)} where kind = 'operator_password' and owner = ${username}`;
    }
  });
}

/** A hash with the lowest cost. A password is verified with the cost in its hash, so this makes sign-ins cheap. */
function cheapHash(password: string): string {
  const nonce = Buffer.alloc(16);
  const hash = argon2Sync('argon2id', {
    message: password,
    nonce,
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}`;
}

/** The whole app, with an operator of each role who is signed in. */
export async function startConsole() {
  const app = await startTestApp();
  await provisionOperators(app);
  const [admin, staff, viewer] = [await signIn(app, 'admin'), await signIn(app, 'staff'), await signIn(app, 'viewer')];
  return { app, database: app.store.database, service: app.store.service, admin, staff, viewer };
}

/** Signs in over `app.inject`; the operators must exist. */
export async function signIn(app: Pick<TestApp, 'http'>, who: TestOperator): Promise<ConsoleUser> {
  const { username, password } = operators[who];
  const answer = await app.http.inject({
    method: 'POST',
    url: '/console/api/session/sign-in',
    payload: { username, password },
  });
  const signedIn = answer.json<AnswerOf<typeof sessionSignIn>>();
  assert.equal(signedIn.kind, 'signed_in', answer.payload);
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  const { csrf_token } = signedIn as SignedIn;

  const seen = makeSeen(answer.headers['x-seen']);

  async function send(path: string, body: unknown, headers: Record<string, string | undefined> = {}) {
    const sentSeen = seen.send();
    const all = {
      'x-seen': sentSeen.text || undefined,
      'content-type': 'application/json',
      cookie,
      'x-csrf-token': csrf_token,
      ...headers,
    };
    const given = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const sent = await app.http.inject({
      method: 'POST',
      url: `/console/api${path}`,
      headers: given,
      payload: JSON.stringify(body),
    });
    if (sent.statusCode === 200) seen.receive((sent.headers['x-seen'] as string | undefined) ?? null, sentSeen);
    else seen.doubt();
    // The response of an export is the file.
    const isJson = /^application\/json\b/.test(String(sent.headers['content-type']));
    return { status: sent.statusCode, headers: sent.headers, json: isJson ? sent.json() : {} };
  }

  return {
    signedIn: signedIn as SignedIn,
    cookie,
    seen,
    send,
    async ask(call, body) {
      const { status, json } = await send(call.path, body);
      assert.equal(status, 200, JSON.stringify(json));
      return json as never;
    },
  };
}

/** The state of a new browser after the sign-in. */
function makeSeen(text: unknown): SeenPosition {
  const seen = new SeenPosition({ read: () => '', write() {} });
  if (typeof text === 'string') seen.show(text);
  return seen;
}

interface AuditEntry {
  username: string;
  subject: string | null;
  details: Record<string, unknown>;
  outcome: string | null;
}

/** The audit log entries of an action, the oldest first. */
export async function actionsOf({ store }: Pick<TestApp, 'store'>, action: string): Promise<AuditEntry[]> {
  const rows = await store.database.read(
    (sql) => sql<AuditEntry[]>`
      select username, subject, details, outcome from operator_action where action = ${action} order by operator_action_id`,
  );
  return rows.map((row) => ({ ...row }));
}

interface Page<Row> {
  rows: Row[];
  next_cursor: string | null;
}
type RowOf<Call extends ConsoleCall> = AnswerOf<Call> extends { rows: (infer Row)[] } ? Row : never;

/** The rows of all pages of a search. */
export async function allRows<Call extends ConsoleCall>(user: ConsoleUser, call: Call, body: BodyOf<Call>) {
  const rows: RowOf<Call>[] = [];
  let cursor: string | null = null;
  do {
    const given = { ...(body as object), ...(cursor === null ? {} : { cursor }) };
    const page = (await user.ask(call, given as BodyOf<Call>)) as unknown as Page<RowOf<Call>>;
    rows.push(...page.rows);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

/** The fields of all forms of a row. */
type FieldOf<Row> = Row extends unknown ? Extract<keyof Row, string> : never;
type ValueOf<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : undefined) : never;

/** One field of each row. */
export function column<Row extends object, Name extends FieldOf<Row>>(rows: readonly Row[], name: Name) {
  return rows.map((row) => (row as Record<string, unknown>)[name] as ValueOf<Row, Name>);
}

/** The named fields of each row, in this order. */
export function columns<Row extends object>(rows: readonly Row[], ...names: FieldOf<Row>[]): unknown[][] {
  return rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name]));
}

/**
 * Lines of calls that named a document and were refused, each a microsecond after the one before, with its number as
 * the reason.
 */
export async function logRefusedCalls(
  app: Pick<TestApp, 'requestLog' | 'store'>,
  {
    endpoint,
    accountNo,
    number,
    from,
    to,
  }: { endpoint: string; accountNo: string; number: string; from: number; to: number },
): Promise<void> {
  await app.requestLog.flush();
  await app.store.database.read(
    (sql) => sql`
      insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, reason)
      select max(at) + n * interval '1 microsecond', gen_random_uuid(), 'test', 'POST', ${endpoint}, 400, 1, ${accountNo}, ${number}, n
      from request_log, generate_series(${from}::int, ${to}::int) n group by n`,
  );
}
