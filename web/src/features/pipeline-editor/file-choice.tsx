/** Chooses the branch and the file that the editor opens. */
import { useState } from "react";
import { useNavigate } from "react-router";
import { text } from "../../text/pipeline-editor.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { RefField } from "../pipelines/ref-field.tsx";
import { singleFile } from "../pipelines/use-pipeline-files.ts";
import styles from "./pipeline-editor.module.css";

/** `file` is empty if the branch does not exist; then there is no field for it. */
export function FileChoice({
  gitRef,
  file,
  files,
}: {
  gitRef: string;
  file: string;
  files: readonly string[];
}) {
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const go = (ref: string, to?: string) =>
    void navigate(`?${new URLSearchParams({ ref, ...(to === undefined ? {} : { file: to }) }).toString()}`);
  const shown = file === "" || files.includes(file) ? files : [...files, file];
  // A single .forgeline.yml stands alone.
  const mayAdd = files.length > 0 && !files.includes(singleFile);
  return (
    <div className={styles.choice}>
      <RefField
        key={gitRef}
        label={text.branch}
        name="ref"
        defaultValue={gitRef}
        branchesOnly
        onChosen={(chosen) => {
          if (chosen !== "" && chosen !== gitRef) go(chosen);
        }}
      />
      {shown.length > 0 ? (
        <SelectField
          label={text.file}
          value={file}
          onChange={({ target }) => (target.value === "" ? setNaming(true) : go(gitRef, target.value))}
        >
          {shown.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {mayAdd ? <option value="">{text.newFile}</option> : null}
        </SelectField>
      ) : null}
      {isNaming ? (
        <NewFileDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            setNaming(false);
            go(gitRef, `.forgeline/${name}.yml`);
          }}
        />
      ) : null}
    </div>
  );
}

function NewFileDialog({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }) {
  return (
    <Dialog open onClose={onClose} title={text.newTitle}>
      <Form
        submit={text.open}
        state={{ isPending: false, error: null }}
        onCancel={onClose}
        onSubmit={({ name = "" }) => onName(name)}
      >
        <TextField
          label={text.newFileName}
          hint={text.newFileHint}
          name="name"
          pattern="[A-Za-z0-9][A-Za-z0-9_\-]*"
          maxLength={60}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
