/** The line that a piece of a patch ends with. */

export interface HunkLine {
  side: "old" | "new";
  /** From 1. */
  line: number;
}

const header = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;

/** Undefined for what is no piece of a patch, or has no line. */
export function lineOfHunk(hunk: string): HunkLine | undefined {
  const [first = "", ...lines] = hunk.split("\n");
  const [, old, added] = header.exec(first) ?? [];
  if (old === undefined || added === undefined) return undefined;
  // The lines before the first one.
  let [oldLine, newLine] = [Number(old) - 1, Number(added) - 1];
  let side: HunkLine["side"] | undefined;
  for (const text of lines) {
    // "No newline at end of file" is no line.
    if (text.startsWith("\\")) continue;
    if (!text.startsWith("+")) oldLine += 1;
    if (!text.startsWith("-")) newLine += 1;
    side = text.startsWith("-") ? "old" : "new";
  }
  if (side === undefined) return undefined;
  return { side, line: side === "old" ? oldLine : newLine };
}
