/** The merge requests of a repository, a page at a time. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { MergeRequestFilters } from "./merge-request-filters.ts";

export const mergeRequestsPerPage = 30;

export function useMergeRequests(filters: MergeRequestFilters, page: number) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["merge-requests", path, filters, page],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.GET("/repos/{owner}/{repo}/merge-requests", {
        params: { path, query: { ...filters, page, per_page: mergeRequestsPerPage } },
        signal,
      });
      return { rows: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}
