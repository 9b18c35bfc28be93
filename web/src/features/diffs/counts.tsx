/** How many lines were added and removed; nothing where that is not known. */
import { text } from "../../text/diffs.ts";
import styles from "./counts.module.css";

export function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null) return null;
  return (
    <span className={styles.counts}>
      <span className={styles.plus}>
        <span aria-hidden>+{added}</span>
        <span className="visually-hidden">{text.linesAdded(added)}</span>
      </span>
      <span className={styles.minus}>
        <span aria-hidden>−{removed}</span>
        <span className="visually-hidden">{text.linesRemoved(removed)}</span>
      </span>
    </span>
  );
}
