/** The runs of a repository, a page at a time: asked for again every few moments while one of them is under way. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { totalOf } from "../../api/total.ts";
import { isOver } from "../../ui/statuses.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import type { PipelineFilters } from "./pipeline-filters.ts";

export const runsPerPage = 30;
const whileOneRunsMs = 2_000;
const otherwiseMs = 15_000;
/** Whether one of them is in progress. */
export function isAnyRunning(runs: Iterable<Pick<Schemas["PipelineSummary"], "status">>): boolean {
  return [...runs].some(({ status }) => !isOver(status));
}

/** How often runs are requested again where they stand beside something else, while one of them is in progress. */
export const backgroundRefetchMs = 4_000;

/** First part of the keys of all lists of runs: what starts or changes one invalidates it. */
export const pipelinesKey = "pipelines";

export function usePipelines(filters: PipelineFilters, page: number) {
  const path = useRepositoryPath();
  return useQuery({
    // With the address in it, as in all keys: what changes a run requests all below it again.
    queryKey: [pipelinesKey, "/repos/{owner}/{repo}/pipelines", path, filters, page],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.GET("/repos/{owner}/{repo}/pipelines", {
        params: { path, query: { ...filters, page, per_page: runsPerPage } },
        signal,
      });
      return { runs: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, error } }) =>
      pollUnlessRefused(error, isAnyRunning(data?.runs ?? []) ? whileOneRunsMs : otherwiseMs),
  });
}
