/** Changes the title and, while it is open, the branch to merge into. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { RefField } from "../branches/ref-fields.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function EditMergeRequest({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const path = useMergeRequestPath();
  const { title, target_branch: target, state } = mergeRequest;
  return (
    <FormButton
      label={text.edit}
      title={text.editTitle}
      submit={text.save}
      said={text.saved}
      run={({ title: newTitle = "", target: newTarget = target }) => {
        const isMoved = state === "open" && newTarget !== target;
        const body = { title: newTitle, ...(isMoved ? { target_branch: newTarget } : {}) };
        return api.PATCH("/repos/{owner}/{repo}/merge-requests/{number}", { params: { path }, body });
      }}
    >
      {(problems) => (
        <>
          <TextField
            name="title"
            label={text.titleField}
            required
            maxLength={255}
            autoComplete="off"
            defaultValue={title}
            problem={problems["title"]}
          />
          {state === "open" ? (
            <RefField
              name="target"
              label={text.target}
              defaultValue={target}
              problem={problems["target_branch"]}
            />
          ) : null}
        </>
      )}
    </FormButton>
  );
}
