/** Finds the lines of a text that somebody looks for. Pure, linear in the length of the text. */
import { looksLikeError, mayBeError } from "./error-lines.ts";

/** What is looked for: words in any case, or the first line that looks like an error. */
export type Wanted = { kind: "words"; words: string } | { kind: "error" };

/** Positions in UTF-16 code units, as in the strings of JavaScript. */
export interface Range {
  start: number;
  end: number;
}

export interface FoundLine {
  /** From 0, in the text that was searched. */
  line: number;
  /** Without its newline; cut around what was found where it is long. */
  text: string;
  isCut: boolean;
  ranges: Range[];
}

const maxShown = 500;
/** What a cut line shows before the first match. */
const shownBefore = 100;
const maxRanges = 20;

/** At most `limit` lines, in order. `text` is lines without escape sequences. */
export function findLines(text: string, wanted: Wanted, limit: number): FoundLine[] {
  const folded = foldCase(text);
  const next = wanted.kind === "words" ? nextWords(folded, foldCase(wanted.words)) : nextError(folded);
  const found: FoundLine[] = [];
  const counter = createLineCounter(folded);
  for (let at = next(0); at >= 0 && found.length < limit;) {
    const start = folded.lastIndexOf("\n", at - 1) + 1;
    const stop = folded.indexOf("\n", at);
    const end = stop < 0 ? folded.length : stop;
    const line = text.slice(start, end);
    if (wanted.kind === "words") {
      const ranges = rangesIn(folded.slice(start, end), foldCase(wanted.words));
      found.push({ line: counter.lineAt(start), ...show(line, ranges) });
    } else if (looksLikeError(line)) found.push({ line: counter.lineAt(start), ...show(line, []) });
    at = end < folded.length ? next(end + 1) : -1;
  }
  return found;
}

/** In lower case, with each character where it was: few of them become longer, and these stay as they are. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (character) => {
    const folded = character.toLowerCase();
    return folded.length === character.length ? folded : character;
  }).join("");
}

function nextWords(folded: string, words: string): (from: number) => number {
  return (from) => folded.indexOf(words, from);
}

function nextError(folded: string): (from: number) => number {
  return (from) => mayBeError(folded, from);
}

/** Counts each newline once, however many lines are asked for in order. */
function createLineCounter(text: string) {
  let line = 0;
  let counted = 0;
  return {
    lineAt(start: number): number {
      for (let at = text.indexOf("\n", counted); at >= 0 && at < start; at = text.indexOf("\n", at + 1))
        line += 1;
      counted = start;
      return line;
    },
  };
}

function rangesIn(line: string, words: string): Range[] {
  const ranges: Range[] = [];
  for (let at = line.indexOf(words); at >= 0; at = line.indexOf(words, at + words.length)) {
    ranges.push({ start: at, end: at + words.length });
    if (ranges.length === maxRanges) break;
  }
  return ranges;
}

function show(line: string, ranges: readonly Range[]): Omit<FoundLine, "line"> {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (whole.length <= maxShown) return { text: whole, isCut: false, ranges: [...ranges] };
  const from = wholeCharacter(whole, Math.max(0, (ranges[0]?.start ?? 0) - shownBefore));
  const to = wholeCharacter(whole, Math.min(whole.length, from + maxShown));
  const shown = ranges
    .filter(({ start }) => start < to)
    .map(({ start, end }) => ({ start: start - from, end: Math.min(end, to) - from }));
  return { text: whole.slice(from, to), isCut: true, ranges: shown };
}

/** Not between the halves of a character of two units. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
