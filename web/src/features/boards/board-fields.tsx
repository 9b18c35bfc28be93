/** The fields of a board: its name, its filter, and its columns in their order. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { ArrowLeft, ArrowRight, X } from "lucide-react";
import { useState } from "react";
import { text } from "../../text/boards.ts";
import { IconButton } from "../../ui/button.tsx";
import { FieldGroup, SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { useLabels } from "../work-items/choices.tsx";
import styles from "./board-fields.module.css";
import type { Board } from "./use-board.ts";

const maxColumns = 20;

export function BoardFields({ board, problems }: { board?: Board; problems: Record<string, string> }) {
  return (
    <>
      <TextField
        name="name"
        label={text.name}
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={board?.name ?? ""}
        problem={problems["name"]}
      />
      <ColumnsField
        before={board?.columns.flatMap(({ label }) => (label ? [label.name] : [])) ?? []}
        problem={problems["columns"]}
      />
      <TextField
        name="filter"
        label={text.filter}
        hint={text.filterHint}
        maxLength={maxQueryChars}
        autoComplete="off"
        defaultValue={board?.filter ?? ""}
        problem={problems["filter"]}
      />
    </>
  );
}

function ColumnsField({ before, problem }: { before: readonly string[]; problem: string | undefined }) {
  const [names, setNames] = useState(before);
  const labels = useLabels() ?? [];
  const others = labels.filter(({ name }) => !names.includes(name));
  const swap = (at: number, to: number) => setNames(names.with(at, names[to]!).with(to, names[at]!));
  return (
    <FieldGroup legend={text.columns} problem={problem}>
      {/* No name of a label has a comma. */}
      <input type="hidden" name="columns" value={names.join(",")} />
      <p className={styles.hint}>{names.length === 0 ? text.noColumns : text.columnsHint}</p>
      <ol className={styles.columns}>
        {names.map((name, at) => (
          <li key={name}>
            <LabelChip name={name} color={labels.find((label) => label.name === name)?.color ?? "cccccc"} />
            <span>
              <IconButton label={text.earlier(name)} disabled={at === 0} onClick={() => swap(at, at - 1)}>
                <ArrowLeft size={15} aria-hidden />
              </IconButton>
              <IconButton
                label={text.later(name)}
                disabled={at === names.length - 1}
                onClick={() => swap(at, at + 1)}
              >
                <ArrowRight size={15} aria-hidden />
              </IconButton>
              <IconButton label={text.removeColumn(name)} onClick={() => setNames(names.toSpliced(at, 1))}>
                <X size={15} aria-hidden />
              </IconButton>
            </span>
          </li>
        ))}
      </ol>
      {others.length === 0 || names.length >= maxColumns ? null : (
        <SelectField
          label={text.addColumn}
          value=""
          onChange={(event) => setNames([...names, event.target.value])}
        >
          <option value="" disabled>
            {text.chooseLabel}
          </option>
          {others.map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
        </SelectField>
      )}
    </FieldGroup>
  );
}

/** As a body of the API. */
export function boardOf(values: FormValues) {
  return {
    name: values["name"] ?? "",
    filter: values["filter"] ?? "",
    columns: (values["columns"] ?? "").split(",").filter((name) => name !== ""),
  };
}
