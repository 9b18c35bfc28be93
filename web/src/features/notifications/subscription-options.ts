/** How it is asked whether the viewer is told of an issue or a merge request; also before its page is drawn, and so without React. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export const subscriptionAddresses = {
  issue: "/repos/{owner}/{repo}/issues/{number}/subscription",
  merge_request: "/repos/{owner}/{repo}/merge-requests/{number}/subscription",
} as const;

export type Subscribable = keyof typeof subscriptionAddresses;

export function subscriptionOptions(
  kind: Subscribable,
  path: { owner: string; repo: string; number: number },
) {
  const { owner, repo, number } = path;
  return queryOptions({
    // It names the number in text, as the page does: once the issue is deleted, nothing of it is asked for again.
    queryKey: [owner, repo, kind === "issue" ? "issues" : "merge-requests", String(number), "subscription"],
    queryFn: async ({ signal }) =>
      (await api.GET(subscriptionAddresses[kind], { params: { path }, signal })).data ?? null,
  });
}
