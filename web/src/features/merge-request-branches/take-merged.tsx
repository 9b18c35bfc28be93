/** Opens a merge request that undoes what was merged, or brings it to another branch too. */
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-request-branches.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { RefField } from "../branches/ref-fields.tsx";
import { mergeRequestAddress } from "../merge-requests/addresses.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository } from "../repositories/use-repository.ts";

export function TakeMerged({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const repository = useRepository();
  if (mergeRequest.state !== "merged" || !canWrite(repository)) return null;
  return (
    <>
      <Revert mergeRequest={mergeRequest} />
      <CherryPick />
    </>
  );
}

function Revert({ mergeRequest: { target_branch: target } }: { mergeRequest: MergeRequest }) {
  const path = useMergeRequestPath();
  const goThere = useGoThere();
  return (
    <FormButton
      label={text.revert}
      title={text.revertTitle}
      lead={text.revertLead(target)}
      submit={text.revertSubmit}
      said={text.opened}
      onDone={goThere}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/merge-requests/{number}/revert", {
          params: { path },
          body: bodyOf(values),
        })
      }
    >
      {(problems) => <NewBranch problems={problems} />}
    </FormButton>
  );
}

function CherryPick() {
  const path = useMergeRequestPath();
  const goThere = useGoThere();
  return (
    <FormButton
      label={text.cherryPick}
      title={text.cherryPickTitle}
      lead={text.cherryPickLead}
      submit={text.revertSubmit}
      said={text.opened}
      onDone={goThere}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/merge-requests/{number}/cherry-pick", {
          params: { path },
          body: { target: values["target"]?.trim() ?? "", ...bodyOf(values) },
        })
      }
    >
      {(problems) => (
        <>
          <RefField name="target" label={text.target} defaultValue="" problem={problems["target"]} />
          <NewBranch problems={problems} />
        </>
      )}
    </FormButton>
  );
}

function NewBranch({ problems }: { problems: Record<string, string> }) {
  return (
    <TextField
      name="branch"
      label={text.branch}
      hint={text.branchHint}
      maxLength={1000}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      problem={problems["branch"]}
    />
  );
}

function bodyOf(values: FormValues) {
  const branch = values["branch"]?.trim() ?? "";
  return { create_merge_request: true, ...(branch === "" ? {} : { branch }) };
}

/** To the merge request that was opened. */
function useGoThere() {
  const navigate = useNavigate();
  const repository = useRepository();
  return ({ data }: { data?: Schemas["BranchMade"] | undefined }) => {
    const opened = data?.merge_request;
    if (opened) void navigate(mergeRequestAddress(repository, opened.number));
  };
}
