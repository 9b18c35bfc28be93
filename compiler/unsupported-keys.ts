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
