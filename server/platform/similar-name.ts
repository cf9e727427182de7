/** The name that the given one was probably meant to be; null if none is similar enough. */
export function mostSimilar(given: string, names: string[]): string | null {
  const plain = plainOf(given);
  const differencesMax = plain.length <= 4 ? 1 : plain.length <= 8 ? 2 : 3;
  const [best] = names
    .map((name) => ({ name, differences: editDistance(plain, plainOf(name)) }))
    .filter(({ differences }) => differences <= differencesMax)
    .toSorted((one, other) => one.differences - other.differences);
  return best?.name ?? null;
}

/** `skuId` and `SKU-ID` are `sku_id` in another notation. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** How many characters have to be inserted, removed, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        least = Math.min(least, beforeLast[column - 2]! + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
