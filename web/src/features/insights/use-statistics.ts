/** Statistics of the repository of the address, asked for again until what is shown is up to date. */
import { keepPreviousData } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export type StatisticsState = Schemas["CommitStatistics"]["state"];

const whileComputedMs = 2_000;
const otherwiseMs = 30_000;
const usualWeeks = "52";

/** Milliseconds until it is asked again. */
export function againAfter(state: StatisticsState | undefined): number {
  return state === "pending" || state === "updating" ? whileComputedMs : otherwiseMs;
}

/** How many weeks are shown; stands in the address. */
export function useWeeks<Known extends string>(known: Record<Known, string>) {
  const [query, setQuery] = useSearchParams();
  const asked = query.get("weeks") ?? usualWeeks;
  const weeks = asked in known ? asked : usualWeeks;
  const choose = (value: string) =>
    setQuery(value === usualWeeks ? {} : { weeks: value }, { preventScrollReset: true });
  return [Number(weeks), choose] as const;
}

export function useCommitStatistics(weeks: number) {
  const path = useRepositoryPath();
  return $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/stats/commits",
    { params: { path, query: { weeks } } },
    {
      refetchInterval: ({ state }) => againAfter(state.data?.state),
      placeholderData: keepPreviousData,
    },
  );
}

export function useLanguageStatistics() {
  const path = useRepositoryPath();
  return $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/stats/languages",
    { params: { path } },
    { refetchInterval: ({ state }) => againAfter(state.data?.state) },
  );
}
