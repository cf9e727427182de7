/**
 * Every statement on the documents of partners names one account. This sends a statement for each account of the items,
 * in the order of the accounts and without waiting in between, and returns the rows of all.
 */
export async function perAccount<Item extends { accountId: number }, Row>(
  items: readonly Item[],
  send: (accountId: number, items: Item[]) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  const answers = await Promise.all(groupByAccount(items).map(([accountId, own]) => send(accountId, own)));
  return answers.flat();
}

/** The accounts of the items, each once. */
export function accountsOf(items: readonly { accountId: number }[]): number[] {
  return [...new Set(items.map((item) => item.accountId))];
}

/** In the order of the accounts, so that two transactions lock rows of several accounts in the same order. */
export function groupByAccount<Item extends { accountId: number }>(items: readonly Item[]): [number, Item[]][] {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(item.accountId);
    if (group) group.push(item);
    else groups.set(item.accountId, [item]);
  }
  return [...groups].sort(([left], [right]) => left - right);
}
