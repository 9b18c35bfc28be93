/**
 * A form that sends itself to the API: what was typed stays until it has worked. A failure stands above the button, unless
 * it is about fields that say so themselves; the first of those is gone to.
 */
import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { isFieldProblem } from "../api/problem.ts";
import { text } from "../text/general.ts";
import { Button } from "./button.tsx";
import styles from "./form.module.css";
import { ProblemNotice } from "./notice.tsx";

export type FormValues = Readonly<Record<string, string>>;

export interface FormProps {
  children: ReactNode;
  submit: string;
  /** Name of each field → what stands in it; boxes that are not ticked are missing. */
  onSubmit: (values: FormValues) => void;
  /** A mutation of TanStack Query, or the parts of it that matter here. */
  state: { isPending: boolean; error: unknown };
  onCancel?: (() => void) | undefined;
  danger?: boolean;
  disabled?: boolean;
  /** Beside the button. */
  aside?: ReactNode;
}

export function Form({
  children,
  submit,
  onSubmit,
  state,
  onCancel,
  danger = false,
  disabled,
  aside,
}: FormProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!state.isPending) onSubmit(valuesOf(event.currentTarget));
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.error)
      form.current?.querySelector<HTMLElement>("[aria-invalid], [data-invalid] input")?.focus();
  }, [state.error]);
  return (
    <form ref={form} className={styles.form} onSubmit={send}>
      {children}
      {state.error ? (
        <div className={isFieldProblem(state.error) ? styles.aboutFields : ""}>
          <ProblemNotice error={state.error} />
        </div>
      ) : null}
      <div className={styles.actions}>
        <Button type="submit" kind={danger ? "danger" : "primary"} busy={state.isPending} disabled={disabled}>
          {submit}
        </Button>
        {aside}
        {onCancel ? <Button onClick={onCancel}>{text.cancel}</Button> : null}
      </div>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): FormValues {
  const texts = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
