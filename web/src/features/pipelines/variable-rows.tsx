/** Names and values, as many as one wants. */
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { text } from "../../text/run-variables.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import styles from "./variable-rows.module.css";

/** In the form they are `variable-name-ID` and `variable-value-ID`; `variablesOf` puts them together again. */
export function VariableRows({ known = {} }: { known?: Readonly<Record<string, string>> }) {
  const given = Object.entries(known);
  const [ids, setIds] = useState<readonly number[]>([...given.keys()]);
  const add = () => setIds([...ids, Math.max(given.length, (ids.at(-1) ?? 0) + 1)]);
  return (
    <fieldset className={styles.rows}>
      <legend>{text.runVariables}</legend>
      {ids.map((id, index) => (
        <div key={id} className={styles.row}>
          <input
            name={`variable-name-${id}`}
            aria-label={text.variableName(index + 1)}
            placeholder={text.namePlaceholder}
            pattern="(?!CI_)[A-Za-z_][A-Za-z0-9_]*"
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            required
            defaultValue={given[id]?.[0]}
            autoFocus={given[id] === undefined}
          />
          <input
            name={`variable-value-${id}`}
            aria-label={text.variableValue(index + 1)}
            placeholder={text.valuePlaceholder}
            defaultValue={given[id]?.[1]}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
          />
          <IconButton
            label={text.removeVariable(index + 1)}
            onClick={() => setIds(ids.filter((other) => other !== id))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button icon={<Plus aria-hidden />} onClick={add}>
        {text.addVariable}
      </Button>
      <div className={styles.hint}>{text.runVariablesHint}</div>
    </fieldset>
  );
}

export function variablesOf(values: Readonly<Record<string, string>>): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [field, name] of Object.entries(values)) {
    const id = /^variable-name-(\d+)$/.exec(field)?.[1];
    if (id !== undefined && name !== "") variables[name] = values[`variable-value-${id}`] ?? "";
  }
  return variables;
}
