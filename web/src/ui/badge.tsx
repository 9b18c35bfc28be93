/** A short word that marks a thing: `private`, `archived`, a label of a runner. */
import type { ReactNode } from "react";
import styles from "./badge.module.css";
import type { Tone } from "./notice.tsx";

export function Badge({ tone = "info", children }: { tone?: Tone | "plain"; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
