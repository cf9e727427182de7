/**
 * Sends batches one after the other and collects the results. If a batch fails, the earlier ones have taken effect; all
 * of them can be sent again.
 */
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
