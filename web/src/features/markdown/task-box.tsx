/** The box of a task: to be ticked where that can be kept, otherwise a sign. */
import styles from "./markdown.module.css";
import { useShownText } from "./text-context.ts";

interface TaskBoxProps {
  /** Number of the task; none for a box that somebody wrote as HTML. */
  index: unknown;
  label: unknown;
  checked: boolean;
}

export function TaskBox({ index, label, checked }: TaskBoxProps) {
  const { toggle } = useShownText();
  if (!toggle || typeof index !== "number") return <span className={styles.box}>{checked ? "☑" : "☐"}</span>;
  return (
    <input
      type="checkbox"
      className={styles.box}
      aria-label={typeof label === "string" ? label : undefined}
      checked={checked}
      onChange={(event) => toggle(index, event.target.checked)}
    />
  );
}
