import { publicCodeOf } from '../../contract/errors/codes.ts';
import { docUrlOf, type ErrorItem } from '../../contract/errors/lists.ts';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message, Param } from '../../messages/message.ts';
import { formatPath, type Mistake } from '../platform/json/schema.ts';

/** The parts of a body that can hold a list. */
export type Holder = 'body' | 'data' | 'retval';

/** Where the envelope of a contract has its lists. */
export interface ListHolders {
  errors: Holder;
  warnings: Holder;
}

type Json = Record<string, unknown>;

/** Returns the body with the list added; a list that it already has is continued. */
export function withList(body: unknown, holder: Holder, name: keyof ListHolders, items: object[]): object {
  if (holder !== 'body') return { ...(body as Json), [holder]: withList((body as Json)[holder], 'body', name, items) };
  const { [name]: listed = [], ...others } = (body ?? {}) as Json;
  return { ...others, [name]: [...(listed as object[]), ...items] };
}

/** Formats mistakes for programs: with the code, and with a link to the part of the error guide about it. */
export function formatErrors(mistakes: Mistake[], docsUrl: string): ErrorItem[] {
  return mistakes.map(({ path, message }) => {
    const code = publicCodeOf(message);
    return { code, path: formatPath(path), message: formatMessage(message), doc_url: docUrlOf(code, docsUrl) };
  });
}

/** Takes a message apart: one mistake for each problem that it names, with the field if the message says which. */
export function mistakesIn(message: Message): Mistake[] {
  const { field, problem, problems } = message.params ?? {};
  switch (message.code) {
    case 'at_field':
      return [{ path: [String(field)], message: problem as Message }];
    case 'at_body':
      return [{ path: [], message: problem as Message }];
    case 'several':
    case 'and_more':
      return [problems as Param].flat().flatMap((one) => mistakesIn(one as Message));
    default:
      return [{ path: [], message }];
  }
}
