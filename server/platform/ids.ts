/** Makes public identifiers; ids made by one process in one millisecond still sort in order of making. */
import { decodeTime, encodeTime, monotonicFactory } from "ulid";
import type { IdPrefix } from "@forgeline/schemas/core/ids.ts";

const next = monotonicFactory();

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${next().toLowerCase()}`;
}

/** Sorts before every id that was made less than `ms` before this one. */
export function idBefore(prefix: IdPrefix, id: string, ms: number): string {
  const madeAt = decodeTime(id.slice(prefix.length + 1).toUpperCase());
  return `${prefix}_${encodeTime(Math.max(0, madeAt - ms)).toLowerCase()}`;
}
