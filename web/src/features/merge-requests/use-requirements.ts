/** What the rules want of the merge request that the address names; asked for again with the merge request. */
import { useQuery } from "@tanstack/react-query";
import { earlyRequirements, type Requirements } from "./early-answers.ts";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

/** undefined until it is there. */
export function useRequirements(mergeRequest: MergeRequest): Requirements | undefined {
  const path = useMergeRequestPath();
  const { head_sha: head, blocked_by: blockedBy, mergeable, updated_at: updatedAt } = mergeRequest;
  const { data } = useQuery({
    queryKey: ["merge-request-requirements", path, head, mergeable, updatedAt, ...blockedBy],
    queryFn: ({ signal }) => earlyRequirements.take(path, signal),
    placeholderData: (before) => before,
  });
  return data;
}
