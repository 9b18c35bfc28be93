/** Deletes the source branch of a merge request that has ended, as long as it is there. */
import { $api, api } from "../../api/client.ts";
import { text } from "../../text/merge-requests.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import type { MergeRequest } from "./merge-request.ts";

export function DeleteSourceBranch({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const repository = useRepository();
  const { source_branch: name, source_repo: source, state } = mergeRequest;
  const path = { ...useRepositoryPath(), branch: name };
  const isOffered =
    canWrite(repository) && source?.id === repository.id && name !== repository.default_branch;
  const branch = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/branches/{branch}",
    { params: { path } },
    { enabled: isOffered },
  );
  if (!isOffered || branch.error || !branch.data) return null;
  return (
    <ConfirmButton
      kind="normal"
      label={text.deleteBranch}
      title={text.deleteBranchNamed(name)}
      said={text.branchDeleted(name)}
      run={() => api.DELETE("/repos/{owner}/{repo}/branches/{branch}", { params: { path } })}
    >
      {state === "merged" ? text.deleteBranchHint : text.deleteUnmergedHint}
    </ConfirmButton>
  );
}
