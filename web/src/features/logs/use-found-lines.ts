/** Lines that a search of logs finds, an answer after the other. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";

export type LogMatch = Schemas["LogMatch"];
type Page = Schemas["LogSearchPage"];

export interface WantedLines {
  owner: string;
  repo: string;
  /** Empty: nothing is searched. */
  q: string;
  /** Number of the only run that is searched. */
  run?: string;
  /** Of a repository: how many of the last runs, and of which branch or tag. */
  runs?: number;
  ref?: string;
}

/** Answers that are asked for without anybody's doing, while time or bytes end them before lines do. */
const byItself = 8;

export function useFoundLines(wanted: WantedLines) {
  const search = useInfiniteQuery({
    queryKey: ["log-search", wanted],
    enabled: wanted.q !== "",
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => readPage(wanted, pageParam, signal),
    getNextPageParam: (page: Page) => page.next_cursor,
    // What was found stays; a search that costs as much again is only made when somebody asks for it.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const { data, isFetching, isError, fetchNextPage } = search;
  const stoppedBy = data?.pages.at(-1)?.stopped_by ?? null;
  const isCutShort = stoppedBy === "time" || stoppedBy === "bytes";
  const goesOn = isCutShort && !isFetching && !isError && (data?.pages.length ?? 0) < byItself;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return search;
}

async function readPage(
  { owner, repo, q, run, runs, ref }: WantedLines,
  cursor: string,
  signal: AbortSignal,
): Promise<Page> {
  const query = { q, ...(cursor === "" ? {} : { cursor }) };
  const { data } =
    run === undefined
      ? await api.GET("/repos/{owner}/{repo}/logs/search", {
          params: {
            path: { owner, repo },
            query: { ...query, ...(runs ? { runs } : {}), ...(ref ? { ref } : {}) },
          },
          signal,
        })
      : await api.GET("/repos/{owner}/{repo}/pipelines/{id}/logs/search", {
          params: { path: { owner, repo, id: run }, query },
          signal,
        });
  if (!data) throw new Error("no answer");
  return data;
}
