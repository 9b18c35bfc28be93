/** What a search in all repositories finds, a page at a time. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";

export type FoundItem = Schemas["FoundItem"];
export type Searched = "issues" | "merge-requests";
export const foundPerPage = 30;

export function useSearch(what: Searched, q: string, page: number) {
  return useQuery({
    queryKey: ["search", what, q, page],
    queryFn: async ({ signal }) => {
      const options = { params: { query: { q, page, per_page: foundPerPage } }, signal };
      const { data } =
        what === "issues"
          ? await api.GET("/search/issues", options)
          : await api.GET("/search/merge-requests", options);
      return data ?? { items: [], total_count: 0 };
    },
    placeholderData: keepPreviousData,
  });
}
