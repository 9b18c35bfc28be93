/** Writes a pipeline file in the browser: `?ref=` is the branch, `?file=` one of its pipeline files or a new one. */
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/pipeline-editor.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { mayRun } from "../pipelines/may-run.ts";
import { RefField } from "../pipelines/ref-field.tsx";
import { singleFile, usePipelineFiles } from "../pipelines/use-pipeline-files.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Editing } from "./editing.tsx";
import styles from "./pipeline-editor.module.css";
import { usePipelineFile } from "./use-pipeline-file.ts";

const fileForm = /^\.forgeline(?:\.yml|\/[^/]+\.ya?ml)$/;

export function PipelineEditorPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const ref = query.get("ref") ?? repository.default_branch;
  const files = usePipelineFiles(ref);
  if (!mayRun(repository)) return <NotFound />;
  const wanted = query.get("file");
  return (
    <Page title={files.data?.length === 0 ? text.newTitle : text.title} within={repository.full_name}>
      {isNotFound(files.error) ? (
        <>
          <Choice gitRef={ref} file="" files={[]} />
          <Notice tone="warn">{text.noRef(ref)}</Notice>
        </>
      ) : (
        <QueryView query={files} lines={10}>
          {(found) => {
            const file = wanted !== null && fileForm.test(wanted) ? wanted : (found[0] ?? singleFile);
            return (
              <>
                <Choice gitRef={ref} file={file} files={found} />
                <Opened key={`${ref}\n${file}`} gitRef={ref} file={file} isThere={found.includes(file)} />
              </>
            );
          }}
        </QueryView>
      )}
    </Page>
  );
}

/** Which file of which branch. */
function Choice({ gitRef, file, files }: { gitRef: string; file: string; files: readonly string[] }) {
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
        <Dialog open onClose={() => setNaming(false)} title={text.newTitle}>
          <Form
            submit={text.open}
            state={{ isPending: false, error: null }}
            onCancel={() => setNaming(false)}
            onSubmit={({ name = "" }) => {
              setNaming(false);
              go(gitRef, `.forgeline/${name}.yml`);
            }}
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
      ) : null}
    </div>
  );
}

function Opened({ gitRef, file, isThere }: { gitRef: string; file: string; isThere: boolean }) {
  const opened = usePipelineFile(gitRef, file, isThere);
  return (
    <QueryView query={opened} lines={10}>
      {(content) => <Editing gitRef={gitRef} file={file} content={content} />}
    </QueryView>
  );
}
