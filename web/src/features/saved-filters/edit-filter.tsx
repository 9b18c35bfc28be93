/** Renames a saved filter, or changes what it asks for, in a dialog. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/saved-filters.ts";
import { IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";

/** What can be changed in a saved filter. */
export interface FilterFields {
  name: string;
  query: string;
}

export interface EditFilterProps {
  filter: FilterFields;
  save: (fields: FilterFields) => Promise<unknown>;
}

export function EditFilter({ filter, save }: EditFilterProps) {
  const [open, setOpen] = useState(false);
  const change = useChange(save, { said: text.changed, onDone: () => setOpen(false) });
  const problems = fieldProblems(change.error);
  const close = () => {
    setOpen(false);
    change.reset();
  };
  return (
    <>
      <IconButton label={text.edit(filter.name)} onClick={() => setOpen(true)}>
        <Pencil size={15} aria-hidden />
      </IconButton>
      <Dialog open={open} onClose={close} title={text.editTitle}>
        <Form
          submit={text.saveChanges}
          state={change}
          onSubmit={({ name = "", query = "" }) => change.mutate({ name, query })}
          onCancel={close}
        >
          <TextField
            name="name"
            label={text.name}
            defaultValue={filter.name}
            required
            maxLength={100}
            autoComplete="off"
            problem={problems["name"]}
          />
          <TextField
            name="query"
            label={text.query}
            hint={text.queryHint}
            defaultValue={filter.query}
            required
            maxLength={maxQueryChars}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            problem={problems["query"]}
          />
        </Form>
      </Dialog>
    </>
  );
}
