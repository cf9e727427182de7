import { InvalidArgumentError, Option } from 'commander';

const listedMax = 10_000;

/** The maximum number of rows of a list. */
export function limitOption(usual: number, most = listedMax): Option {
  return new Option('--limit <count>', `maximum number of rows, up to ${most}`)
    .argParser((text) => count(text, 1, most))
    .default(usual, String(usual));
}

const warehouseNoMax = 2_147_483_647;

export function warehouseNumber(text: string): number {
  return count(text, 1, warehouseNoMax);
}

export function count(text: string, least: number, most: number): number {
  if (!/^\d{1,13}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  return Number(text);
}
