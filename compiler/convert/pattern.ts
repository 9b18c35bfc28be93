/** Regular expressions of other systems, where ours have the same. */
import { compilePattern } from "../expression/regular-expression.ts";
import { CannotConvert } from "./cannot.ts";

/** Throws `CannotConvert` for one that RE2 does not have. */
export function checkedPattern(pattern: string | null): string {
  if (pattern === null)
    throw new CannotConvert("the regular expression comes from a variable", "write it as text");
  try {
    compilePattern(pattern);
    return pattern;
  } catch (error) {
    throw new CannotConvert(error instanceof Error ? error.message : "not a regular expression");
  }
}
