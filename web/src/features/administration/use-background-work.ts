/** Background work, page after page, and asked for again every few seconds. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import type { Pages } from "../../api/use-pages.ts";

const lookEveryMs = 5_000;
const pageSize = 30;

export interface WorkFilter {
  kind?: Exclude<Schemas["Work"]["kind"], "other">;
  state?: Schemas["Work"]["state"] | "unsuccessful";
}

export function useWork(filter: WorkFilter): Pages<Schemas["Work"]> {
  const query = useInfiniteQuery({
    queryKey: ["background-work", filter],
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...filter, per_page: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) };
      const { data } = await api.GET("/admin/work", { params: { query: page }, signal });
      return data ?? { work: [], next_cursor: null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, lookEveryMs),
  });
  return {
    data: query.data?.pages.flatMap(({ work }) => work),
    error: query.error,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
  };
}
