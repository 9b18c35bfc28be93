/** Lines of code that a comment on some lines proposes in their place: blocks of code whose language is `suggestion`. */
import { isTooCostly } from "./cost.ts";
import { readMarkdown } from "./syntax.ts";

export interface WrittenSuggestion {
  /** What it replaces beside the commented line, as GitLab writes it (`suggestion:-1+2`); null: the commented lines. */
  around: { above: number; below: number } | null;
  /** Without their ends. None: the lines are to go. */
  lines: string[];
}

const maxSuggestions = 100;
/** A language with larger numbers is none of ours. */
const language = /^suggestion(?::-(?<above>\d{1,2}|100)\+(?<below>\d{1,2}|100))?(?:\s|$)/;

/** In the order of the text, at most 100. */
export function suggestionsIn(text: string): WrittenSuggestion[] {
  if (!text.includes("suggestion") || isTooCostly(text)) return [];
  const found: WrittenSuggestion[] = [];
  for (const { type, info, content } of readMarkdown(text, { isComment: true }).tokens) {
    const match = type === "fence" ? language.exec(info.trim()) : null;
    if (!match) continue;
    const { above, below } = match.groups ?? {};
    const around = above === undefined ? null : { above: Number(above), below: Number(below) };
    found.push({ around, lines: content === "" ? [] : content.replace(/\n$/, "").split("\n") });
  }
  return found.slice(0, maxSuggestions);
}
