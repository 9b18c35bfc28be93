/** Deletes the source branch of a merge request that has ended, as long as it is there. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { useSourceBranch, useWritableSource } from "../merge-request-branches/use-source-branch.ts";
import type { MergeRequest } from "./merge-request.ts";

export function DeleteSourceBranch({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { source_branch: name, state } = mergeRequest;
  const source = useWritableSource(mergeRequest);
  const isThere = useSourceBranch(mergeRequest);
  if (!source || !isThere || name === source.default_branch) return null;
  const [owner = "", repo = ""] = source.full_name.split("/");
  return (
    <ConfirmButton
      kind="normal"
      label={text.deleteBranch}
      title={text.deleteBranchNamed(name)}
      said={text.branchDeleted(name)}
      run={() =>
        api.DELETE("/repos/{owner}/{repo}/branches/{branch}", {
          params: { path: { owner, repo, branch: name } },
        })
      }
    >
      {state === "merged" ? text.deleteBranchHint : text.deleteUnmergedHint}
    </ConfirmButton>
  );
}
