/** Changes the title and, while it is open, the branch to merge into, and whether maintainers may push to the source branch of a fork. */
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/merge-requests.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { RefField } from "../branches/ref-fields.tsx";
import { EditsField } from "./edits-field.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { isForeign } from "./source-name.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function EditMergeRequest({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const path = useMergeRequestPath();
  const { title, target_branch: target, state, maintainer_can_modify: allowed } = mergeRequest;
  const asksEdits = useAsksEdits(mergeRequest);
  return (
    <FormButton
      label={text.edit}
      title={text.editTitle}
      submit={text.save}
      said={text.saved}
      run={({ title: newTitle = "", target: newTarget = target, edits }) => {
        const isMoved = state === "open" && newTarget !== target;
        const isSwitched = asksEdits && (edits === "on") !== allowed;
        const body = {
          title: newTitle,
          ...(isMoved ? { target_branch: newTarget } : {}),
          ...(isSwitched ? { maintainer_can_modify: !allowed } : {}),
        };
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
          {asksEdits ? (
            <EditsField defaultChecked={allowed} problem={problems["maintainer_can_modify"]} />
          ) : null}
        </>
      )}
    </FormButton>
  );
}

/** The author decides, while it is open. */
function useAsksEdits(mergeRequest: MergeRequest): boolean {
  const { id } = useRepository();
  const me = useSession()?.user.id;
  const { state, author, source_repo: source } = mergeRequest;
  const isMine = me !== undefined && me === author?.id;
  return state === "open" && isMine && source !== null && isForeign(mergeRequest, id);
}
