/** Choosing scopes in a form, and showing them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { scopeWords } from "../../text/scopes.ts";
import { CheckField, FieldGroup } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import styles from "./settings.module.css";

type Scope = Schemas["Scope"];

const scopes = Object.keys(scopeWords) as Scope[];

export interface ScopeFieldsProps {
  legend: string;
  problem?: string | undefined;
  /** Ticked from the start; what is no scope counts for nothing. */
  chosen?: readonly string[] | undefined;
}

export function ScopeFields({ legend, problem, chosen = [] }: ScopeFieldsProps) {
  return (
    <FieldGroup legend={legend} problem={problem}>
      <div className={styles.scopes}>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            name={`scope:${scope}`}
            label={<code>{scope}</code>}
            hint={scopeWords[scope]}
            defaultChecked={chosen.includes(scope)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

export function scopesOf(values: FormValues): Scope[] {
  return scopes.filter((scope) => values[`scope:${scope}`] !== undefined);
}

export function ScopeNames({ names }: { names: readonly Scope[] }) {
  return (
    <span className={styles.names}>
      {names.map((name) => (
        <code key={name} title={scopeWords[name]}>
          {name}
        </code>
      ))}
    </span>
  );
}

/** Lines of a text field without empty ones; undefined when there is none. */
export function linesOf(value: string | undefined): string[] | undefined {
  const lines = (value ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return lines.length === 0 ? undefined : lines;
}
