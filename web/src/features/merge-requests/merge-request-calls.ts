/** The operations of a merge request that its conversation needs. */
import { api } from "../../api/client.ts";
import type { MergeRequestPath } from "../reviews/review-calls.ts";
import type { WorkItemCalls } from "../work-items/work-item.ts";

const address = "/repos/{owner}/{repo}/merge-requests/{number}";

export function mergeRequestCalls(path: MergeRequestPath): WorkItemCalls {
  const { owner, repo, number } = path;
  return {
    key: ["merge-request", owner, repo, String(number)],
    comments: (query) => api.GET(`${address}/comments`, { params: { path, query } }),
    timeline: (query) => api.GET(`${address}/timeline`, { params: { path, query } }),
    comment: (body) => api.POST(`${address}/comments`, { params: { path }, body: { body } }),
    newestBody: async () => (await api.GET(address, { params: { path } })).data?.description ?? "",
    saveBody: (description, previous) =>
      api.PATCH(address, { params: { path }, body: { description, previous_description: previous } }),
  };
}
