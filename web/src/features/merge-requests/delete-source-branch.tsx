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
  const repositoryPath = useRepositoryPath();
  const isOffered =
    canWrite(repository) && source?.id === repository.id && name !== repository.default_branch;
  // A list, since it is no error that the branch is gone.
  const branches = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/branches",
    { params: { path: repositoryPath, query: { name } } },
    { enabled: isOffered },
  );
  if (!isOffered || !branches.data?.length) return null;
  return (
    <ConfirmButton
      kind="normal"
      label={text.deleteBranch}
      title={text.deleteBranchNamed(name)}
      said={text.branchDeleted(name)}
      run={() =>
        api.DELETE("/repos/{owner}/{repo}/branches/{branch}", {
          params: { path: { ...repositoryPath, branch: name } },
        })
      }
    >
      {state === "merged" ? text.deleteBranchHint : text.deleteUnmergedHint}
    </ConfirmButton>
  );
}
