/** Small things beside each other, such as the buttons of a row; they wrap where there is no room, but in a table not before a phone. */
import type { ReactNode } from "react";
import styles from "./row-actions.module.css";

export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
