/** A value in one line of a table; `--json` has all of it. */
const maxChars = 80;

export function firstLine(value: string): string {
  const [first = "", ...more] = value.split("\n");
  const isCut = more.length > 0 || first.length > maxChars;
  return isCut ? `${first.slice(0, maxChars).toWellFormed()}…` : first;
}
