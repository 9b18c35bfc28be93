/** The number of a line, which is a link to it; a table is one stop of the Tab key, whose arrows lead to the other numbers. */
import { text } from "../../text/diffs.ts";
import { holdsNumber, lineId, type Side } from "./anchors.ts";
import styles from "./diff-table.module.css";
import type { PatchLine } from "./parse-patch.ts";

export interface LineNumberProps {
  path: string;
  side: Side;
  number: number | null;
  isChosen?: boolean;
  kind?: PatchLine["kind"];
}

export function LineNumber({ path, side, number, isChosen = false, kind }: LineNumberProps) {
  if (number === null) return <td className={styles.number}>{number}</td>;
  const id = lineId(path, side, number);
  return (
    <td className={styles.number} id={id} data-kind={kind} data-chosen={isChosen || undefined}>
      <a
        href={`#${id}`}
        data-line={`${side}${number}`}
        tabIndex={-1}
        aria-label={side === "L" ? text.lineBefore(number) : text.lineAfter(number)}
      >
        {number}
      </a>
    </td>
  );
}

/** Whether the address names this line: `chosen` is `L4`, or `R4-R9`. */
export function isNamed(chosen: string | undefined, side: Side, number: number | null | undefined): boolean {
  return chosen !== undefined && holdsNumber(chosen, side, number);
}
