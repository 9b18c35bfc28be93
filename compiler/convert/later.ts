/**
 * Keys that other systems have and our files will have. What the compiler refuses today becomes a comment that holds the key as
 * it will be written; from the day that the compiler takes it, it is written into the file.
 */
import { stringify } from "yaml";
import { isUnsupportedKey } from "../unsupported-keys.ts";
import { signatureOf } from "../expression/functions.ts";
import type { Plain, PlainMap } from "./plain.ts";
import type { Section } from "./trace.ts";

/** Keys whose form is settled, so that they can be written as soon as the compiler takes them. */
const settled: ReadonlySet<string> = new Set(["cache", "environment", "reports"]);

/** Gives a job `key`, or says in a comment what it would be. */
export function addLater(
  job: PlainMap,
  { key, value }: { key: string; value: Plain },
  { section, from }: Origin,
): void {
  if (isAvailable(key, value)) {
    const before = job[key];
    job[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    return;
  }
  const written = stringify(
    { [key]: value },
    { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false },
  ).trim();
  const text = written.replace(/^\{(.*)\}$/s, "$1");
  section.note(from, {
    message: `Forgeline does not have "${key}" yet`,
    suggestion: `once it has, write ${text}`,
    at: section.at,
  });
}

interface Origin {
  section: Section;
  /** The key of the source that it comes from. */
  from: string;
}

function isAvailable(key: string, value: Plain): boolean {
  if (!settled.has(key) || isUnsupportedKey("job", key)) return false;
  return signatureOf("hashFiles") !== undefined || !JSON.stringify(value).includes("hashFiles(");
}
