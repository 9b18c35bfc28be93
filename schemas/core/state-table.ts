/**
 * A state machine as a table: for each state the events that may happen in it, and the state that each leads to. What the
 * table does not have is refused. The code that owns the state asks the table; a test walks it; the documentation shows it.
 */
export interface StateTable<State extends string, Event extends string> {
  readonly states: readonly State[];
  readonly events: readonly Event[];
  /** Where everything begins. */
  readonly initial: State;
  /** What an event is, in words. */
  meaning(event: Event): string;
  /** The state that the event leads to; undefined where it is refused. */
  next(from: State, event: Event): State | undefined;
  /** The states in which the event may happen; with `to`, only those from which it leads there. */
  sources(event: Event, to?: State): State[];
}

export interface StateTableRows<State extends string, Event extends string> {
  initial: NoInfer<State>;
  events: Readonly<Record<Event, string>>;
  moves: Readonly<Record<State, Readonly<Partial<Record<NoInfer<Event>, NoInfer<State>>>>>>;
}

export function stateTable<State extends string, Event extends string>(
  rows: StateTableRows<State, Event>,
): StateTable<State, Event> {
  const states = Object.keys(rows.moves) as State[];
  const next = (from: State, event: Event): State | undefined => rows.moves[from][event];
  return {
    states,
    events: Object.keys(rows.events) as Event[],
    initial: rows.initial,
    meaning: (event) => rows.events[event],
    next,
    sources: (event, to) =>
      states.filter((from) => {
        const reached = next(from, event);
        return reached !== undefined && (to === undefined || reached === to);
      }),
  };
}

export type StateOf<Table> = Table extends StateTable<infer State, string> ? State : never;
export type EventOf<Table> = Table extends StateTable<string, infer Event> ? Event : never;
