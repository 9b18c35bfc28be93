/** What a request asks for, by its parameters and its query together. */
import type { Actor } from "../../../platform/access/actor.ts";
import { invalidField } from "../../../platform/app-error.ts";
import { SearchQueryError } from "../../../platform/search-pieces.ts";
import { needsOwnPlan, type Condition, type ListConditions, type ReadQuery } from "./conditions.ts";
import { readQualifier, readQuery, type Asker } from "./read-query.ts";

export const askerOf = (actor: Pick<Actor, "userId" | "username">): Asker =>
  actor.userId === null ? null : actor.username;

/** Throws `validation_failed` on `field`; the message names the place. */
export function readAsked(field: string, text: string, asker: Asker): ReadQuery {
  return understood(field, () => readQuery(text, asker));
}

/** By names of qualifiers; what is not given asks nothing. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const allStates = "all";

/** Parameters mean what the qualifiers of their names mean. A state in the query wins over the parameter. */
export function conditionsOf(parameters: Parameters, read: ReadQuery, asker: Asker): Condition[] {
  const given = Object.entries(parameters).flatMap(([name, values = []]) =>
    (typeof values === "string" ? [values] : values)
      .filter((value) => value !== "" && value !== allStates)
      .map((value) =>
        understood(name, () => readQualifier({ name, value, exact: false, not: false, at: 1 }, asker)),
      ),
  );
  return [...given.filter(({ on }) => on !== "state" || !asksState(read)), ...read.conditions];
}

/** As `conditionsOf`, for a list. Texts of statements are few only while nothing but its parameters asks, each once. */
export function listConditionsOf(parameters: Parameters, read: ReadQuery, asker: Asker): ListConditions {
  const conditions = conditionsOf(parameters, read, asker);
  const isOpenEnded = read.conditions.length > 0 || conditions.filter(({ on }) => on === "label").length > 1;
  return { conditions, isOwn: isOpenEnded || needsOwnPlan(conditions) };
}

function asksState({ conditions }: ReadQuery): boolean {
  return conditions.some(({ on, not }) => on === "state" && !not);
}

/** Names of labels, which contain no comma; of more than twenty the first. */
export function labelNames(text: string | undefined): string[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))].slice(0, 20);
}

function understood<Result>(field: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SearchQueryError)) throw error;
    throw invalidField(field, "invalid", `${error.message}.`);
  }
}
