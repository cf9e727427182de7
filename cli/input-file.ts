import { readFileSync } from 'node:fs';
import { exitCodes, Failure } from './command-line.ts';

/** Reads a file named on the command line; `-` means standard input. */
export function readInputBytes(file: string, called = file): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `${called} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Rejects text in other encodings, because decoding it would silently replace characters. */
export function readInputText(file: string): string {
  const bytes = readInputBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(exitCodes.wrongUsage, `${file} is not UTF-8 text`);
  }
}

/** Reads a secret, without the trailing line break. */
export function readSecretFile(file: string): string {
  const secret = readInputText(file).trim();
  if (secret === '') throw new Failure(exitCodes.wrongUsage, `${file} is empty`);
  if (/\p{Cc}/u.test(secret))
    throw new Failure(exitCodes.wrongUsage, `${file} must contain only the secret, on a single line`);
  return secret;
}
