/** The message, and the button that makes the commit once every file is resolved. */
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { isConflict } from "../../api/problem.ts";
import { text } from "../../text/conflicts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { savedState } from "../../ui/leave-guard.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useChange } from "../../ui/use-change.ts";
import { mergeRequestAddress } from "../merge-requests/addresses.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { resolutions, unresolved, type Answers } from "./resolution.ts";
import type { BranchNames, Conflicts } from "./types.ts";

interface CommitResolutionProps {
  conflicts: Conflicts;
  answers: Answers;
  names: BranchNames;
  onAgain: () => void;
}

export function CommitResolution({ conflicts, answers, names, onAgain }: CommitResolutionProps) {
  const repository = useRepository();
  const path = useMergeRequestPath();
  const navigate = useNavigate();
  const { files, head_sha, target_sha } = conflicts;
  const left = unresolved(files, answers).length;
  const commit = useChange(
    ({ message = "" }: FormValues) =>
      api.POST("/repos/{owner}/{repo}/merge-requests/{number}/conflicts/resolve", {
        params: { path },
        body: {
          head_sha,
          target_sha,
          files: resolutions(files, answers),
          ...(message.trim() === "" ? {} : { commit_message: message }),
        },
      }),
    {
      said: text.done,
      onDone: () => navigate(mergeRequestAddress(repository, path.number), { state: savedState }),
    },
  );
  return (
    <Form
      submit={text.commit}
      state={commit}
      onSubmit={commit.mutate}
      disabled={left > 0}
      aside={isConflict(commit.error) ? <Button onClick={onAgain}>{text.again}</Button> : null}
    >
      <p role="status">{text.filesLeft(left, files.length)}</p>
      <TextField
        name="message"
        label={text.message}
        placeholder={text.defaultMessage(names.source, names.target)}
        autoComplete="off"
      />
      {isConflict(commit.error) ? <Notice tone="warn">{text.againHint}</Notice> : null}
    </Form>
  );
}
