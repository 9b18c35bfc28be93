/** The operations of one issue. */
import { useMemo } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { WorkItemCalls } from "../work-items/work-item.ts";
import type { Issue } from "./use-issues.ts";

export interface IssueCalls extends WorkItemCalls {
  read: () => Promise<Issue>;
  change: (body: Schemas["IssueUpdate"]) => Promise<unknown>;
}

const address = "/repos/{owner}/{repo}/issues/{number}";

export function useIssueCalls(number: number): IssueCalls {
  const { owner, repo } = useRepositoryPath();
  return useMemo(() => {
    const params = { path: { owner, repo, number } };
    const change = (body: Schemas["IssueUpdate"]) => api.PATCH(address, { params, body });
    const read = async () => {
      const { data } = await api.GET(address, { params });
      if (!data) throw new Error("an issue without content");
      return data;
    };
    return {
      key: [owner, repo, "issues", String(number)],
      comments: (query) => api.GET(`${address}/comments`, { params: { ...params, query } }),
      timeline: (query) => api.GET(`${address}/timeline`, { params: { ...params, query } }),
      comment: (body) => api.POST(`${address}/comments`, { params, body: { body } }),
      newestBody: async () => (await read()).body,
      saveBody: (body, previous) => change({ body, previous_body: previous }),
      read,
      change,
    };
  }, [owner, repo, number]);
}
