/** Keys that several places of a source add to, such as the caches of a job. */
import type { Plain, PlainMap } from "./plain.ts";

/** Gives a job `key`, beside what it has there already: lists and mappings are joined. */
export function addKey(job: PlainMap, key: string, value: Plain): void {
  const before = job[key];
  if (Array.isArray(before) && Array.isArray(value)) job[key] = [...before, ...value];
  else if (isMap(before) && isMap(value)) job[key] = { ...before, ...value };
  else job[key] = value;
}

function isMap(value: Plain | undefined): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
