/** The text of a file and the message of the commit that saves it. What was typed stays until it is saved. */
import { useState } from "react";
import { useNavigate } from "react-router";
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/contents.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { LeaveGuard, savedState } from "../../ui/leave-guard.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { newMergeRequestAddress, proposalAddress } from "../merge-requests/addresses.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { toBase64 } from "./file-content.ts";
import styles from "./file-editor.module.css";
import { useCommitTarget } from "./use-commit-target.tsx";

export interface FileEditorProps {
  branch: string;
  /** Of a new file, the directory with a slash at its end. */
  path: string;
  initial: string;
  /** The object that is replaced; undefined for a new file. */
  sha: string | undefined;
}

interface Version {
  path: string;
  message: string;
  content: string;
  sha: string | undefined;
}

export function FileEditor({ branch, path, initial, sha }: FileEditorProps) {
  const hasWindowsEnds = initial.includes("\r\n");
  // Fields have no other line ends than these.
  const [before] = useState({ content: initial.replaceAll("\r\n", "\n"), sha });
  const [content, setContent] = useState(before.content);
  const [name, setName] = useState(path);
  const [message, setMessage] = useState("");
  const target = useCommitTarget(branch);
  const save = useSave(target.branch, useLeave(branch, target.isNew ? target.branch : undefined));
  const isConflict = save.error instanceof ForgelineApiError && save.error.status === 409;
  const suggestion = sha === undefined ? text.createMessage(name) : text.updateMessage(name);
  const version = (over: string | undefined): Version => ({
    path: name,
    message: message.trim() === "" ? suggestion : message,
    content: hasWindowsEnds ? content.replaceAll("\n", "\r\n") : content,
    sha: over,
  });
  const saveOver = useSaveOver(target.branch, (newer) => save.mutate(version(newer)));
  return (
    <>
      <Form
        submit={text.save}
        state={target.state.isPending || target.state.error ? target.state : save}
        disabled={sha !== undefined && content === before.content}
        onSubmit={() => target.prepare(() => save.mutate(version(before.sha)))}
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
          hint={target.fields ? undefined : text.messageHint(branch)}
          placeholder={suggestion}
          value={message}
          autoComplete="off"
          onChange={(event) => setMessage(event.target.value)}
        />
        {target.fields}
        {isConflict ? <Notice tone="warn">{sha === undefined ? text.isThere : text.conflict}</Notice> : null}
      </Form>
      <LeaveGuard isDirty={() => content !== before.content} />
    </>
  );
}

/** To the file, or to where the new branch is proposed. */
function useLeave(branch: string, proposed: string | undefined) {
  const repository = useRepository();
  const navigate = useNavigate();
  const isFork = repository.upstream !== null;
  return (path: string) => {
    const address =
      proposed === undefined
        ? fileAddress(repository, "blob", { ref: branch, path })
        : isFork
          ? proposalAddress(repository, { source: proposed })
          : newMergeRequestAddress(repository, { source: proposed, target: branch });
    return navigate(address, { state: savedState });
  };
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

function useSave(branch: string, onSaved: (path: string) => unknown) {
  const place = useRepositoryPath();
  return useChange(
    async ({ path, message, content, sha }: Version) => {
      const body = { message, content: toBase64(content), branch, ...(sha === undefined ? {} : { sha }) };
      await api.PUT("/repos/{owner}/{repo}/contents/{path}", { params: { path: { ...place, path } }, body });
      return path;
    },
    { said: text.isSaved, onDone: onSaved },
  );
}

/** Asks for the version that is there now, so that the next save replaces it. */
function useSaveOver(branch: string, onFound: (sha: string | undefined) => void) {
  const place = useRepositoryPath();
  return useChange(
    async (path: string) => {
      const { data } = await api.GET("/repos/{owner}/{repo}/contents/{path}", {
        params: { path: { ...place, path }, query: { ref: branch } },
      });
      return Array.isArray(data) ? undefined : data?.sha;
    },
    { onDone: onFound },
  );
}
