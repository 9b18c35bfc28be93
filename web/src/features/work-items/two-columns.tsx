/** An item: its conversation, and beside it (on a phone below) what it is sorted by. */
import type { ReactNode } from "react";
import styles from "./two-columns.module.css";

export function TwoColumns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      {side}
    </div>
  );
}
