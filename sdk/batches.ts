/** All results, batch after batch. Where a batch fails, those before it have taken effect: the whole may be sent again. */
export async function inBatches<Entry, Result>(
  entries: readonly Entry[],
  batchMax: number,
  work: (batch: Entry[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < entries.length; from += batchMax) {
    for (const result of await work(entries.slice(from, from + batchMax))) results.push(result);
  }
  return results;
}
