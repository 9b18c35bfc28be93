/** Parts of statements generated from a table of states, so that no statement makes a transition that is not in the table. */
import type { StateTable } from "@forgeline/schemas/core/state-table.ts";

export interface StateSql<State extends string, Event extends string> {
  /** The states in which the event may happen, as in `state in (${from("accept")})`; with `to`, those from which it leads there. */
  from(event: Event, to?: State): string;
  /** The state that the event leads to, as in `set state = ${to("accept")}`. */
  to(event: Event): string;
}

/** Returns constant text. Throws if an event leads nowhere, or if `to` is used for one that leads to several states. */
export function stateSql<State extends string, Event extends string>(
  table: StateTable<State, Event>,
): StateSql<State, Event> {
  const listed = (states: readonly State[], event: Event) => {
    if (states.length === 0) throw new Error(`the event ${event} leads nowhere`);
    return states.map((state) => `'${state}'`).join(", ");
  };
  return {
    from: (event, to) => listed(table.sources(event, to), event),
    to(event) {
      const reached = table.states.filter((state) => table.sources(event, state).length > 0);
      if (reached.length > 1) throw new Error(`the event ${event} leads to several states`);
      return listed(reached, event);
    },
  };
}
