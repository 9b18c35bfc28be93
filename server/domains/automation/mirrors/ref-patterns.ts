/** Which refs of a source a mirror follows. */
import { invalidField } from "../../../platform/app-error.ts";
import { isSafeRefName, reservedRefs } from "../../../platform/git/refs/names.ts";

/** `main` → `refs/heads/main`; throws `validation_failed`. */
export function readPatterns(given: readonly string[]): string[] {
  const patterns = given.map((text) => {
    const isExcluded = text.startsWith("^");
    const name = isExcluded ? text.slice(1) : text;
    const full = name.startsWith("refs/") ? name : `refs/heads/${name}`;
    const stars = full.split("*").length - 1;
    // A name in place of the star shows whether the rest is a ref's.
    if (stars > 1 || !isSafeRefName(full.replace("*", "x")) || full === "refs/")
      throw invalidField("refs", "invalid", `${text} is not a ref or a pattern with one *.`);
    return isExcluded ? `^${full}` : full;
  });
  if (!patterns.some((pattern) => !pattern.startsWith("^")))
    throw invalidField("refs", "invalid", "At least one pattern must not begin with ^.");
  return [...new Set(patterns)];
}

export function createRefFilter(patterns: readonly string[]): (ref: string) => boolean {
  const taken = patterns.filter((pattern) => !pattern.startsWith("^")).map(matcher);
  const left = patterns
    .filter((pattern) => pattern.startsWith("^"))
    .map((pattern) => matcher(pattern.slice(1)));
  return (ref) =>
    taken.some((matches) => matches(ref)) &&
    !left.some((matches) => matches(ref)) &&
    !reservedRefs.some((prefix) => ref.startsWith(prefix));
}

/** A star stands for any text, also with slashes. */
function matcher(pattern: string): (ref: string) => boolean {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return (ref) => ref === pattern;
  return (ref) =>
    ref.length > before.length + after.length - 1 && ref.startsWith(before) && ref.endsWith(after);
}
