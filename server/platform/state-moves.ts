/** Where a document may go from each of its states. */
export type StateMoves<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The states from which one may go to `to`. */
export function statesLeadingTo<State extends string>(moves: StateMoves<State>, to: State): State[] {
  return (Object.keys(moves) as State[]).filter((from) => moves[from].includes(to));
}
