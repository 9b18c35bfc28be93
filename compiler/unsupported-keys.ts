/** Keys and values that the file's form knows and that come with merge requests. They are refused, never ignored. */
import type { ObjectKind } from "./path-kinds.ts";

const laterKeys: Readonly<Partial<Record<ObjectKind, readonly string[]>>> = {
  on: ["merge_request"],
  clause: ["label"],
};

/** What a message says of them, after their name. */
export const comesLater = "comes with merge requests, which this version does not have yet";

/** Keys that are known in an object of this kind and come later. */
export function isUnsupportedKey(kind: ObjectKind, key: string): boolean {
  return laterKeys[kind]?.includes(key) ?? false;
}

const laterValues: Readonly<Record<string, readonly string[]>> = {
  on: ["merge_request"],
  event: ["merge_request"],
};

/** Values of a key that come later, such as `on: merge_request`. */
export function isUnsupportedValue(key: string, value: unknown): boolean {
  return typeof value === "string" && (laterValues[key]?.includes(value) ?? false);
}

/** Where a key belongs that stands at the top of a file, and has another place. */
const places: Readonly<Record<string, string>> = {
  inputs: "inputs belong to the event that asks for them: on: { manual: { inputs: … } }",
  matrix: "a matrix belongs to a job: jobs: { NAME: { matrix: … } }",
};

export function rightPlace(kind: ObjectKind, key: string): string | undefined {
  return kind === "file" && Object.hasOwn(places, key) ? places[key] : undefined;
}
