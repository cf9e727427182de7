/** The possible events in each state of a document, and the resulting states. */
export type StateMoves<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The states in which an event is possible. */
export function statesAllowing<State extends string, Event extends string>(
  moves: StateMoves<State, Event>,
  event: Event,
): State[] {
  return (Object.keys(moves) as State[]).filter((state) => moves[state][event] !== undefined);
}

/** Formats the table for ARCHITECTURE.md: one row per state, one column per event. */
export function renderMoves<State extends string, Event extends string>(
  moves: StateMoves<State, Event>,
  events: readonly Event[],
): string {
  const states = Object.keys(moves) as State[];
  const cellOf = (state: State, event: Event) =>
    moves[state][event] === undefined ? '' : `\`${moves[state][event]}\``;
  return [
    `| state | ${events.join(' | ')} |`,
    `|---|${events.map(() => '---|').join('')}`,
    ...states.map((state) => `| \`${state}\` | ${events.map((event) => cellOf(state, event)).join(' | ')} |`),
  ].join('\n');
}
