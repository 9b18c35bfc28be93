/** The text of a file and the message of the commit that saves it. What was typed stays until it is saved. */
import { useState } from "react";
import { useNavigate } from "react-router";
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/contents.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { LeaveGuard, savedState } from "../../ui/leave-guard.tsx";
import { Notice } from "../../ui/notice.tsx";
import { proposalAddress } from "../merge-requests/addresses.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { branchFor } from "./branch-for.ts";
import { CommitTarget } from "./commit-target.tsx";
import styles from "./file-editor.module.css";
import { useSaveFile, useSaveOver, type Version } from "./use-save-file.ts";

export interface FileEditorProps {
  branch: string;
  /** Of a new file, the directory with a slash at its end. */
  path: string;
  initial: string;
  /** The object that is replaced; undefined for a new file. */
  sha: string | undefined;
}

export function FileEditor({ branch, path, initial, sha }: FileEditorProps) {
  const hasWindowsEnds = initial.includes("\r\n");
  // Fields have no other line ends than these.
  const [before] = useState({ content: initial.replaceAll("\r\n", "\n"), sha });
  const [content, setContent] = useState(before.content);
  const [name, setName] = useState(path);
  const [message, setMessage] = useState("");
  const repository = useRepository();
  const navigate = useNavigate();
  const [newBranch, setNewBranch] = useState<string>();
  const save = useSaveFile(branch, (saved) =>
    navigate(
      saved.newBranch === undefined
        ? fileAddress(repository, "blob", { ref: branch, path: saved.path })
        : proposalAddress(repository, { source: saved.newBranch }),
      { state: savedState },
    ),
  );
  const isRefused = save.error instanceof ForgelineApiError && save.error.status === 409;
  const isConflict = isRefused && !save.isBranchTaken;
  const suggestion = sha === undefined ? text.createMessage(name) : text.updateMessage(name);
  const version = (over: string | undefined): Version => ({
    path: name,
    message: message.trim() === "" ? suggestion : message,
    content: hasWindowsEnds ? content.replaceAll("\n", "\r\n") : content,
    sha: over,
    newBranch: newBranch?.trim(),
  });
  const saveOver = useSaveOver(branch, (newer) => save.mutate(version(newer)));
  return (
    <>
      <Form
        submit={text.save}
        state={save}
        disabled={sha !== undefined && content === before.content}
        onSubmit={() => save.mutate(version(before.sha))}
        aside={
          isConflict && sha !== undefined ? (
            <Button busy={saveOver.isPending} onClick={() => saveOver.mutate(name)}>
              {text.saveOver}
            </Button>
          ) : null
        }
      >
        {sha === undefined ? (
          <PathField value={name} onChange={setName} problem={fieldProblems(save.error)["path"]} />
        ) : null}
        <ContentField value={content} onChange={setContent} />
        <TextField
          name="message"
          label={text.message}
          placeholder={suggestion}
          value={message}
          autoComplete="off"
          onChange={(event) => setMessage(event.target.value)}
        />
        <CommitTarget
          branch={branch}
          value={newBranch}
          suggestion={branchFor(name)}
          onChange={setNewBranch}
          problem={fieldProblems(save.error)["name"]}
        />
        {isConflict ? <Notice tone="warn">{sha === undefined ? text.isThere : text.conflict}</Notice> : null}
      </Form>
      <LeaveGuard isDirty={() => content !== before.content} />
    </>
  );
}

interface ValueProps {
  value: string;
  onChange: (value: string) => void;
}

function PathField({ value, onChange, problem }: ValueProps & { problem: string | undefined }) {
  return (
    <TextField
      name="path"
      label={text.path}
      hint={text.pathHint}
      required
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      problem={problem}
    />
  );
}

function ContentField({ value, onChange }: ValueProps) {
  return (
    <div className={styles.content}>
      <label htmlFor="file-text">{text.content}</label>
      <textarea
        id="file-text"
        rows={24}
        value={value}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
