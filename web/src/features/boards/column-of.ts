/** Where an issue stands on a board. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Standing = Pick<Schemas["Issue"], "state"> & { labels: readonly { id: string }[] };

/** One with the labels of several columns stands in each of them: then `rather`, where that is one of them. */
export function columnOf(
  { state, labels }: Standing,
  columns: readonly Pick<Schemas["BoardColumn"], "id">[],
  rather: string,
): string {
  if (state === "closed") return "closed";
  const own = columns.filter(({ id }) => labels.some((label) => label.id === id));
  return (own.find(({ id }) => id === rather) ?? own[0])?.id ?? "open";
}

/** Whether it stands in this column, perhaps among others. */
export function standsIn(
  { state, labels }: Standing,
  columns: readonly Pick<Schemas["BoardColumn"], "id">[],
  column: string,
): boolean {
  if (state === "closed") return column === "closed";
  const own = columns.filter(({ id }) => labels.some((label) => label.id === id));
  return own.length === 0 ? column === "open" : own.some(({ id }) => id === column);
}
