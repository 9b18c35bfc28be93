/**
 * Row 68: patterns that make other matchers run for years end here, with the right answer. All that users write goes through
 * these two: `matches` of expressions through RE2, filters of branches, tags, paths, protections, secrets and artifacts
 * through our globs, lines of CODEOWNERS files through their own matcher, which has a budget. Searches look for words. A matcher that backtracks would not come to the end of this file.
 */
import { rulesFor } from "@forgeline/compiler/code-owners/match.ts";
import { parseCodeOwners } from "@forgeline/compiler/code-owners/parse.ts";
import { findPattern } from "@forgeline/compiler/expression/regular-expression.ts";
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import { expect, test } from "vitest";
import { isFull, size } from "../support/size.ts";

/** Of advisories and papers; each with the text on which backtracking explodes, before its end, and that end. */
const known: readonly (readonly [pattern: string, repeated: string, end: string])[] = [
  ["(a+)+$", "a", "!"],
  ["(a*)*$", "a", "!"],
  ["(a|a)*$", "a", "!"],
  ["(a|aa)+$", "a", "!"],
  ["(a|a?)+$", "a", "!"],
  ["([a-zA-Z]+)*$", "a", "!"],
  ["(?:a?){24}a{24}$", "a", "!"],
  ["(x+x+)+y", "x", "z"],
  ["(\\w+\\s?)+$", "word ", "!"],
  ["(\\s*\\w+)+$", "w ", "!"],
  ["\\s+$", " ", "!"],
  ["(\\d+)*x", "1", "y"],
  ["(.*,){11}P", ",1", "!"],
  ["(.*a){12}b", "a", "!"],
  [".*.*=.*;", "x=", "!"],
  ["(a+a+)+b", "a", "c"],
  ["(([a-z])+.)+[A-Z]([a-z])+$", "a", "!"],
  ["([a-z0-9]+[-._]?)+@x", "a0", "!"],
  ["(\\S+\\s*)+\\$", "a ", "!"],
  ["<(.|\\n)*?>", "<", "!"],
  ["(/[^/]*)*/$", "/a", "!"],
  ["((ab)*)*c", "ab", "d"],
  ["(a{1,9}){1,9}b", "a", "c"],
  ["(é+)+$", "é", "!"],
  ["(\\pL+)+$", "ä", "!"],
];
/** Around each: alternatives, groups and repetitions make it worse. */
const wrapped: readonly ((pattern: string) => string)[] = [
  (one) => one,
  (one) => `^${one}`,
  (one) => `(?i)${one}`,
  (one) => `(${one})+$`,
  (one) => `(?:${one}|${one})`,
  (one) => `(${one}){1,3}`,
  (one) => `.*${one}`,
  (one) => `(?:${one})*?\\0`,
];
const textOf = (repeated: string, times: number, end: string) => repeated.repeat(times) + end;
const patterns = known.flatMap(([pattern, repeated, end]) =>
  wrapped.map((wrap) => ({
    pattern: wrap(pattern),
    text: textOf(repeated, 600 / repeated.length, end),
    // So short that even a matcher which backtracks comes to the end.
    short: textOf(repeated, 4, end),
  })),
);

/** The answer, or what says that the work would be too much. */
function answerOf(text: string, pattern: string): boolean | string {
  try {
    return findPattern(text, pattern);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What JavaScript's own, backtracking matcher says. */
function honestAnswer(text: string, pattern: string): boolean {
  const ignoresCase = pattern.startsWith("(?i)");
  const written = pattern.replace("(?i)", "").replaceAll("\\pL", "\\p{L}");
  return new RegExp(written, ignoresCase ? "iu" : "u").test(text);
}

/** The least of a few tries: the machine has other work. At full size only. */
function leastMs(work: () => void): number {
  const tries = Array.from({ length: size(0, 3) }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...tries, Infinity);
}

test("200 patterns find what they say", () => {
  expect(patterns).toHaveLength(200);
  const wrong = patterns.filter(
    ({ pattern, short }) => answerOf(short, pattern) !== honestAnswer(short, pattern),
  );
  expect(wrong).toEqual([]);
  expect(patterns.filter(({ pattern, text }) => typeof answerOf(text, pattern) !== "boolean")).toEqual([]);
  if (!isFull) return;
  const slow = patterns.filter(({ pattern, text }) => leastMs(() => answerOf(text, pattern)) > 50);
  expect(slow).toEqual([]);
});

test("what would take too long is refused", () => {
  expect(answerOf("a".repeat(256 * 1024), "(a{1,9}){1,9}b")).toBe(
    "the text is too long for this regular expression",
  );
});

test("globs with many stars answer, however the text nearly matches", () => {
  const stars = ["*a", "a*", "**a", "**/", "*/", "?*", "*?a", "a**", "[a]*", "\\**"];
  const texts = ["a/".repeat(500), "a".repeat(1000)];
  const globs = stars.flatMap((star) => [1, 5, 50, 100].map((times) => `${star.repeat(times)}END`));
  const all = globs.flatMap((glob) => texts.map((text) => ({ glob, text })));
  expect(all.filter(({ glob, text }) => matchesGlob(glob, text))).toEqual([]);
  expect(matchesGlob(`${"**a".repeat(100)}END`, `${"a".repeat(1000)}END`)).toBe(true);
  if (!isFull) return;
  expect(all.filter(({ glob, text }) => leastMs(() => matchesGlob(glob, text)) > 50)).toEqual([]);
});

test("a CODEOWNERS file of hostile lines is read and compared, or ends at its budget", () => {
  const stars = ["*a", "**/", "*/", "?*", "*?a", "a**", "\\*", "**/a", "*/**/"];
  const lines = stars.flatMap((star) => [1, 5, 50, 400].map((times) => `/${star.repeat(times)}END* @ada`));
  const hostile = parseCodeOwners(lines.join("\n").repeat(size(5, 100)));
  for (const path of ["a/".repeat(500), "a".repeat(1000)])
    expect(rulesFor(hostile, path, { steps: 500_000_000 })).toEqual([]);
  const slow = parseCodeOwners(`/*${"a".repeat(2000)}b* @ada\n`.repeat(1000));
  expect(() => rulesFor(slow, "a".repeat(4000), { steps: 1_000_000 })).toThrow("take too long");
  for (const line of ["[", "\\", "@", "x@", "a/", "***", "^[", "# ", "@a ", "\t", "!a\n", "[a]\n", "a\n"])
    expect(parseCodeOwners(line.repeat(300_000)).errors.length).toBeLessThanOrEqual(1000);
});
