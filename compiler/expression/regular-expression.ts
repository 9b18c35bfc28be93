/** Regular expressions of `matches`: RE2, so time is linear in the text, and capped in all. */
import { RE2JS } from "re2js";
import { limits } from "../limits.ts";

const maxPatternChars = 512;

/** Throws an `Error` whose message says what is wrong with the pattern. */
export function compilePattern(pattern: string): RE2JS {
  if (pattern.length > maxPatternChars) {
    throw new Error(`a regular expression can have at most ${maxPatternChars} characters`);
  }
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "not valid";
    throw new Error(`not a regular expression (RE2): ${reason.slice(0, 120)}`, { cause: error });
  }
  if (compiled.programSize() > 10_000) throw new Error("the regular expression is too large");
  return compiled;
}

/** Whether the pattern is found anywhere in the text. Throws when that would take too long. */
export function findPattern(text: string, pattern: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.programSize() * text.length > limits.regexWork) {
    throw new Error("the text is too long for this regular expression");
  }
  return compiled.matcher(text).find();
}
