/** What may happen to a document in each of its states, and the state that it leads to. */
export type StateMoves<State extends string, Event extends string> = Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;

/** The states in which this may happen. */
export function statesAllowing<State extends string, Event extends string>(moves: StateMoves<State, Event>, event: Event): State[] {
  return (Object.keys(moves) as State[]).filter((state) => moves[state][event] !== undefined);
}

/** The table as it stands in ARCHITECTURE.md: a row for each state, a column for each event. */
export function drawMoves<State extends string, Event extends string>(moves: StateMoves<State, Event>, events: readonly Event[]): string {
  const states = Object.keys(moves) as State[];
  const cellOf = (state: State, event: Event) => (moves[state][event] === undefined ? '' : `\`${moves[state][event]}\``);
  return [
    `| state | ${events.join(' | ')} |`,
    `|---|${events.map(() => '---|').join('')}`,
    ...states.map((state) => `| \`${state}\` | ${events.map((event) => cellOf(state, event)).join(' | ')} |`),
  ].join('\n');
}
