/** Conditions on merge requests, which do not start runs yet: they compile, but never hold, so that is said. */
import { isUnsupportedValue } from "../unsupported-keys.ts";
import type { Plain } from "./plain.ts";

/** What to say where `asksForMergeRequest` is true. */
export const neverMergeRequest = {
  message: "merge requests do not start runs yet, so event == 'merge_request' is never true",
  suggestion: "name the branches whose pushes are to do the same",
} as const;

export function asksForMergeRequest(when: Plain): boolean {
  return (
    isUnsupportedValue("event", "merge_request") && JSON.stringify(when).includes("event == 'merge_request'")
  );
}
