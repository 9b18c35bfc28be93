/** Unified diffs, taken apart into lines with their numbers before and after. */
export interface PatchLine {
  kind: "context" | "added" | "removed";
  /** Null where the line is on the other side only. */
  before: number | null;
  after: number | null;
  text: string;
  /** It is the last of its file and no line break follows. */
  isUnended?: true;
}

export interface Hunk {
  /** After the second `@@`: what the lines stand in. */
  within: string;
  head: string;
  lines: PatchLine[];
}

export function parsePatch(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let before = 0;
  let after = 0;
  for (const line of patch.split("\n")) {
    const head = /^(@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@) ?(.*)$/.exec(line);
    const hunk = hunks.at(-1);
    if (head) {
      before = Number(head[2]);
      after = Number(head[3]);
      hunks.push({ head: head[1] ?? "", within: head[4] ?? "", lines: [] });
    } else if (!hunk || line === "") continue;
    else if (line.startsWith("\\")) markUnended(hunk);
    else {
      const text = line.slice(1).replace(/\r$/, "");
      if (line.startsWith("+")) hunk.lines.push({ kind: "added", before: null, after: after++, text });
      else if (line.startsWith("-"))
        hunk.lines.push({ kind: "removed", before: before++, after: null, text });
      else hunk.lines.push({ kind: "context", before: before++, after: after++, text });
    }
  }
  return hunks;
}

function markUnended(hunk: Hunk): void {
  const last = hunk.lines.at(-1);
  if (last) last.isUnended = true;
}
