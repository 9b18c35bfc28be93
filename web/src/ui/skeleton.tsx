/** Stands for what is still being fetched, in about the same room. */
import { text } from "../text/general.ts";
import styles from "./skeleton.module.css";

export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{text.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}
