import { codesOfMessages } from '../../contract/errors/codes.ts';
import { docUrlOf, type ErrorItem } from '../../contract/errors/lists.ts';
import { errorsNamedIn } from '../error-catalogue.ts';
import type { ExampleReference, ResponseReference } from '../reference.ts';
import type { ContractName } from './catalogued-message.ts';

interface ExampleBody {
  success?: boolean;
  done?: boolean;
  message?: string;
  msg?: string;
  data?: object;
  retval?: object | null;
}

/**
 * Adds the list of errors to the examples of a response: the codes are looked up in the error catalogue by the messages.
 * Examples of successes stay as they are.
 */
export function listErrors(contract: ContractName, answer: ResponseReference): ResponseReference {
  const examples = Object.entries(answer.examples).map(([name, example]) => {
    const body = example.value as ExampleBody;
    if (body.success === true || body.done === true) return [name, example] as const;
    return [
      name,
      { ...example, value: placeErrors(contract, body, errorsOf(contract, answer.status, example)) },
    ] as const;
  });
  return { ...answer, examples: Object.fromEntries(examples) };
}

/** The same for several responses that are published under their names. */
export function listErrorsOfAll<Name extends string>(
  contract: ContractName,
  answers: Record<Name, ResponseReference>,
): Record<Name, ResponseReference> {
  const listed = Object.entries<ResponseReference>(answers).map(([name, answer]) => [
    name,
    listErrors(contract, answer),
  ]);
  return Object.fromEntries(listed);
}

export function placeErrors(contract: ContractName, body: ExampleBody, errors: ErrorItem[]): object {
  if (contract === 'warehouse') return { ...body, data: { ...body.data, errors } };
  return contract === 'logistics' ? { ...body, retval: { errors } } : { ...body, errors };
}

/** The errors that the example lists, or else those that its message names. */
function errorsOf(contract: ContractName, status: number, { value, errors }: ExampleReference): ErrorItem[] {
  const { message, msg } = value as ExampleBody;
  const named = namedIn(contract, status, message ?? msg ?? '');
  const listed: NonNullable<ExampleReference['errors']> = errors ?? named;
  return listed.map(({ path, message: own }, index) => {
    const text = own ?? named[index]!.message;
    const code = codesOfMessages[namedIn(contract, status, text)[0]!.entry.error];
    return { code, path, message: text, doc_url: docUrlOf(code) };
  });
}

function namedIn(contract: ContractName, status: number, message: string) {
  const named = errorsNamedIn(contract, status, message);
  if (named === null) throw new Error(`the error catalogue does not explain: ${message}`);
  return named;
}
