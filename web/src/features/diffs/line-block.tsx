/** Lines of a table that follow each other, below each other or side by side. */
import { memo, useMemo } from "react";
import { emptySlots, type DiffSlots } from "./slots.ts";
import type { FileDiff } from "./source.ts";
import { remPerLine } from "./fold.ts";
import { inChunks, namedAmong } from "./line-chunks.ts";
import { pairLines } from "./pair-lines.ts";
import type { PatchLine } from "./parse-patch.ts";
import { splitColumns, SplitRow } from "./split-row.tsx";
import { unifiedColumns, UnifiedRow } from "./unified-row.tsx";
import { useLineColors } from "./use-line-colors.ts";
import { useNear } from "./use-near.ts";
import type { DiffView } from "./view-choice.ts";
import { wordDiffs } from "./word-diff.ts";
import type { LineLook } from "./line-text.tsx";

export interface LineBlockProps {
  file: FileDiff;
  lines: readonly PatchLine[];
  view: DiffView;
  /** `L4` or `R4-R9`, where the address names lines of these. */
  chosen: string | undefined;
  slots: DiffSlots | undefined;
  /** So few lines in all that they are drawn at once. */
  isShort: boolean;
}

/** In chunks, which are drawn when they come near: a patch may have hundreds of thousands of lines. */
export const LineBlock = memo(function LineBlock({ lines, chosen, ...rest }: LineBlockProps) {
  const chunks = useMemo(() => inChunks(lines), [lines]);
  return chunks.map((chunk, index) => (
    <LineChunk key={index} {...rest} lines={chunk} chosen={namedAmong(chunk, chosen)} />
  ));
});

const LineChunk = memo(function LineChunk(props: LineBlockProps) {
  const { ref, isNear } = useNear<HTMLTableSectionElement>();
  if (isNear || props.isShort || props.chosen !== undefined) return <Lines {...props} />;
  return (
    <tbody ref={ref}>
      <tr>
        <td colSpan={columnsOf(props.view)} style={{ blockSize: `${props.lines.length * remPerLine}rem` }}>
          {" "}
        </td>
      </tr>
    </tbody>
  );
});

function Lines({ file, lines, view, chosen, slots }: Omit<LineBlockProps, "isShort">) {
  const colors = useLineColors(lines, file.path);
  const words = useMemo(() => wordDiffs(lines), [lines]);
  const pairs = useMemo(() => (view === "split" ? pairLines(lines) : []), [lines, view]);
  const lookOf = (line: PatchLine): LineLook => ({ colors: colors?.get(line), words: words.get(line) });
  const row = { path: file.path, chosen, lookOf };
  const useBelowLine = slots?.useBelowLine ?? emptySlots.useBelowLine;
  const below = useBelowLine(file);
  return (
    <tbody>
      {view === "split"
        ? pairs.map(({ before, after }, index) => (
            <SplitRow
              key={index}
              {...row}
              before={before}
              after={after}
              belowBefore={before && below?.(before, "L")}
              belowAfter={after && below?.(after, "R")}
            />
          ))
        : lines.map((line, index) => (
            <UnifiedRow
              key={index}
              {...row}
              line={line}
              belowBefore={below?.(line, "L")}
              belowAfter={below?.(line, "R")}
            />
          ))}
    </tbody>
  );
}

export function columnsOf(view: DiffView): number {
  return view === "split" ? splitColumns : unifiedColumns;
}
