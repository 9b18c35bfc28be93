/** The last lines of a change up to a line, as in a patch, so that a thread shows what it is about when its lines are gone. */

export const maxExcerptLines = 10;
export const maxExcerptBytes = 4_096;

export interface ExcerptPlace {
  side: "old" | "new";
  line: number;
}

const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Empty where the patch does not show the line. */
export function excerptOfPatch(patch: string, { side, line }: ExcerptPlace): string {
  const other = side === "new" ? "-" : "+";
  let shown: string[] = [];
  let at = 0;
  for (const text of patch.split("\n")) {
    const found = header.exec(text);
    if (found) {
      shown = [];
      at = Number(side === "new" ? found[2] : found[1]) - 1;
      continue;
    }
    if (text.startsWith("\\")) continue;
    shown.push(text);
    if (!text.startsWith(other)) at += 1;
    if (at === line && !text.startsWith(other)) return cut(shown);
  }
  return "";
}

/** Lines that the change leaves as they are. */
export function excerptOfLines(lines: readonly string[], line: number): string {
  return cut(lines.slice(Math.max(0, line - maxExcerptLines), line).map((text) => ` ${text}`));
}

/** The end of it. */
function cut(lines: readonly string[]): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const text of lines.slice(-maxExcerptLines).toReversed()) {
    const rest = maxExcerptBytes - bytes;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxExcerptBytes && kept.length > 0) break;
    // A character takes at most three bytes for each of its units.
    kept.push(bytes > maxExcerptBytes ? text.slice(0, Math.floor(rest / 3)) : text);
  }
  return kept.toReversed().join("\n").replaceAll("\0", "");
}
