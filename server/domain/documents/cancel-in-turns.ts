/** Cancels documents by the caller's numbers. Each number has its own outcome, in the given order. */
interface CancelRequest {
  accountId: number;
  isLogistics?: boolean;
  partnerNumbers: string[];
}

type Cancel<Request, Outcome> = (request: Request) => Promise<Outcome[]>;

/** A turn of this size ends long before the deadline of a transaction, also on a slow disk. */
const movementsOfTurnMax = 10_000;

/**
 * Cancels many documents in several transactions, one after the other, if they have too many movements for one. If a later
 * transaction fails, the caller learns nothing and repeats the request: documents that are cancelled already count as such.
 */
export function cancelInTurns<Request extends CancelRequest, Outcome>(
  findSizes: (request: Request, countMax: number) => Promise<DocumentSize[]>,
  cancel: Cancel<Request, Outcome>,
): Cancel<Request, Outcome> {
  return async (request) => {
    if (request.partnerNumbers.length === 1) return await cancel(request);
    const sizes = await findSizes(request, movementsOfTurnMax);
    const outcomes: Outcome[] = [];
    for (const partnerNumbers of splitIntoTurns(request.partnerNumbers, sizes, movementsOfTurnMax))
      outcomes.push(...(await cancel({ ...request, partnerNumbers })));
    return outcomes;
  };
}

export interface DocumentSize {
  partnerNumber: string;
  /** Movements, counted up to a maximum. */
  movements: number;
}

/** In the given order; each turn has at most this many movements, or a single document. */
export function splitIntoTurns(partnerNumbers: string[], sizes: DocumentSize[], movementsMax: number): string[][] {
  const movementsOf = new Map(sizes.map(({ partnerNumber, movements }) => [partnerNumber, movements]));
  const turns: string[][] = [];
  let left = 0;
  for (const partnerNumber of partnerNumbers) {
    const movements = movementsOf.get(partnerNumber) ?? 0;
    if (turns.length === 0 || movements > left) {
      turns.push([]);
      left = movementsMax;
    }
    turns.at(-1)!.push(partnerNumber);
    left -= movements;
  }
  return turns;
}
