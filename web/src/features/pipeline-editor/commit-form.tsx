/** Message and branch of the commit. */
import { text } from "../../text/pipeline-editor.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";

export interface CommitFormProps {
  file: string;
  gitRef: string;
  isNew: boolean;
  /** The server found errors in the text. */
  isBroken: boolean;
  state: { isPending: boolean; error: unknown };
  onCommit: (values: { message: string; branch: string }) => void;
}

export function CommitForm({ file, gitRef, isNew, isBroken, state, onCommit }: CommitFormProps) {
  return (
    <Section title={text.commitTitle}>
      <Form
        submit={text.commit}
        state={state}
        onSubmit={({ message = "", branch = "" }) => onCommit({ message, branch: branch.trim() })}
      >
        <TextField
          label={text.message}
          name="message"
          defaultValue={isNew ? text.addMessage(file) : text.changeMessage(file)}
          required
          autoComplete="off"
        />
        <TextField
          label={text.commitBranch}
          hint={text.commitBranchHint(gitRef)}
          name="branch"
          defaultValue={gitRef}
          required
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
        />
        {isBroken ? <Notice tone="warn">{text.brokenHint}</Notice> : null}
      </Form>
    </Section>
  );
}
