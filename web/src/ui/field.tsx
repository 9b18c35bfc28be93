/** Fields of forms: a label, what it is for, and what is wrong with it, tied together for screen readers. */
import {
  useId,
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
} from "react";
import styles from "./field.module.css";

interface FieldFrame {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with the value; from the server as well. */
  problem?: string | undefined;
}

function useFieldIds({ hint, problem }: Pick<FieldFrame, "hint" | "problem">) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return {
    id,
    control: { id, "aria-describedby": described || undefined, "aria-invalid": problem ? true : undefined },
  };
}

function Frame({ id, label, hint, problem, children }: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <Notes {...{ id, hint, problem }} />
    </div>
  );
}

function Notes({ id, hint, problem }: Pick<FieldFrame, "hint" | "problem"> & { id: string }) {
  return (
    <>
      {hint ? (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      ) : null}
      {problem ? (
        <div id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </div>
      ) : null}
    </>
  );
}

export function TextField({
  label,
  hint,
  problem,
  ...rest
}: FieldFrame & InputHTMLAttributes<HTMLInputElement>) {
  const { id, control } = useFieldIds({ hint, problem });
  return (
    <Frame {...{ id, label, hint, problem }}>
      <input type="text" className={styles.control} {...rest} {...control} />
    </Frame>
  );
}

export function TextArea({ label, hint, problem, ...rest }: FieldFrame & ComponentProps<"textarea">) {
  const { id, control } = useFieldIds({ hint, problem });
  return (
    <Frame {...{ id, label, hint, problem }}>
      <textarea rows={4} className={styles.control} {...rest} {...control} />
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  children,
  ...rest
}: FieldFrame & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, control } = useFieldIds({ hint, problem });
  return (
    <Frame {...{ id, label, hint, problem }}>
      <select className={styles.control} {...rest} {...control}>
        {children}
      </select>
    </Frame>
  );
}

export function CheckField({
  label,
  hint,
  problem,
  type = "checkbox",
  ...rest
}: FieldFrame & InputHTMLAttributes<HTMLInputElement>) {
  const { id, control } = useFieldIds({ hint, problem });
  return (
    <div className={styles.check}>
      <input type={type} {...rest} {...control} />
      <div>
        <label htmlFor={id}>{label}</label>
        <Notes {...{ id, hint, problem }} />
      </div>
    </div>
  );
}

/** Choices that belong together, under one name. */
export function FieldGroup(props: { legend: ReactNode; problem?: string | undefined; children: ReactNode }) {
  return (
    <fieldset className={styles.group} data-invalid={props.problem ? true : undefined}>
      <legend>{props.legend}</legend>
      {props.children}
      {props.problem ? (
        <div className={styles.problem} role="alert">
          {props.problem}
        </div>
      ) : null}
    </fieldset>
  );
}
