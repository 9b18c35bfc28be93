/** Closes an issue as a duplicate, with the issue that says the same where somebody names it. */
import { useState } from "react";
import { createPortal } from "react-dom";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/issues.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import type { useChange } from "../../ui/use-change.ts";

interface DuplicateDialogProps {
  state: Pick<ReturnType<typeof useChange>, "error" | "isPending">;
  /** Undefined: none was named. */
  onSubmit: (duplicateOf: number | string | undefined) => void;
  onClose: () => void;
}

export function DuplicateDialog({ state, onSubmit, onClose }: DuplicateDialogProps) {
  const [name, setName] = useState("");
  // The buttons that open it stand in the form of the comment: neither is to be within the other, nor sent with it.
  return createPortal(
    <div onSubmit={(event) => event.stopPropagation()}>
      <Dialog open onClose={onClose} title={text.duplicateTitle} lead={text.duplicateHint}>
        <Form
          submit={text.closeIssue}
          state={state}
          onSubmit={() => onSubmit(sameIssue(name))}
          onCancel={onClose}
        >
          <TextField
            label={text.duplicateOf}
            hint={text.duplicateOfHint}
            autoComplete="off"
            maxLength={220}
            value={name}
            problem={fieldProblems(state.error)["duplicate_of"]}
            onChange={(event) => setName(event.target.value)}
          />
        </Form>
      </Dialog>
    </div>,
    document.body,
  );
}

/** `12` and `#12` are of the same repository. */
function sameIssue(name: string): number | string | undefined {
  const trimmed = name.trim();
  if (trimmed === "") return undefined;
  const [, number] = /^#?([1-9]\d*)$/.exec(trimmed) ?? [];
  return number === undefined ? trimmed : Number(number);
}
