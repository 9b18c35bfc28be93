/** Names and values, as many as one wants. */
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import styles from "./named-rows.module.css";

export interface RowWords {
  legend: string;
  hint: string;
  namePlaceholder: string;
  valuePlaceholder: string;
  add: string;
  nameOf: (number: number) => string;
  valueOf: (number: number) => string;
  remove: (number: number) => string;
}

export interface NamedRowsProps {
  /** In the form they are `PREFIX-name-ID` and `PREFIX-value-ID`; `namedValues` puts them together again. */
  prefix: string;
  words: RowWords;
  /** Of a name. */
  pattern: string;
  known?: Readonly<Record<string, string | number | boolean>>;
  problem?: string | undefined;
}

export function NamedRows({ prefix, words, pattern, known = {}, problem }: NamedRowsProps) {
  const given = Object.entries(known);
  const [ids, setIds] = useState<readonly number[]>([...given.keys()]);
  const add = () => setIds([...ids, Math.max(given.length, (ids.at(-1) ?? 0) + 1)]);
  return (
    <fieldset className={styles.rows} data-invalid={problem ? true : undefined}>
      <legend>{words.legend}</legend>
      {ids.map((id, index) => (
        <div key={id} className={styles.row}>
          <input
            name={`${prefix}-name-${id}`}
            aria-label={words.nameOf(index + 1)}
            placeholder={words.namePlaceholder}
            pattern={pattern}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            required
            defaultValue={given[id]?.[0]}
            autoFocus={given[id] === undefined}
          />
          <input
            name={`${prefix}-value-${id}`}
            aria-label={words.valueOf(index + 1)}
            placeholder={words.valuePlaceholder}
            defaultValue={given[id] && String(given[id][1])}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
          />
          <IconButton
            label={words.remove(index + 1)}
            onClick={() => setIds(ids.filter((other) => other !== id))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button icon={<Plus aria-hidden />} onClick={add}>
        {words.add}
      </Button>
      <div className={styles.hint}>{words.hint}</div>
      {problem ? (
        <div className={styles.problem} role="alert">
          {problem}
        </div>
      ) : null}
    </fieldset>
  );
}

export function namedValues(
  values: Readonly<Record<string, string>>,
  prefix: string,
): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [field, name] of Object.entries(values)) {
    if (!field.startsWith(`${prefix}-name-`) || name === "") continue;
    named[name] = values[field.replace("-name-", "-value-")] ?? "";
  }
  return named;
}
