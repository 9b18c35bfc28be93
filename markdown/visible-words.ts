/**
 * The words of a text that can name something: code, comments and markup that nobody is shown are blanked out, in place. Found by
 * looking through the text a few times, in time in proportion to its length: whoever saves a text must not hold up a server, and
 * the whole tree can take a second.
 */
import { maxTextLength } from "./cost.ts";

/** Stands for each character that names nothing: no space, so that what is around it does not belong together. */
export const blank = "\u0001";

export function visibleWords(text: string): string {
  if (text.length > maxTextLength) return "";
  return withoutLinkTexts(withoutSpans(withoutMarkup(withoutCodeBlocks(withSigns(text)))));
}

/** Of a number; the names of these three are no references. */
function withSigns(text: string): string {
  return text.replaceAll(/&#(35|33|64);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

function blanked(length: number): string {
  return blank.repeat(length);
}

interface Fence {
  sign: string;
  length: number;
}

/** Fenced ones to their end, or that of the text, and indented ones. */
function withoutCodeBlocks(text: string): string {
  let fence: Fence | undefined;
  let mayIndent = true;
  const lines = text.split("\n").map((line) => {
    const mark = /^[\s>]{0,40}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      if (mark?.startsWith(fence.sign) && mark.length >= fence.length) fence = undefined;
      return blanked(line.length);
    }
    if (mark !== undefined) {
      fence = { sign: mark.charAt(0), length: mark.length };
      return blanked(line.length);
    }
    const isCode = mayIndent && /^(?: {4}|\t)/.test(line);
    mayIndent = isCode || line.trim() === "";
    return isCode ? blanked(line.length) : line;
  });
  return lines.join("\n");
}

const hidden = ["script", "style", "code", "pre", "kbd", "samp"] as const;

/** Comments, and elements whose words are code or not shown. */
function withoutMarkup(text: string): string {
  const lower = text.toLowerCase();
  const opened = /<(?:!--|(script|style|code|pre|kbd|samp)[\s>])/g;
  let shown = "";
  let from = 0;
  /** Ends that the rest of the text does not have. */
  const missing = new Set<string>();
  for (let match = opened.exec(lower); match; match = opened.exec(lower)) {
    const name = hidden.find((each) => each === match?.[1]);
    const end = name === undefined ? "-->" : `</${name}`;
    const found = missing.has(end) ? -1 : lower.indexOf(end, opened.lastIndex);
    if (found < 0) missing.add(end);
    const to = found < 0 ? text.length : found + end.length;
    shown += text.slice(from, match.index) + blanked(to - match.index);
    from = to;
    opened.lastIndex = to;
  }
  return shown + text.slice(from);
}

/** Code between two runs of equally many backticks. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const byLength = Map.groupBy(runs, ({ length }) => length);
  const used = new Map<number, number>();
  let shown = "";
  let from = 0;
  for (const { length, index } of runs) {
    if (index < from) continue;
    const same = byLength.get(length) ?? [];
    let at = used.get(length) ?? 0;
    while (at < same.length && (same[at]?.index ?? 0) <= index) at += 1;
    used.set(length, at);
    const end = same[at];
    if (!end) continue;
    const to = end.index + length;
    shown += text.slice(from, index) + blanked(to - index);
    from = to;
  }
  return shown + text.slice(from);
}

/** The address of a link counts, and its words do not. */
function withoutLinkTexts(text: string): string {
  return text.replaceAll(
    /\[([^[\]\n]{0,300})\]\(/g,
    (whole, words: string) => `${blank}${blanked(words.length)}${blanked(whole.length - words.length - 1)}`,
  );
}
