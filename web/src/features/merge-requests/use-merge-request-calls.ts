/** The operations of the merge request that the address names. */
import { useMemo } from "react";
import type { WorkItemCalls } from "../work-items/work-item.ts";
import { mergeRequestCalls } from "./merge-request-calls.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function useMergeRequestCalls(): WorkItemCalls {
  const { owner, repo, number } = useMergeRequestPath();
  return useMemo(() => mergeRequestCalls({ owner, repo, number }), [owner, repo, number]);
}
