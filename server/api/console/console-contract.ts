import {
  type AnswerOf,
  attendedHeader,
  type BodyOf,
  type ConsoleCall,
  consoleBasePath,
  csrfHeader,
  seenCookie,
  seenHeader,
} from '../../../contract/console/console-call.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorRole, type OperatorSession, roleSuffices } from '../../domain/operators/operator.ts';
import { isCsrfTokenOf, type Sessions } from '../../domain/operators/sessions.ts';
import type { Cause } from '../../domain/stock/movement.ts';
import { type AnyCaller, type Contract, type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { ContractEnvelope, FormatProblem } from '../../http/envelope.ts';
import type { Incoming } from '../../http/incoming.ts';
import { formatMistakes, messageOf, ProblemError } from '../../http/problem.ts';
import type { Database, Reader } from '../../platform/postgres/database.ts';
import type { Reads, Seen } from '../../platform/postgres/reads.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { readCookie, refuseForeignOrigin, type SessionCookie } from './cookies.ts';
import { refuseRestricted } from './own-warehouses.ts';

/** An operator who is signed in. */
export interface ConsoleCaller extends AnyCaller {
  session: OperatorSession;
  /** The position that the operator has seen. */
  seen: Seen;
  /** Reads that show at least this position. */
  reads: Reader;
}

/**
 * What an operator who is restricted to warehouses may do with a call. `any`: it is not about the documents or the stock
 * of a warehouse. `own`: it shows and changes only those of the operator's warehouses (own-warehouses.ts).
 */
type WarehouseRule = 'any' | 'own';

export interface ConsoleEndpoint {
  call: ConsoleCall;
  role: OperatorRole;
  warehouses?: WarehouseRule;
  audit: ((body: never) => AuditedAction) | null;
  isList?: true;
  isBeforeEnrolment?: true;
  outcome?: (answer: never) => string;
  handle(caller: ConsoleCaller, body: never, request: Incoming): Promise<unknown>;
}

/** The entry of an action in the audit log: numbers and names, never secrets or personal data. */
export interface AuditedAction {
  subject?: string;
  accountNo?: string;
  details?: Record<string, unknown>;
}

/** Infers the types of body and response from the call. */
export function consoleEndpoint<Call extends ConsoleCall>(
  call: Call,
  definition: {
    /** The least role that may. */
    role: OperatorRole;
    /** Default: it is refused to operators who are restricted to warehouses. */
    warehouses?: WarehouseRule;
    /** null: it only looks, and changes nothing. */
    audit: ((body: BodyOf<Call>) => AuditedAction) | null;
    /** It reads only with `caller.reads`, and changes nothing. All others work on the primary. */
    isList?: true;
    /** An operator who must set up one-time codes first may call it. */
    isBeforeEnrolment?: true;
    /** The outcome for the audit log. Default: the kind of the response. */
    outcome?(answer: AnswerOf<Call>): string;
    handle(caller: ConsoleCaller, body: BodyOf<Call>, request: Incoming): Promise<AnswerOf<Call>>;
  },
): ConsoleEndpoint {
  return { call, ...definition } as ConsoleEndpoint;
}

export function makeConsoleContract(sessions: Sessions, cookie: SessionCookie, reads: Reads): Contract<ConsoleCaller> {
  return {
    ...consoleEnvelope,
    needsAddress: true,
    async authenticate(request) {
      refuseForeignOrigin(request, cookie);
      const token = cookie.read(request);
      const session = token === null ? null : await sessions.find(token, request.headers[attendedHeader] !== undefined);
      if (token === null || session === null)
        throw new ProblemError({
          kind: 'unauthorized',
          reason: reason('no_session'),
          callerMessage: rejection('sign_in_first'),
        });
      const csrfToken = request.headers[csrfHeader];
      if (typeof csrfToken !== 'string' || !isCsrfTokenOf(token, csrfToken)) {
        throw new ProblemError({ kind: 'not_allowed', message: rejection('wrong_csrf_token', { name: csrfHeader }) });
      }
      const seen = seenBy(reads, request, session);
      return { accountNo: null, session, seen, reads: reads.for(seen) };
    },
  };
}

export function seenBy(reads: Reads, request: Incoming, { seenPosition }: OperatorSession): Seen {
  const header = request.headers[seenHeader];
  return reads.seenBy([typeof header === 'string' ? header : null, readCookie(request, seenCookie), seenPosition]);
}

/** Every response except that of a list shows something of the primary. */
export async function seenHeaders(reads: Reads, seen: Seen, isList = false): Promise<Record<string, string>> {
  if (!isList) await reads.showEverything(seen);
  const text = reads.textOf(seen);
  return text === null ? {} : { [seenHeader]: text };
}

/** Adds the role check, the entry in the audit log and the position that the response shows to an endpoint. */
export function guarded(
  { database, reads }: { database: Database; reads: Reads },
  { call, role, warehouses, audit, isList, isBeforeEnrolment, outcome, handle }: ConsoleEndpoint,
): Endpoint<ConsoleCaller> {
  const action = call.path.slice(1);
  return endpoint({
    path: call.path,
    body: call.body,
    admit({ session }: ConsoleCaller) {
      if (!isBeforeEnrolment) refuseBeforeEnrolment(session);
      if (!roleSuffices(session.role, role)) {
        throw roleMissing(role, session);
      }
      if (warehouses === undefined) refuseRestricted(session);
    },
    async handle(caller: ConsoleCaller, body, request) {
      if (audit === null) {
        const answer = await handle(caller, body as never, request);
        return { body: answer, headers: await seenHeaders(reads, caller.seen, isList) };
      }
      const { subject = null, accountNo = null, details = {} } = audit(body as never);
      const { username, role: ownRole } = caller.session;
      const line = {
        username,
        role: ownRole,
        action,
        subject,
        accountNo,
        details,
        address: request.ip,
        traceId: request.id,
      };
      const actionId = await database.transaction(noAccounts, (tx) => beginAction(tx, line));
      const finish = (how: string) => database.transaction(noAccounts, (tx) => finishAction(tx, actionId, how));
      try {
        const answer = await handle(caller, body as never, request);
        await finish(outcome?.(answer as never) ?? (answer as { kind?: string }).kind ?? 'done');
        return { body: answer, headers: await seenHeaders(reads, caller.seen, isList) };
      } catch (error) {
        if (error instanceof ProblemError) await finish(error.problem.kind).catch(() => {});
        throw error;
      }
    },
  });
}

export function refuseBeforeEnrolment({ mustEnrol }: OperatorSession): void {
  if (mustEnrol) throw new ProblemError({ kind: 'not_allowed', message: rejection('enrol_first') });
}

export function roleMissing(needed: OperatorRole, { username, role }: OperatorSession): ProblemError {
  return new ProblemError({ kind: 'not_allowed', message: rejection('role_missing', { needed, username, role }) });
}

/** The actor as the ledger and timelines record it. */
export function causeOf({ session }: ConsoleCaller, request: Incoming): Cause {
  return { actor: `operator ${session.username}`, traceId: request.id };
}

const formatConsoleProblem: FormatProblem = (problem, traceId) => ({
  message: messageOf(problem),
  body: {
    error: {
      kind: problem.kind === 'unknown_path' ? 'not_found' : problem.kind,
      message: formatMessage(messageOf(problem)),
      trace_id: traceId,
      ...(problem.kind === 'invalid' ? { mistakes: formatMistakes(problem.mistakes) } : {}),
    },
  },
});

export const consoleEnvelope: ContractEnvelope = {
  name: 'console',
  prefix: consoleBasePath,
  formatProblem: formatConsoleProblem,
};
