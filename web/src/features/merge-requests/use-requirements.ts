/** What the rules want of the merge request that the address names; asked for again with the merge request. */
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export interface Requirements {
  approvals: Schemas["MergeRequestApprovals"];
  checks: Schemas["MergeRequestCheck"][];
}

/** undefined until it is there. */
export function useRequirements(mergeRequest: MergeRequest): Requirements | undefined {
  const path = useMergeRequestPath();
  const { head_sha: head, blocked_by: blockedBy, mergeable, updated_at: updatedAt } = mergeRequest;
  const { data } = useQuery({
    queryKey: ["merge-request-requirements", path, head, mergeable, updatedAt, ...blockedBy],
    queryFn: async ({ signal }) => {
      const params = { path, query: { per_page: 100 } };
      const [approvals, checks] = await Promise.all([
        api.GET("/repos/{owner}/{repo}/merge-requests/{number}/approvals", { params: { path }, signal }),
        api.GET("/repos/{owner}/{repo}/merge-requests/{number}/checks", { params, signal }),
      ]);
      return { approvals: approvals.data!, checks: checks.data ?? [] };
    },
    placeholderData: (before) => before,
  });
  return data;
}
