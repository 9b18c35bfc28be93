/** Where in a script something stands. */

/** Whether the shell would read what follows as it stands. Judged on the last line alone, where quotes mostly begin and end. */
export function isInSingleQuotes(before: string): boolean {
  let quote = "";
  for (const character of before.slice(before.lastIndexOf("\n") + 1).replace(/\\./g, "")) {
    if (quote === "" && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = "";
  }
  return quote === "'";
}
