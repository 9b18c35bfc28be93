/** A line with its numbers before and after the change. */
import type { ReactNode } from "react";
import styles from "./diff-table.module.css";
import { isNamed, LineNumber } from "./line-number.tsx";
import { LineText, type LineLook } from "./line-text.tsx";
import type { PatchLine } from "./parse-patch.ts";

export const signs: Record<PatchLine["kind"], string> = { context: " ", added: "+", removed: "−" };
export const unifiedColumns = 4;

export interface RowProps {
  path: string;
  chosen: string | undefined;
  lookOf: (line: PatchLine) => LineLook;
}

interface UnifiedRowProps extends RowProps {
  line: PatchLine;
  belowBefore: ReactNode;
  belowAfter: ReactNode;
}

export function UnifiedRow(props: UnifiedRowProps) {
  const { path, chosen, lookOf, line, belowBefore, belowAfter } = props;
  const isChosen = isNamed(chosen, "L", line.before) || isNamed(chosen, "R", line.after);
  return (
    <>
      <tr data-kind={line.kind} data-chosen={isChosen || undefined}>
        <LineNumber path={path} side="L" number={line.before} />
        <LineNumber path={path} side="R" number={line.after} />
        <td className={styles.sign}>{signs[line.kind]}</td>
        <td className={styles.text}>
          <LineText line={line} look={lookOf(line)} />
        </td>
      </tr>
      {belowBefore || belowAfter ? (
        <tr>
          <td colSpan={unifiedColumns} className={styles.below}>
            {belowBefore}
            {belowAfter}
          </td>
        </tr>
      ) : null}
    </>
  );
}
