/** The variables of a run, by name. */
import { variableWords } from "../../text/named-rows.ts";
import { NamedRows, namedValues } from "./named-rows.tsx";

const prefix = "variable";

export function VariableRows({ known = {} }: { known?: Readonly<Record<string, string>> }) {
  return (
    <NamedRows prefix={prefix} words={variableWords} pattern="(?!CI_)[A-Za-z_][A-Za-z0-9_]*" known={known} />
  );
}

export function variablesOf(values: Readonly<Record<string, string>>): Record<string, string> {
  return namedValues(values, prefix);
}
