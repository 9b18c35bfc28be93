/** How many of its jobs a runner has, in numbers and as a bar. */
import { text } from "../../text/runners.ts";
import styles from "./runners.module.css";

export function RunnerLoad({ running, capacity }: { running: number; capacity: number }) {
  return (
    <span className={styles.load}>
      <meter min={0} max={capacity} value={running} aria-label={text.jobs} />
      <span>{text.jobsOf(running, capacity)}</span>
    </span>
  );
}
