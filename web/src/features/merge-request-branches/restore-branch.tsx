/** Brings back the source branch of a merge request that has ended, where it is gone. */
import { api } from "../../api/client.ts";
import { text } from "../../text/merge-request-branches.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { useSourceBranch } from "./use-source-branch.ts";

export function RestoreBranch({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const path = useMergeRequestPath();
  const isThere = useSourceBranch(mergeRequest);
  const restore = useAction(
    () => api.POST("/repos/{owner}/{repo}/merge-requests/{number}/restore-branch", { params: { path } }),
    { said: text.restored(mergeRequest.source_branch) },
  );
  if (isThere !== false) return null;
  return (
    <Button busy={restore.isPending} onClick={restore.start}>
      {text.restore}
    </Button>
  );
}
