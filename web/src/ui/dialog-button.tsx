/** Buttons that open a dialog, and whose dialog changes something over the API: to be confirmed, or to be filled in. */
import { useState, type ReactNode } from "react";
import { fieldProblems, isNotFound } from "../api/problem.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, type FormValues } from "./form.tsx";
import { useChange, type ChangeOptions } from "./use-change.ts";

interface DialogButtonProps<Output> extends ChangeOptions<Output> {
  /** On the button. */
  label: string;
  /** What the button is called where `label` alone stands in several rows, for screen readers. */
  name?: string;
  /** Of the dialog. */
  title: string;
  icon?: ReactNode;
  /** On the button of the dialog, a verb; the label where it is not given. */
  submit?: string;
  run: (values: FormValues) => Promise<Output>;
}

/** For what cannot be taken back, or not easily. */
export function ConfirmButton<Output>(
  props: DialogButtonProps<Output> & { typeName?: string; children?: ReactNode; kind?: ButtonProps["kind"] },
) {
  const { label, name, title, icon, submit = label, typeName, children, kind = "danger" } = props;
  const [open, setOpen] = useState(false);
  const change = useDialogChange(props, () => setOpen(false));
  return (
    <>
      <Button kind={kind} icon={icon} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => {
          setOpen(false);
          change.reset();
        }}
        title={title}
        confirm={submit}
        state={change}
        onConfirm={change.mutate}
        {...(typeName === undefined ? {} : { typeName })}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}

/** For a form that is too much to stand on the page by itself. `children` gets the problems of its fields. */
export function FormButton<Output>(
  props: DialogButtonProps<Output> & {
    lead?: ReactNode;
    kind?: ButtonProps["kind"];
    /** Field → what it says when the server does not find what it names. */
    absent?: Readonly<Record<string, string>>;
    children: (problems: Record<string, string>) => ReactNode;
  },
) {
  const { label, name, title, icon, submit = label, lead, kind = "normal", absent, children } = props;
  const [open, setOpen] = useState(false);
  const change = useDialogChange(props, () => setOpen(false));
  const close = () => {
    setOpen(false);
    change.reset();
  };
  return (
    <>
      <Button kind={kind} icon={icon} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={open} onClose={close} title={title} lead={lead}>
        <Form submit={submit} state={change} onSubmit={change.mutate} onCancel={close}>
          {children(absent && isNotFound(change.error) ? absent : fieldProblems(change.error))}
        </Form>
      </Dialog>
    </>
  );
}

/** The dialog closes when it has worked, before what it changed is shown. */
function useDialogChange<Output>(
  { run, said, onDone, gone }: Pick<DialogButtonProps<Output>, "run" | "said" | "onDone" | "gone">,
  close: () => void,
) {
  return useChange(run, {
    said,
    gone,
    onDone: async (output) => {
      close();
      await onDone?.(output);
    },
  });
}
