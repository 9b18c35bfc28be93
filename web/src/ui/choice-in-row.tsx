/** A choice in a row of a table that counts as soon as it is made; where that fails, the old one comes back. */
import { useId } from "react";
import styles from "./choice-in-row.module.css";
import { showProblem } from "./toasts.tsx";
import { useChange } from "./use-change.ts";

export function ChoiceInRow(props: {
  /** For screen readers; the column says it to others. */
  label: string;
  value: string;
  /** Value → what it is called. */
  choices: Readonly<Record<string, string>>;
  run: (value: string) => Promise<unknown>;
  said: string;
  disabled?: boolean;
}) {
  const change = useChange(props.run, { said: props.said, inOrder: useId() });
  const shown = change.isPending ? change.variables : props.value;
  return (
    <select
      className={styles.choice}
      aria-label={props.label}
      value={shown}
      disabled={props.disabled}
      onChange={(event) => change.mutate(event.target.value, { onError: showProblem })}
    >
      {Object.entries(props.choices).map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  );
}
