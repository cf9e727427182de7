import type { AnswerOf, BodyOf, ConsoleCall } from '../../../contract/console/console-call.ts';
import { attendedHeader, consoleBasePath, csrfHeader } from '../../../contract/console/console-call.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorRole, type OperatorSession, roleSuffices } from '../../domain/operators/operator.ts';
import { isCsrfTokenOf, type Sessions } from '../../domain/operators/sessions.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import type { Database } from '../../platform/database.ts';
import { wordPath } from '../../platform/schema.ts';
import { type AnyCaller, type Contract, type Endpoint, endpoint } from '../contract.ts';
import type { Dialect, Wording } from '../dialect.ts';
import type { Incoming } from '../incoming.ts';
import { messageOf, ProblemError } from '../problem.ts';
import { refuseForeignOrigin, type SessionCookie } from './session-cookie.ts';

/** An operator who is signed in. */
export interface ConsoleCaller extends AnyCaller {
  session: OperatorSession;
}

/** One call of the console, as its file defines it. */
export interface ConsoleEndpoint {
  call: ConsoleCall;
  role: OperatorRole;
  audit: ((body: never) => AuditedAction) | null;
  outcome?: (answer: never) => string;
  handle(caller: ConsoleCaller, body: never, request: Incoming): Promise<unknown>;
}

/** What the audit log says of an action: numbers and names of things, never secrets or details of people. */
export interface AuditedAction {
  subject?: string;
  accountNo?: string;
  details?: Record<string, unknown>;
}

/** Lets types of body and answer follow from the call. */
export function consoleEndpoint<Call extends ConsoleCall>(
  call: Call,
  definition: {
    /** The least role that may. */
    role: OperatorRole;
    /** null: it only looks, and changes nothing. */
    audit: ((body: BodyOf<Call>) => AuditedAction) | null;
    /** How it went, for the audit log; the kind of the answer where it is left out. */
    outcome?(answer: AnswerOf<Call>): string;
    handle(caller: ConsoleCaller, body: BodyOf<Call>, request: Incoming): Promise<AnswerOf<Call>>;
  },
): ConsoleEndpoint {
  return { call, ...definition } as ConsoleEndpoint;
}

export function makeConsoleContract(sessions: Sessions, cookie: SessionCookie): Contract<ConsoleCaller> {
  return {
    ...consoleDialect,
    needsAddress: true,
    async authenticate(request) {
      refuseForeignOrigin(request, cookie);
      const token = cookie.read(request);
      const session = token === null ? null : await sessions.find(token, request.headers[attendedHeader] !== undefined);
      if (token === null || session === null)
        throw new ProblemError({ kind: 'unauthorized', reason: 'no open session', told: 'sign in first' });
      const csrfToken = request.headers[csrfHeader];
      if (typeof csrfToken !== 'string' || !isCsrfTokenOf(token, csrfToken)) {
        throw new ProblemError({ kind: 'not_allowed', message: `the header ${csrfHeader} is not that of the session` });
      }
      return { accountNo: null, session };
    },
  };
}

/** The endpoint as the house mounts it: with its role asked for, and its line in the audit log. */
export function guarded(database: Database, { call, role, audit, outcome, handle }: ConsoleEndpoint): Endpoint<ConsoleCaller> {
  const action = call.path.slice(1);
  return endpoint({
    path: call.path,
    body: call.body,
    admit({ session }: ConsoleCaller) {
      if (!roleSuffices(session.role, role)) {
        throw new ProblemError({ kind: 'not_allowed', message: `this needs the role ${role}; ${session.username} has ${session.role}` });
      }
    },
    async handle(caller: ConsoleCaller, body, request) {
      if (audit === null) return { body: await handle(caller, body as never, request) };
      const { subject = null, accountNo = null, details = {} } = audit(body as never);
      const { username, role: ownRole } = caller.session;
      const line = { username, role: ownRole, action, subject, accountNo, details, address: request.ip, traceId: request.id };
      const actionId = await database.transaction((tx) => beginAction(tx, line));
      const finish = (how: string) => database.transaction((tx) => finishAction(tx, actionId, how));
      try {
        const answer = await handle(caller, body as never, request);
        await finish(outcome?.(answer as never) ?? (answer as { kind?: string }).kind ?? 'done');
        return { body: answer };
      } catch (error) {
        if (error instanceof ProblemError) await finish(error.problem.kind).catch(() => {});
        throw error;
      }
    },
  });
}

/** Who did it, as it stands in the ledger and in timelines. */
export function causeOf({ session }: ConsoleCaller, request: Incoming): Cause {
  return { actor: `operator ${session.username}`, traceId: request.id };
}

export const wordConsoleProblem: Wording = (problem, traceId) => ({
  body: {
    error: {
      kind: problem.kind === 'unknown_path' ? 'not_found' : problem.kind,
      message: messageOf(problem),
      trace_id: traceId,
      ...(problem.kind === 'invalid' ? { mistakes: problem.mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) } : {}),
    },
  },
});

export const consoleDialect: Dialect = {
  name: 'console',
  prefix: consoleBasePath,
  word: wordConsoleProblem,
  headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
};
