/** Runners of the instance or of one repository, a page at a time, looked at again every few seconds. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { totalOf } from "../../api/total.ts";

/** Whose runners: one repository's, or (null) all that an administrator sees. */
export type RunnersOf = { owner: string; repo: string } | null;

export const runnersPerPage = 30;
export const runnerRefreshMs = 5_000;
/** First part of the keys of all that is shown of runners: what changes one invalidates it. */
export const runnersKey = "runners";

export function useRunners(of: RunnersOf, page: number) {
  return useQuery({
    queryKey: [runnersKey, "list", of, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: runnersPerPage };
      const { data, response } = of
        ? await api.GET("/repos/{owner}/{repo}/runners", { params: { path: of, query }, signal })
        : await api.GET("/runners", { params: { query }, signal });
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
