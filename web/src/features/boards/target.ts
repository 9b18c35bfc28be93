/** Where an issue comes to stand. */

export interface Target {
  column: string;
  /** Among the shown issues of the column, without the issue itself. */
  index: number;
  /** Numbers of its neighbours there. */
  after?: number | undefined;
  before?: number | undefined;
}

/** `numbers`: of the issues that the column shows. */
export function targetAt(
  column: string,
  numbers: readonly number[],
  { number, index }: { number: number; index: number },
): Target {
  const others = numbers.filter((each) => each !== number);
  const at = Math.max(0, Math.min(index, others.length));
  return { column, index: at, after: others[at - 1], before: others[at] };
}

export type Direction = "up" | "down" | "left" | "right";

/** Where an arrow key leads; the same place where it leads nowhere. `columns`: ids and shown numbers, from left to right. */
export function stepped(
  columns: readonly { id: string; numbers: readonly number[] }[],
  { column, index }: Pick<Target, "column" | "index">,
  { number, direction }: { number: number; direction: Direction },
): Target {
  const place = columns.findIndex(({ id }) => id === column);
  const sideways = direction === "left" ? -1 : direction === "right" ? 1 : 0;
  const next = columns[Math.max(0, Math.min(place + sideways, columns.length - 1))] ?? {
    id: column,
    numbers: [],
  };
  const step = direction === "up" ? -1 : direction === "down" ? 1 : 0;
  return targetAt(next.id, next.numbers, { number, index: index + step });
}
