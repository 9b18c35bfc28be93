/** The changed lines of a file, with their numbers before and after, and what is around them when somebody asks for it. */
import { Fragment, useEffect, useMemo, useRef } from "react";
import { text } from "../../text/diffs.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { lineId, linesOf } from "./anchors.ts";
import styles from "./diff-table.module.css";
import { GapRow } from "./gap-row.tsx";
import { columnsOf, LineBlock } from "./line-block.tsx";
import { namedAmong } from "./line-chunks.ts";
import type { Hunk, PatchLine } from "./parse-patch.ts";
import { scrollSteadily } from "./scroll-steadily.ts";
import type { DiffSlots, LineName } from "./slots.ts";
import type { FileDiff } from "./source.ts";
import { useLineLinks } from "./use-line-links.ts";
import { useOpenedGaps } from "./use-opened-gaps.ts";
import type { DiffView } from "./view-choice.ts";

export interface DiffTableProps {
  file: FileDiff;
  hunks: readonly Hunk[];
  view: DiffView;
  /** Unchanged lines are shown, too. */
  whole: boolean;
  /** What the address names: `L4`, or `R4-R9`. */
  line: string | undefined;
  /** Further lines that are shown. */
  wantedLines: readonly LineName[];
  slots: DiffSlots | undefined;
}

export function DiffTable({ file, hunks, view, whole, line, wantedLines: others, slots }: DiffTableProps) {
  const wantedLines = useMemo(() => [...others, ...endsOf(line)], [line, others]);
  const { gaps, open, canOpen, error, isFetching } = useOpenedGaps(file, hunks, { whole, wantedLines });
  const links = useLineLinks();
  useScrollTo(file.path, line, gaps);
  const isShort = isShortPatch(hunks);
  const columns = columnsOf(view);
  const block = (lines: readonly PatchLine[]) =>
    lines.length === 0 ? null : (
      <LineBlock {...{ file, lines, view, slots, isShort }} chosen={namedAmong(lines, line)} />
    );
  const Around = slots?.Around;
  const table = (
    <table className={styles.table} data-view={view} data-roving aria-busy={isFetching} {...links}>
      <caption className="visually-hidden">{text.changesOf(file.path)}</caption>
      <Columns view={view} />
      {gaps.map(({ top, rest, bottom }, index) => {
        const hunk = hunks[index];
        const head = hunk && `${hunk.head} ${hunk.within}`;
        return (
          <Fragment key={index}>
            {block(top)}
            {rest === 0 ? null : (
              <GapRow {...{ index, rest, head, columns }} open={canOpen ? open : undefined} />
            )}
            {block(bottom)}
            {hunk ? block(hunk.lines) : null}
          </Fragment>
        );
      })}
    </table>
  );
  return (
    <>
      {error ? <ProblemNotice error={error} /> : null}
      {Around ? <Around file={file}>{table}</Around> : table}
    </>
  );
}

function Columns({ view }: { view: DiffView }) {
  const { before, after, change, text: unified, textBefore, textAfter } = text.columns;
  const names =
    view === "split"
      ? [before, change, textBefore, after, change, textAfter]
      : [before, after, change, unified];
  return (
    <>
      <colgroup>
        {names.map((name, index) => (
          <col key={index} className={widths[name]} />
        ))}
      </colgroup>
      <thead className={styles.head}>
        <tr>
          {names.map((name, index) => (
            <th key={index} scope="col">
              <span className="visually-hidden">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

const widths: Readonly<Record<string, string | undefined>> = {
  [text.columns.before]: styles.numbers,
  [text.columns.after]: styles.numbers,
  [text.columns.change]: styles.signs,
};

const linesOfShort = 1_000;

function isShortPatch(hunks: readonly Hunk[]): boolean {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0) <= linesOfShort;
}

/** The lines that have to be there. */
function endsOf(line: string | undefined): LineName[] {
  if (line === undefined) return [];
  const { side, first, last } = linesOf(line);
  return first === last ? [`${side}${first}`] : [`${side}${first}`, `${side}${last}`];
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Scrolls to a line that the address names, once, as soon as it is there; `lines` changes when lines are added. */
function useScrollTo(path: string, line: string | undefined, lines: unknown): void {
  const done = useRef<string>(undefined);
  useEffect(() => {
    if (line === undefined || done.current === line) return undefined;
    const { side, first, last } = linesOf(line);
    const found = document.getElementById(lineId(path, side, first));
    if (!found) return undefined;
    done.current = line;
    // Who makes it longer by its last line sees it already.
    if (first !== last && isInSight(found)) return undefined;
    // Who chose it by its number looks at it.
    return found.contains(document.activeElement) ? undefined : scrollSteadily(found, { block: "center" });
  }, [path, line, lines]);
}
