/** Edits a description or a comment. A text that somebody else changed meanwhile is not replaced unseen. */
import { useState } from "react";
import { text } from "../../text/work-items.ts";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import styles from "./edit-text.module.css";

export interface EditTextProps {
  label: string;
  /** As it was when editing began. */
  body: string;
  place: MarkdownPlace;
  draftKey: string;
  required?: boolean;
  newest: () => Promise<string>;
  /** `previous`: what was read. */
  save: (body: string, previous: string) => Promise<unknown>;
  said: string;
  onClose: () => void;
}

export function EditText(props: EditTextProps) {
  const { label, body, place, draftKey, required = false, said } = props;
  const [value, setValue] = useState(body);
  const [base, setBase] = useState(body);
  const close = () => {
    forgetDraft(draftKey);
    props.onClose();
  };
  const change = useChange(
    async () => {
      const newest = await props.newest();
      if (newest !== base && newest !== value) {
        setBase(newest);
        throw new Error(text.changedMeanwhile);
      }
      await props.save(value, newest);
    },
    { said, onDone: close },
  );
  return (
    <Form submit={text.save} state={change} onSubmit={() => change.mutate(undefined)} onCancel={close}>
      <MarkdownField {...{ label, value, place, draftKey, required }} onChange={setValue} rows={8} />
      {base === body ? null : (
        <details open>
          <summary>{text.newestText}</summary>
          <pre className={styles.newest} tabIndex={0}>
            {base}
          </pre>
        </details>
      )}
    </Form>
  );
}
