/** The operations of a merge request that its conversation needs. */
import { useMemo } from "react";
import { api } from "../../api/client.ts";
import type { WorkItemCalls } from "../work-items/work-item.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

const address = "/repos/{owner}/{repo}/merge-requests/{number}";

export function useMergeRequestCalls(): WorkItemCalls {
  const { owner, repo, number } = useMergeRequestPath();
  return useMemo(() => {
    const path = { owner, repo, number };
    return {
      key: ["merge-request", owner, repo, String(number)],
      comments: (query) => api.GET(`${address}/comments`, { params: { path, query } }),
      timeline: (query) => api.GET(`${address}/timeline`, { params: { path, query } }),
      comment: (body) => api.POST(`${address}/comments`, { params: { path }, body: { body } }),
      newestBody: async () => (await api.GET(address, { params: { path } })).data?.description ?? "",
      saveBody: (description) => api.PATCH(address, { params: { path }, body: { description } }),
    };
  }, [owner, repo, number]);
}
