import { readFileSync } from 'node:fs';
import { exitCodes, Failure } from './command-line.ts';

/** The bytes of a file that was named on the command line; `-` is standard input. */
export function readInputBytes(file: string, called = file): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `${called} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Text in another encoding is refused, because decoding it would replace its characters silently. */
export function readInputText(file: string): string {
  const bytes = readInputBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(exitCodes.wrongUsage, `${file} is not UTF-8 text`);
  }
}

/** One secret, without the line break at its end. */
export function readSecretFile(file: string): string {
  const secret = readInputText(file).trim();
  if (secret === '') throw new Failure(exitCodes.wrongUsage, `${file} is empty`);
  if (/\p{Cc}/u.test(secret)) throw new Failure(exitCodes.wrongUsage, `${file} must hold the secret on a single line, and nothing else`);
  return secret;
}
