import { InvalidArgumentError, Option } from 'commander';
import { partnerNumbers } from '../server/domain/partners/provisioning.ts';

const listedMax = 10_000;

/** The maximum number of rows of a list. */
export function limitOption(usual: number, most = listedMax): Option {
  return new Option('--limit <count>', `maximum number of rows, up to ${most}`)
    .argParser((text) => count(text, 1, most))
    .default(usual, String(usual));
}

export function warehouseNumber(text: string): number {
  return count(text, ...partnerNumbers.placeNo);
}

/** Parses an option that is one of the numbers of partners. */
export function partnerNumber(name: keyof typeof partnerNumbers): (text: string) => number {
  const [least, most] = partnerNumbers[name];
  return (text) => count(text, least, most);
}

export function count(text: string, least: number, most: number): number {
  if (!/^\d{1,13}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new InvalidArgumentError(`It must be a whole number between ${least} and ${most}.`);
  return Number(text);
}
