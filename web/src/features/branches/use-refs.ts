/** Branches and tags of a repository, a page at a time. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export const refsPerPage = 30;

export function useBranches(page: number) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["branches", path, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: refsPerPage };
      const { data, response } = await api.GET("/repos/{owner}/{repo}/branches", {
        params: { path, query },
        signal,
      });
      return { rows: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}

export function useTags(page: number) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["tags", path, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: refsPerPage };
      const { data, response } = await api.GET("/repos/{owner}/{repo}/tags", {
        params: { path, query },
        signal,
      });
      return { rows: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}
