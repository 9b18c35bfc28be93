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

/** Lines of one side: `end` is the number of the first one after them. */
export interface Extent {
  start: number;
  end: number;
}

export interface Hunk {
  /** After the second `@@`: what the lines stand in. */
  within: string;
  head: string;
  before: Extent;
  after: Extent;
  lines: PatchLine[];
}

const headOfHunk = /^(@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@) ?(.*)$/;

export function parsePatch(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let before = 0;
  let after = 0;
  for (const line of patch.split("\n")) {
    const head = headOfHunk.exec(line);
    const hunk = hunks.at(-1);
    if (head) {
      const begun = beginHunk(head);
      before = begun.before.start;
      after = begun.after.start;
      hunks.push(begun);
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

function beginHunk(head: RegExpExecArray): Hunk {
  const before = extent(head[2], head[3]);
  const after = extent(head[4], head[5]);
  return { head: head[1] ?? "", within: head[6] ?? "", before, after, lines: [] };
}

/** Git names the line before the place where a side has none. */
function extent(line = "1", count = "1"): Extent {
  const start = Number(line) + (count === "0" ? 1 : 0);
  return { start, end: start + Number(count) };
}

function markUnended(hunk: Hunk): void {
  const last = hunk.lines.at(-1);
  if (last) last.isUnended = true;
}
