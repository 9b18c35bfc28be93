/** A line of the merge box: a mark, and what it means. */
import type { ReactNode } from "react";
import styles from "./merge-box.module.css";

export function Line(props: {
  icon: ReactNode;
  tone: "good" | "bad" | "soft" | "done";
  children: ReactNode;
}) {
  return (
    <div className={styles.line} role="status">
      <span className={`${styles.icon} ${styles[props.tone]}`}>{props.icon}</span>
      <div>{props.children}</div>
    </div>
  );
}
