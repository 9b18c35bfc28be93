/** Statistics of the repository of the address, asked for again until what is shown is up to date. */
import { keepPreviousData } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export type StatisticsState = Schemas["CommitStatistics"]["state"];

const whileComputedMs = 2_000;
const otherwiseMs = 30_000;
export const defaultWeeks = 52;
const fewWeeks = 13;

/** Milliseconds until it is asked again. */
export function refetchDelayMs(state: StatisticsState | undefined): number {
  return state === "pending" || state === "updating" ? whileComputedMs : otherwiseMs;
}

/** How many weeks are shown; stands in the address. null: nobody chose. */
export function useWeeks<Known extends string>(known: Record<Known, string>) {
  const [query, setQuery] = useSearchParams();
  const asked = query.get("weeks") ?? "";
  const choose = (value: string) => setQuery({ weeks: value }, { preventScrollReset: true });
  return [asked in known ? Number(asked) : null, choose] as const;
}

/** A history that is younger than the few weeks is shown by these: in a year nobody would see it. */
export function fittingWeeks(statistics: Schemas["CommitStatistics"]): Schemas["CommitStatistics"] {
  const weeks = statistics.weeks.slice(-fewWeeks);
  const commits = weeks.reduce((sum, week) => sum + week.commits, 0);
  return commits === statistics.total_commits ? { ...statistics, weeks } : statistics;
}

export function useCommitStatistics(weeks: number) {
  const path = useRepositoryPath();
  return $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/stats/commits",
    { params: { path, query: { weeks } } },
    {
      refetchInterval: ({ state }) => refetchDelayMs(state.data?.state),
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
    { refetchInterval: ({ state }) => refetchDelayMs(state.data?.state) },
  );
}
