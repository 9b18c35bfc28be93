/**
 * Patterns of a CODEOWNERS file: those of `.gitignore` without `!` and `[ ]`, as GitHub reads them. A pattern is compared by the
 * segments of a path, and of several stars only the last is ever tried again: time is at most pattern × path, never exponential.
 */
import { problemOfPattern, splitSegments, type PatternProblem } from "./pattern-problem.ts";

/** `**`: any number of segments. */
const anySegments = Symbol("**");
/** In place of the code of a character. */
const anyText = -1;
const anyOne = -2;

/** A segment with `*` or `?`. */
interface Wildcard {
  /** What stands behind the last star: most names do not end in it. */
  ending: string;
  codes: readonly number[];
}

type Segment = typeof anySegments | string | Wildcard;
export type PathPattern = readonly Segment[];

/** Steps that may still be spent; see `matchesPath`. */
export interface MatchBudget {
  steps: number;
}

/** The patterns would cost more than the budget has. */
export class MatchingTooLong extends Error {}

export function readPattern(text: string): PathPattern | PatternProblem {
  const problem = problemOfPattern(text);
  if (problem) return problem;
  const [first = "", ...rest] = splitSegments(text);
  // Only a slash at the end leaves the pattern free to match in any directory, as in `.gitignore`.
  const isFree = first !== "" && (rest.length === 0 || (rest.length === 1 && rest[0] === ""));
  const named = [...(isFree ? ["**"] : []), ...(first === "" ? [] : [first]), ...rest];
  if (named.at(-1) === "") named.splice(-1, 1, "**");
  const segments = named.map(readSegment);
  // `docs/**` and `docs/` are what is in the directory, `docs/*` the files right in it, `docs` a file or all that is below.
  if (named.at(-1) === "**") return [...segments.slice(0, -1), readSegment("*"), anySegments];
  return named.at(-1) === "*" ? segments : [...segments, anySegments];
}

function readSegment(text: string): Segment {
  if (text === "**") return anySegments;
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "*") {
      if (codes.at(-1) !== anyText) codes.push(anyText);
    } else if (character === "?") codes.push(anyOne);
    else {
      if (character === "\\") at += 1;
      codes.push(text.charCodeAt(at));
    }
  }
  const end = codes.slice(codes.findLastIndex((code) => code < 0) + 1);
  const ending = end.map((code) => String.fromCharCode(code)).join("");
  return end.length === codes.length ? ending : { ending, codes };
}

export function splitPath(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The path as `splitPath` gives it. Takes steps off the budget; throws `MatchingTooLong` when none are left. */
export function matchesPath(pattern: PathPattern, path: readonly string[], budget: MatchBudget): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let takenTo = 0;
  while (at < path.length) {
    spend(budget);
    const segment = pattern[part];
    if (segment === anySegments) {
      star = part;
      takenTo = at;
      part += 1;
    } else if (segment !== undefined && fits(segment, path[at] as string, budget)) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      takenTo += 1;
      at = takenTo;
      part = star + 1;
    } else return false;
    // Nothing behind a star at the end can fail.
    if (star === pattern.length - 1) return true;
  }
  while (pattern[part] === anySegments) part += 1;
  return part === pattern.length;
}

function fits(segment: string | Wildcard, name: string, budget: MatchBudget): boolean {
  if (typeof segment === "string") return segment === name;
  return name.endsWith(segment.ending) && fitsWildcard(segment.codes, name, budget);
}

/** As `matchesPath`, with characters in place of segments. */
function fitsWildcard(codes: readonly number[], name: string, budget: MatchBudget): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let takenTo = 0;
  while (at < name.length) {
    spend(budget);
    const code = codes[part];
    if (code === anyText) {
      star = part;
      takenTo = at;
      part += 1;
    } else if (code === anyOne) {
      part += 1;
      at += (name.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
    } else if (code === name.charCodeAt(at)) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      takenTo += 1;
      at = takenTo;
      part = star + 1;
    } else return false;
    if (star === codes.length - 1) return true;
  }
  while (codes[part] === anyText) part += 1;
  return part === codes.length;
}

function spend(budget: MatchBudget): void {
  budget.steps -= 1;
  if (budget.steps < 0) throw new MatchingTooLong("the patterns take too long to compare");
}
