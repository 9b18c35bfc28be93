/** Whether pages offer to change files at a ref: at a branch, to users with write access. The server decides anyway. */
import { $api } from "../../api/client.ts";
import { isCommitId } from "../commits/commit-id.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

/** Undefined until it is known. */
export function useCanCommit(ref: string): boolean | undefined {
  const repository = useRepository();
  const isDefault = ref === repository.default_branch;
  const isPossible = canWrite(repository) && !isCommitId(ref);
  const branches = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/branches",
    { params: { path: useRepositoryPath(), query: { name: ref } } },
    { enabled: isPossible && !isDefault, staleTime: 30_000 },
  );
  if (!isPossible || isDefault) return isPossible;
  return branches.data && branches.data.length > 0;
}
