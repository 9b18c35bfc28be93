/** Lines of a table that follow each other, below each other or side by side. */
import { memo, useMemo } from "react";
import type { DiffSlots, FileDiff } from "./source.ts";
import { pairLines } from "./pair-lines.ts";
import type { PatchLine } from "./parse-patch.ts";
import { SplitRow } from "./split-row.tsx";
import { UnifiedRow } from "./unified-row.tsx";
import { useLineColors } from "./use-line-colors.ts";
import type { DiffView } from "./view-choice.ts";
import { wordDiffs } from "./word-diff.ts";
import type { LineLook } from "./line-text.tsx";

export interface LineBlockProps {
  file: FileDiff;
  lines: readonly PatchLine[];
  view: DiffView;
  /** `L4` or `R4`, where the address names a line of these. */
  chosen: string | undefined;
  slots: DiffSlots | undefined;
}

export const LineBlock = memo(function LineBlock({ file, lines, view, chosen, slots }: LineBlockProps) {
  const colors = useLineColors(lines, file.path);
  const words = useMemo(() => wordDiffs(lines), [lines]);
  const pairs = useMemo(() => (view === "split" ? pairLines(lines) : []), [lines, view]);
  const lookOf = (line: PatchLine): LineLook => ({ colors: colors?.get(line), words: words.get(line) });
  const row = { path: file.path, chosen, lookOf };
  const below = (line: PatchLine | null) => (line ? slots?.belowLine?.(file, line) : undefined);
  return (
    <tbody>
      {view === "split"
        ? pairs.map(({ before, after }, index) => (
            <SplitRow
              key={index}
              {...row}
              before={before}
              after={after}
              belowBefore={before === after ? undefined : below(before)}
              belowAfter={below(after)}
            />
          ))
        : lines.map((line, index) => <UnifiedRow key={index} {...row} line={line} below={below(line)} />)}
    </tbody>
  );
});
