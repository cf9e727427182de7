import { InvalidArgumentError } from 'commander';
import type { TSchema } from 'typebox';
import { makeChecker } from '../server/platform/schema.ts';

/** Reads an option by a schema of the contract, so that a command takes what the API takes. */
export function checkedBy(schema: TSchema): (text: string) => string {
  const check = makeChecker(schema);
  return (text) => {
    const checked = check(text);
    if (checked.kind === 'mistakes') throw new InvalidArgumentError(`It ${checked.mistakes.map(({ message }) => message).join('; ')}.`);
    return text;
  };
}
