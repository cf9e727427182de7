import { InvalidArgumentError } from 'commander';
import type { TSchema } from 'typebox';
import { formatMessage } from '../messages/format-message.ts';
import { makeChecker } from '../server/platform/json/schema.ts';

/** Validates an option with a schema of the contract, so that a command accepts the same values as the API. */
export function checkedBy(schema: TSchema): (text: string) => string {
  const check = makeChecker(schema);
  return (text) => {
    const checked = check(text);
    if (checked.kind === 'mistakes')
      throw new InvalidArgumentError(`It ${checked.mistakes.map(({ message }) => formatMessage(message)).join('; ')}.`);
    return text;
  };
}
