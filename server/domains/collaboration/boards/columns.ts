/** What the columns of a board mean. */
import type { BoardColumnId } from "@forgeline/schemas/boards/resource.ts";
import type { IssueUpdate } from "@forgeline/schemas/issues/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import { readAsked } from "../search/asked.ts";
import type { Condition } from "../search/conditions.ts";
import type { Asker } from "../search/read-query.ts";

interface Named {
  id: string;
  name: string;
}

/**
 * What becomes of an issue that comes to stand in a column; nothing where it stands there already, so that one with the labels of two
 * columns keeps both. A closed one keeps its labels.
 */
export function columnChange(
  issue: { state: string; labels: readonly Named[] },
  columns: readonly Named[],
  to: BoardColumnId,
): Pick<IssueUpdate, "labels" | "state"> {
  if (to === "closed") return issue.state === "closed" ? {} : { state: "closed" };
  const isColumn = ({ id }: Named) => columns.some((column) => column.id === id);
  const stands = to === "open" ? !issue.labels.some(isColumn) : issue.labels.some(({ id }) => id === to);
  const target = columns.filter(({ id }) => id === to);
  const others = issue.labels.filter((label) => !isColumn(label));
  return {
    ...(issue.state === "open" ? {} : { state: "open" as const }),
    ...(stands ? {} : { labels: [...others, ...target].map(({ name }) => name) }),
  };
}

/** The query that narrows a board. Throws `validation_failed`, also for what the columns say already. */
export function filterConditions(field: string, text: string, asker: Asker): Condition[] {
  const { conditions, order } = readAsked(field, text, asker);
  if (order) throw invalidField(field, "invalid", "A board has its own order: sort: is not possible.");
  if (conditions.some(({ on }) => on === "state"))
    throw invalidField(
      field,
      "invalid",
      "The columns say what is open and closed: is:, state: are not possible.",
    );
  return conditions;
}
