/** Asks before something that cannot be taken back; with `typeName`, its name has to be typed first. */
import { useState, type ReactNode } from "react";
import { text } from "../text/general.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form, type FormValues } from "./form.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** What the button says, a verb. */
  confirm: string;
  typeName?: string;
  /** Further fields are handed over as they were filled in. */
  onConfirm: (values: FormValues) => void;
  state: { isPending: boolean; error: unknown };
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, children, confirm, typeName, onConfirm, state } = props;
  const [typed, setTyped] = useState("");
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Form
        submit={confirm}
        danger
        state={state}
        onCancel={onClose}
        disabled={typeName !== undefined && typed !== typeName}
        onSubmit={(values) => {
          if (typeName === undefined || typed === typeName) onConfirm(values);
        }}
      >
        {children}
        {typeName === undefined ? null : (
          <TextField
            label={text.typeToConfirm(typeName)}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
