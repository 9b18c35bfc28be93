/** The operations of one issue. */
import { useMemo } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { WorkItemCalls } from "../work-items/work-item.ts";

export interface IssueCalls extends WorkItemCalls {
  change: (body: Schemas["IssueUpdate"]) => Promise<unknown>;
}

const address = "/repos/{owner}/{repo}/issues/{number}";

export function useIssueCalls(number: number): IssueCalls {
  const { owner, repo } = useRepositoryPath();
  return useMemo(() => {
    const params = { path: { owner, repo, number } };
    const change = (body: Schemas["IssueUpdate"]) => api.PATCH(address, { params, body });
    return {
      key: [owner, repo, "issues", String(number)],
      comments: (query) => api.GET(`${address}/comments`, { params: { ...params, query } }),
      timeline: (query) => api.GET(`${address}/timeline`, { params: { ...params, query } }),
      comment: (body) => api.POST(`${address}/comments`, { params, body: { body } }),
      newestBody: async () => (await api.GET(address, { params })).data?.body ?? "",
      saveBody: (body) => change({ body }),
      change,
    };
  }, [owner, repo, number]);
}
