/** A block of Markdown that suggests lines in place of others. */
export function suggestionBlock(lines: readonly string[]): string {
  const longest = Math.max(0, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}suggestion\n${lines.map((line) => `${line}\n`).join("")}${fence}\n`;
}

/** The field's text with the block at its end. */
export function withSuggestion(typed: string, lines: readonly string[]): string {
  const before = typed.trim() === "" ? "" : `${typed.trimEnd()}\n\n`;
  return `${before}${suggestionBlock(lines)}`;
}
