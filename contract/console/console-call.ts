import type { Static, TSchema } from 'typebox';

/** One call of the console's API: its path, request body and response. */
export interface ConsoleCall<Path extends string = string, Body extends TSchema = TSchema, Answer = unknown> {
  path: Path;
  body: Body;
  /** Never set; it carries the response type. */
  answer?: Answer;
}

export type BodyOf<Call extends ConsoleCall> = Static<Call['body']>;
export type AnswerOf<Call extends ConsoleCall> = NonNullable<Call['answer']>;

/** Only the response type is explicit, the others are inferred: `consoleCall<Answer>()('/orders/search', Body)`. */
export function consoleCall<Answer>() {
  return <Path extends string, Body extends TSchema>(path: Path, body: Body): ConsoleCall<Path, Body, Answer> => ({
    path,
    body,
  });
}

/** The response to a call that failed. */
export interface ConsoleError {
  error: {
    kind: string;
    message: string;
    trace_id: string;
    /** The invalid fields of the body. */
    mistakes?: { path: string; message: string }[];
  };
}

export const consoleBasePath = '/console/api';
/** Every call sends this header, except those that start a session. Only our own pages know its value. */
export const csrfHeader = 'x-csrf-token';
/** Sent while the operator is active. Requests that a page makes on its own do not extend the session. */
export const attendedHeader = 'x-attended';
/**
 * How far the operator has seen the database, so that no list shows less: the response has the text that the next
 * request sends. It has the form `cluster.position`; of two positions of a cluster, the later one is the greater text.
 * `now` if the page does not know it, for example because a response was lost.
 */
export const seenHeader = 'x-seen';
/** The same for all pages of the browser, and for downloads, which send no headers. */
export const seenCookie = 'lading-seen';
