/** A line before the change beside the one after it. */
import type { ReactNode } from "react";
import type { Side } from "./anchors.ts";
import styles from "./diff-table.module.css";
import { isNamed, LineNumber } from "./line-number.tsx";
import { LineText } from "./line-text.tsx";
import type { LinePair } from "./pair-lines.ts";
import type { PatchLine } from "./parse-patch.ts";
import { signs, type RowProps } from "./unified-row.tsx";

export const splitColumns = 6;
const columnsOfSide = 3;

export interface SplitRowProps extends RowProps, LinePair {
  belowBefore: ReactNode;
  belowAfter: ReactNode;
}

export function SplitRow({ before, after, belowBefore, belowAfter, ...row }: SplitRowProps) {
  return (
    <>
      <tr>
        <Half {...row} side="L" line={before} number={before?.before} />
        <Half {...row} side="R" line={after} number={after?.after} />
      </tr>
      {belowBefore || belowAfter ? (
        <tr>
          <td colSpan={columnsOfSide} className={styles.below}>
            {belowBefore}
          </td>
          <td colSpan={columnsOfSide} className={styles.below}>
            {belowAfter}
          </td>
        </tr>
      ) : null}
    </>
  );
}

interface HalfProps extends RowProps {
  side: Side;
  line: PatchLine | null;
  number: number | null | undefined;
}

function Half({ path, chosen, lookOf, side, line, number = null }: HalfProps) {
  if (!line)
    return (
      <td colSpan={columnsOfSide} className={styles.nothing}>
        {signs.context}
      </td>
    );
  const isChosen = isNamed(chosen, side, number) || undefined;
  return (
    <>
      <LineNumber path={path} side={side} number={number} kind={line.kind} isChosen={isChosen === true} />
      <td className={styles.sign} data-kind={line.kind} data-chosen={isChosen}>
        {signs[line.kind]}
      </td>
      <td className={styles.text} data-kind={line.kind} data-chosen={isChosen}>
        <LineText line={line} look={lookOf(line)} />
      </td>
    </>
  );
}
