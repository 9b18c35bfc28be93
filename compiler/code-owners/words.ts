/** A line of a CODEOWNERS file in words: what blanks part, up to a comment. */

export interface Word {
  text: string;
  /** Where it begins in the line, from 0. */
  at: number;
}

/** At most `max`. A backslash keeps the blank behind it, and a `#` that would begin a comment. */
export function wordsOf(line: string, { from, max }: { from: number; max: number }): Word[] {
  const words: Word[] = [];
  let at = from;
  while (at < line.length && words.length < max) {
    if (isBlank(line[at])) {
      at += 1;
      continue;
    }
    if (line[at] === "#") break;
    const begins = at;
    while (at < line.length && !isBlank(line[at])) at += line[at] === "\\" ? 2 : 1;
    words.push({ text: line.slice(begins, at), at: begins });
  }
  return words;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
