/** The source branch of a merge request where the reader may push to it: in the same repository, or in their own fork. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { isForeign } from "../merge-requests/source-name.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository } from "../repositories/use-repository.ts";

/** Undefined where the reader may not, as far as is known. */
export function useWritableSource(mergeRequest: MergeRequest): Schemas["Repository"] | undefined {
  const here = useRepository();
  const session = useSession();
  const { source_repo: source, author } = mergeRequest;
  const isElsewhere = isForeign(mergeRequest, here.id);
  // Whoever proposed it sees the fork; others might only learn that they do not.
  const isAuthors = session !== null && session.user.id === author?.id;
  const [owner = "", repo = ""] = source?.full_name.split("/") ?? [];
  const fork = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}",
    { params: { path: { owner, repo } } },
    { enabled: isElsewhere && isAuthors && source !== null },
  );
  const found = isElsewhere ? fork.data : here;
  return found && canWrite(found) ? found : undefined;
}

/** Whether the branch is there; undefined until that is known, and where the reader may not push to it. */
export function useSourceBranch(mergeRequest: MergeRequest): boolean | undefined {
  const source = useWritableSource(mergeRequest);
  const { source_branch: name } = mergeRequest;
  const [owner = "", repo = ""] = source?.full_name.split("/") ?? [];
  // A list, since it is no error that the branch is gone.
  const branches = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/branches",
    { params: { path: { owner, repo }, query: { name } } },
    { enabled: source !== undefined },
  );
  return branches.data && branches.data.length > 0;
}
