import assert from 'node:assert/strict';
import type { AnswerOf, BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import type { SignedIn, sessionSignIn } from '../../contract/console/session.ts';
import type { TestApp } from './app.ts';

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
  /** What a page would send; the answer must be 200. */
  ask<Call extends ConsoleCall>(call: Call, body: BodyOf<Call>): Promise<AnswerOf<Call>>;
  /** The same, whatever is answered. */
  send(path: string, body: unknown, headers?: Record<string, string | undefined>): Promise<ConsoleAnswer<Record<string, unknown>>>;
}

export async function provisionOperators(app: Pick<TestApp, 'provision'>): Promise<void> {
  await app.provision({ operators: Object.values(operators).map((operator) => ({ ...operator })) });
}

/** Over `app.inject`; the operators must be there. */
export async function signIn(app: Pick<TestApp, 'http'>, who: TestOperator): Promise<ConsoleUser> {
  const { username, password } = operators[who];
  const answer = await app.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload: { username, password } });
  const signedIn = answer.json<AnswerOf<typeof sessionSignIn>>();
  assert.equal(signedIn.kind, 'signed_in', answer.payload);
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  const { csrf_token } = signedIn as SignedIn;

  async function send(path: string, body: unknown, headers: Record<string, string | undefined> = {}) {
    const all = { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf_token, ...headers };
    const given = Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const sent = await app.http.inject({ method: 'POST', url: `/console/api${path}`, headers: given, payload: JSON.stringify(body) });
    return { status: sent.statusCode, headers: sent.headers, json: sent.json() };
  }

  return {
    signedIn: signedIn as SignedIn,
    cookie,
    send,
    async ask(call, body) {
      const { status, json } = await send(call.path, body);
      assert.equal(status, 200, JSON.stringify(json));
      return json as never;
    },
  };
}

/** Lines of calls that named a document and were refused, each a microsecond after the one before, with its number as the reason. */
export async function logRefusedCalls(
  app: Pick<TestApp, 'requestLog' | 'store'>,
  { endpoint, accountNo, number, from, to }: { endpoint: string; accountNo: string; number: string; from: number; to: number },
): Promise<void> {
  await app.requestLog.flush();
  await app.store.database.read(
    (sql) => sql`
      insert into request_log (at, trace_id, contract, method, endpoint, status, duration_us, account_no, document_no, reason)
      select max(at) + n * interval '1 microsecond', gen_random_uuid(), 'test', 'POST', ${endpoint}, 400, 1, ${accountNo}, ${number}, n
      from request_log, generate_series(${from}::int, ${to}::int) n group by n`,
  );
}
