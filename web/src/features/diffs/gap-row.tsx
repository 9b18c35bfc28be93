/** A row in place of lines that the patch leaves out, with buttons that show them. */
import { ArrowDown, ArrowUp, UnfoldVertical } from "lucide-react";
import type { ReactNode } from "react";
import { text } from "../../text/diffs.ts";
import styles from "./diff-table.module.css";
import { linesAtOnce, linesPerStep } from "./gaps.ts";
import type { OpenGap } from "./use-opened-gaps.ts";

export interface GapRowProps {
  index: number;
  /** How many lines stay out; null: up to the end of the file. */
  rest: number | null;
  /** Of the hunk below, where there is one. */
  head: string | undefined;
  columns: number;
  /** Undefined where the lines cannot be fetched. */
  open: OpenGap | undefined;
}

export function GapRow({ index, rest, head, columns, open }: GapRowProps) {
  return (
    <tbody>
      <tr>
        <td colSpan={columns} className={styles.gap}>
          <div className={styles.gapParts}>
            {open ? <Buttons index={index} rest={rest} isLast={head === undefined} open={open} /> : null}
            <span>{text.hiddenLines(rest)}</span>
            {head === undefined ? null : <span className={styles.hunk}>{head}</span>}
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function Buttons(props: { index: number; rest: number | null; isLast: boolean; open: OpenGap }) {
  const { index, rest, isLast, open } = props;
  const isLong = rest === null || rest > linesPerStep;
  const many =
    rest === null ? text.showToEnd : rest > linesAtOnce ? text.showBelow(linesAtOnce) : text.showAllOf(rest);
  return (
    <span className={styles.gapButtons}>
      {isLong && index > 0 ? (
        <GapButton label={text.showBelow(linesPerStep)} onClick={() => open(index, "below")}>
          <ArrowDown aria-hidden />
        </GapButton>
      ) : null}
      {isLong && !isLast ? (
        <GapButton label={text.showAbove(linesPerStep)} onClick={() => open(index, "above")}>
          <ArrowUp aria-hidden />
        </GapButton>
      ) : null}
      <GapButton label={many} onClick={() => open(index, "all")}>
        <UnfoldVertical aria-hidden />
      </GapButton>
    </span>
  );
}

function GapButton(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" title={props.label} aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}
