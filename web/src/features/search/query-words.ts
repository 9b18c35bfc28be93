/** Words such as `is:overdue` in a query that somebody types: whether one is there, and the query with it or without it. */
const splitter = /\s+/;

/** Whatever its case. */
export function hasWord(q: string, word: string): boolean {
  return q.split(splitter).some((each) => each.toLowerCase() === word);
}

/** What else was typed stays as it is. `word`: in lower case. */
export function withWord(q: string, word: string, wanted: boolean): string {
  if (wanted) return hasWord(q, word) ? q : `${word} ${q}`.trim();
  const escaped = word.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return q.replaceAll(new RegExp(String.raw`(^|\s)${escaped}(?=\s|$)`, "gi"), "").trim();
}
