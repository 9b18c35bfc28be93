/** The inputs of a schedule, by name: which there are is known only to the file, when it is saved and when it runs. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { inputWords } from "../../text/named-rows.ts";
import { NamedRows, namedValues } from "../pipelines/named-rows.tsx";

const prefix = "input";

export interface InputRowsProps {
  known: Schemas["Schedule"]["inputs"];
  /** Of all fields. */
  problems: Readonly<Record<string, string>>;
}

export function InputRows({ known, problems }: InputRowsProps) {
  const own = Object.entries(problems).flatMap(([field, words]) =>
    field.startsWith("inputs.") ? [words] : [],
  );
  return (
    <NamedRows
      prefix={prefix}
      words={inputWords}
      pattern="[A-Za-z_][A-Za-z0-9_\-]*"
      known={known}
      problem={own.join(" ") || undefined}
    />
  );
}

export function inputsOf(values: Readonly<Record<string, string>>): Record<string, string> {
  return namedValues(values, prefix);
}
