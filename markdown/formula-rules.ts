/**
 * Formulas, as GitHub reads them: `$x$` and `` $`x`$ `` within a line, `$$x$$` on its own. `$x$` begins and ends without a space,
 * neither follows a word nor is followed by one, and is on one line, so that "$5 and $10" and "$HOME/$USER" stay what they are.
 */
import type { MarkdownIt, ParserBlock, ParserInline, StateBlock } from "markdown-it";

type RuleInline = Parameters<ParserInline["ruler"]["push"]>[1];
type RuleBlock = Parameters<ParserBlock["ruler"]["push"]>[1];

const maxInlineLength = 2_000;
const marker = "$$";

export function addFormulas(markdown: MarkdownIt): void {
  const { escapeHtml } = markdown.utils;
  markdown.inline.ruler.after("escape", "formula", inLine);
  markdown.block.ruler.before("fence", "formula_block", onItsOwn, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  markdown.renderer.rules["formula"] = (tokens, index) => {
    const token = tokens[index];
    const form = token?.markup === marker ? "math-display" : "math-inline";
    return `<code class="language-math ${form}">${escapeHtml(token?.content ?? "")}</code>`;
  };
  markdown.renderer.rules["formula_block"] = (tokens, index) =>
    `<pre><code class="language-math math-display">${escapeHtml(tokens[index]?.content ?? "")}</code></pre>\n`;
}

const inLine: RuleInline = (state, silent) => {
  const { src, pos } = state;
  if (src[pos] !== "$") return false;
  const mark = src.startsWith(marker, pos) ? marker : "$";
  const from = pos + mark.length;
  const to = mark === marker ? endOfDouble(src, from) : endOfSingle(src, from);
  if (to === undefined || !stands(src, pos, to + mark.length)) return false;
  if (!silent) {
    const token = state.push("formula", "code", 0);
    token.markup = mark;
    token.content = withoutBackticks(src.slice(from, to));
  }
  state.pos = to + mark.length;
  return true;
};

/** The next dollar sign has to be the end, so that each is looked at once. */
function endOfSingle(src: string, from: number): number | undefined {
  const found = /(?<!\\)\$|\n/.exec(src.slice(from, from + maxInlineLength));
  if (!found || found[0] === "\n" || found.index === 0) return undefined;
  const inside = src.slice(from, from + found.index);
  return /^\s|\s$/.test(inside) ? undefined : from + found.index;
}

function endOfDouble(src: string, from: number): number | undefined {
  const length = src.slice(from, from + maxInlineLength).indexOf(marker);
  return length > 0 && src.slice(from, from + length).trim() !== "" ? from + length : undefined;
}

/** Not within a word, nor beside another dollar sign. */
function stands(src: string, from: number, to: number): boolean {
  const isWord = /[\p{L}\p{N}$\\]/u;
  return !isWord.test(src[from - 1] ?? "") && !isWord.test(src[to] ?? "");
}

function withoutBackticks(formula: string): string {
  return /^`(.+)`$/s.exec(formula)?.[1] ?? formula;
}

const onItsOwn: RuleBlock = (...[state, startLine, endLine, silent]) => {
  const first = lineOf(state, startLine).trimEnd();
  if (!first.startsWith(marker) || isCode(state, startLine)) return false;
  const rest = first.slice(marker.length);
  const isOneLine = rest.length > marker.length && rest.endsWith(marker);
  if (rest.includes(marker) && !isOneLine) return false;
  const last = isOneLine ? startLine : endOfBlock(state, startLine, endLine);
  if (last === undefined) return false;
  if (silent) return true;
  const lines = Array.from({ length: last - startLine }, (_, index) => lineOf(state, startLine + 1 + index));
  const token = state.push("formula_block", "code", 0);
  token.block = true;
  token.map = [startLine, last + 1];
  token.content = (isOneLine ? rest : [rest, ...lines].join("\n")).trim().replace(/\$\$$/, "").trim();
  state.line = last + 1;
  return true;
};

/** The line that ends with the marker; undefined if none does before the container ends. */
function endOfBlock(state: StateBlock, startLine: number, endLine: number): number | undefined {
  for (let line = startLine + 1; line < endLine; line++) {
    if (!state.isEmpty(line) && (state.sCount[line] ?? 0) < state.blkIndent) return undefined;
    if (lineOf(state, line).trimEnd().endsWith(marker)) return line;
  }
  return undefined;
}

function lineOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

function isCode(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4;
}
