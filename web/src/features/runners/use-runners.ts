/** Runners of the instance, of an organization or of one repository, a page at a time, looked at again every few seconds. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { totalOf } from "../../api/total.ts";

/** Whose runners: one repository's, an organization's, or (null) all that an administrator sees. */
export type RunnersOf = { owner: string; repo: string } | { org: string } | null;

/** The name of whose they are; undefined for those of the instance. */
export function nameOf(of: RunnersOf): string | undefined {
  if (of === null) return undefined;
  return "org" in of ? of.org : `${of.owner}/${of.repo}`;
}

export const runnersPerPage = 30;
export const runnerRefreshMs = 5_000;
/** First part of the keys of all that is shown of runners: what changes one invalidates it. */
export const runnersKey = "runners";

export function useRunners(of: RunnersOf, page: number) {
  return useQuery({
    queryKey: [runnersKey, "list", of, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: runnersPerPage };
      const { data, response } = await fetchPage(of, query, signal);
      return { runners: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, runnerRefreshMs),
  });
}

export function useRunner(id: string) {
  return useQuery({
    queryKey: [runnersKey, "one", id],
    queryFn: async ({ signal }) => {
      const { data } = await api.GET("/runners/{id}", { params: { path: { id } }, signal });
      if (!data) throw new Error("the server named no runner");
      return data;
    },
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, runnerRefreshMs),
  });
}

function fetchPage(of: RunnersOf, query: { page: number; per_page: number }, signal: AbortSignal) {
  if (of === null) return api.GET("/runners", { params: { query }, signal });
  if ("org" in of) return api.GET("/orgs/{org}/runners", { params: { path: of, query }, signal });
  return api.GET("/repos/{owner}/{repo}/runners", { params: { path: of, query }, signal });
}
