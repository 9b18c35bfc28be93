/** Which line before a change stands beside which one after it. */
import type { PatchLine } from "./parse-patch.ts";

export interface LinePair {
  before: PatchLine | null;
  after: PatchLine | null;
}

/** Of lines that were removed and added at one place, the first stands beside the first, and so on. */
export function pairLines(lines: readonly PatchLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  let removed: PatchLine[] = [];
  let added: PatchLine[] = [];
  const endPlace = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ before: removed[at] ?? null, after: added[at] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "added") added.push(line);
    else {
      if (line.kind === "context" || added.length > 0) endPlace();
      if (line.kind === "removed") removed.push(line);
      else pairs.push({ before: line, after: line });
    }
  }
  endPlace();
  return pairs;
}
