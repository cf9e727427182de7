/** A few rounds with every `npm test`; all of them with LADING_RACE_ROUNDS=full, or as many as it says. */
export function roundsOf({ usual, full }: { usual: number; full: number }): number {
  const wanted = process.env.LADING_RACE_ROUNDS;
  if (wanted === undefined) return usual;
  return wanted === 'full' ? full : Number(wanted);
}
