/** Issues of a repository, a page at a time, and how many there are. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { IssueFilters } from "./issue-filters.ts";

export type Issue = Schemas["Issue"];
export const issuesPerPage = 30;
const address = "/repos/{owner}/{repo}/issues";

interface Wanted extends Omit<IssueFilters, "state"> {
  state: IssueFilters["state"] | "all";
  pinned?: "true";
  page?: number;
  per_page: number;
}

function useList(wanted: Wanted) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["issues", address, path, wanted],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.GET(address, { params: { path, query: wanted }, signal });
      return { issues: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}

export function useIssues(filters: IssueFilters, page: number) {
  return useList({ ...filters, page, per_page: issuesPerPage });
}

/** With the same filters, in another state. */
export function useIssueCount(filters: IssueFilters): number | undefined {
  return useList({ ...filters, per_page: 1 }).data?.total;
}

const maxPinned = 6;

export function usePinned(): Issue[] {
  return useList({ state: "all", pinned: "true", per_page: maxPinned }).data?.issues ?? [];
}
