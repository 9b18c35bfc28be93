/** Makes public identifiers; ids made by one process in one millisecond still sort in order of making. */
import { monotonicFactory } from "ulid";
import type { IdPrefix } from "@forgeline/schemas/core/ids.ts";

const next = monotonicFactory();

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${next().toLowerCase()}`;
}
