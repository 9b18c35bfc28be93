/** Tries every event in every state of a table on the real thing, and tells what came of it. */
import type { StateTable } from "@forgeline/schemas/core/state-table.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";

export interface Walk<State extends string, Event extends string, Subject> {
  table: StateTable<State, Event>;
  /** A new one, in the table's first state. */
  make(): Promise<Subject>;
  /** Makes each event happen by the operation of the product; where it is refused, that answers or throws an `AppError`. */
  events: Readonly<Record<Event, (subject: Subject) => Promise<unknown>>>;
  /** Its state, and whatever else a refused event must leave alone. */
  look(subject: Subject): Promise<{ state: string }>;
}

/** For each state the events that changed anything, and the state after; to be compared with `movesOf` the table. */
export async function walkStates<State extends string, Event extends string, Subject>(
  walk: Walk<State, Event, Subject>,
): Promise<Record<string, Record<string, string>>> {
  const seen: Record<string, Record<string, string>> = {};
  for (const state of walk.table.states) {
    const moves: Record<string, string> = {};
    for (const event of walk.table.events) {
      const subject = await bring(walk, state);
      const before = await walk.look(subject);
      await unlessRefused(walk.events[event](subject));
      const after = await walk.look(subject);
      if (JSON.stringify(after) !== JSON.stringify(before)) moves[event] = after.state;
    }
    seen[state] = moves;
  }
  return seen;
}

export function movesOf<State extends string, Event extends string>(
  table: StateTable<State, Event>,
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    table.states.map((state) => {
      const moves = table.events.map((event) => [event, table.next(state, event)]);
      return [state, Object.fromEntries(moves.filter(([, to]) => to !== undefined))];
    }),
  );
}

async function unlessRefused(trying: Promise<unknown>): Promise<void> {
  await trying.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function bring<State extends string, Event extends string, Subject>(
  walk: Walk<State, Event, Subject>,
  state: State,
): Promise<Subject> {
  const subject = await walk.make();
  for (const event of pathTo(walk.table, state)) await walk.events[event](subject);
  const { state: reached } = await walk.look(subject);
  if (reached !== state) throw new Error(`meant to be ${state}, and is ${reached}`);
  return subject;
}

/** The fewest events that lead to the state. */
function pathTo<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  goal: State,
): Event[] {
  const paths = new Map<State, Event[]>([[table.initial, []]]);
  for (const [state, path] of paths)
    for (const event of table.events) {
      const to = table.next(state, event);
      if (to !== undefined && !paths.has(to)) paths.set(to, [...path, event]);
    }
  const path = paths.get(goal);
  if (!path) throw new Error(`no event leads to ${goal}`);
  return path;
}
