/** What jobs can ask a runner for. */
import { text } from "../../text/runners.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./runners.module.css";

export function RunnerLabels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return <span className={styles.soft}>{text.noLabels}</span>;
  return (
    <span className={styles.labels}>
      {labels.map((label) => (
        <Badge key={label} tone="plain">
          {label}
        </Badge>
      ))}
    </span>
  );
}
