/** Where a line of a file is after the file has changed, by the hunks of a patch without context. */

/** As in `@@ -1,2 +3,4 @@`; a side without lines names the line before it. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** In the order of the patch. */
export function hunksOf(patch: string): Hunk[] {
  return patch.split("\n").flatMap((text) => {
    const found = header.exec(text);
    if (!found) return [];
    const [, oldStart, oldLines = "1", newStart, newLines = "1"] = found;
    return [
      {
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
      },
    ];
  });
}

/** Null for a line that was changed or deleted. */
export function mapLine(hunks: readonly Hunk[], line: number): number | null {
  let shift = 0;
  for (const { oldStart, oldLines, newLines } of hunks) {
    // What was only added stands behind its line.
    const first = oldLines === 0 ? oldStart + 1 : oldStart;
    if (line < first) break;
    if (line < first + oldLines) return null;
    shift += newLines - oldLines;
  }
  return line + shift;
}

export interface Lines {
  start: number | null;
  line: number;
}

/** Null where one of them was changed, or something was added between them. */
export function mapLines(hunks: readonly Hunk[], { start, line }: Lines): Lines | null {
  const end = mapLine(hunks, line);
  if (end === null || start === null) return end === null ? null : { start: null, line: end };
  const isTouched = hunks.some(({ oldStart, oldLines }) =>
    oldLines === 0 ? start <= oldStart && oldStart < line : oldStart <= line && start < oldStart + oldLines,
  );
  return isTouched ? null : { start: end - (line - start), line: end };
}
