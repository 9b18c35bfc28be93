/** One of the things that stand beside an item: what it is, and what changes it. */
import { useId, type ReactNode } from "react";
import { fieldProblems, problemOf } from "../../api/problem.ts";
import { useChange } from "../../ui/use-change.ts";
import styles from "./side-column.module.css";

/** What was chosen last is shown until the page has it. */
export function useField<Value>(
  value: Value,
  save: (value: Value) => Promise<unknown>,
): { shown: Value; choose: (value: Value) => void; problem: string | undefined } {
  const change = useChange(save, { inOrder: useId() });
  const problem = Object.values(fieldProblems(change.error))[0];
  return {
    shown: change.isPending ? change.variables : value,
    choose: change.mutate,
    problem: change.error ? (problem ?? problemOf(change.error).message) : undefined,
  };
}

/** `trigger`: opens what the field is changed with. */
export function SideField(props: {
  title: string;
  trigger: ReactNode;
  problem?: string | undefined;
  children: ReactNode;
}) {
  return (
    <section className={styles.field}>
      <h2>{props.trigger ?? props.title}</h2>
      <div className={styles.values}>{props.children}</div>
      {props.problem === undefined ? null : (
        <p role="alert" className={styles.problem}>
          {props.problem}
        </p>
      )}
    </section>
  );
}
