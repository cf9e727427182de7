import type { Static, TSchema } from 'typebox';

/** One call of the console's API: where, with what, and what comes back. */
export interface ConsoleCall<Path extends string = string, Body extends TSchema = TSchema, Answer = unknown> {
  path: Path;
  body: Body;
  /** Only its type is used. */
  answer?: Answer;
}

export type BodyOf<Call extends ConsoleCall> = Static<Call['body']>;
export type AnswerOf<Call extends ConsoleCall> = NonNullable<Call['answer']>;

/** The answer's type is named, the rest follows: `consoleCall<Answer>()('/orders/search', Body)`. */
export function consoleCall<Answer>() {
  return <Path extends string, Body extends TSchema>(path: Path, body: Body): ConsoleCall<Path, Body, Answer> => ({ path, body });
}

/** What every call may answer instead. */
export interface ConsoleError {
  error: {
    kind: string;
    message: string;
    trace_id: string;
    /** What in the body is wrong, and where. */
    mistakes?: { path: string; message: string }[];
  };
}

export const consoleBasePath = '/console/api';
/** Goes with every call but those that begin a session: only a page of ours can know it. */
export const csrfHeader = 'x-csrf-token';
/** Somebody is at the page: what it asks by itself does not keep a session open. */
export const attendedHeader = 'x-attended';
