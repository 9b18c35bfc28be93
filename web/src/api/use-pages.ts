/** A list of the API, page after page: what has been fetched so far, and a way to more. */
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { pollUnlessRefused } from "./polling.ts";

const pageSize = 50;

export interface Pages<T> {
  /** Undefined until the first page is there. */
  data: T[] | undefined;
  error: unknown;
  hasMore: boolean;
  isFetchingMore: boolean;
  fetchMore: () => void;
}

type FetchPage<T> = (page: { page: number; per_page: number }) => Promise<{ data?: T[] }>;

/** As `usePages` asks for them; also for who asks before a page is drawn. */
export function pagesOptions<T>(key: readonly unknown[], fetchPage: FetchPage<T>) {
  return infiniteQueryOptions({
    queryKey: ["pages", ...key],
    queryFn: async ({ pageParam }) => (await fetchPage({ page: pageParam, per_page: pageSize })).data ?? [],
    initialPageParam: 1,
    getNextPageParam: (last: T[], all) => (last.length < pageSize ? undefined : all.length + 1),
  });
}

/** `key` names the list, with whatever filters it; `fetchPage` asks for one page of it. `every`: when to ask again, for what is shown. */
export function usePages<T>(
  key: readonly unknown[],
  fetchPage: FetchPage<T>,
  every: (shown: readonly T[]) => number | false = () => false,
): Pages<T> {
  const query = useInfiniteQuery({
    ...pagesOptions(key, fetchPage),
    // A changed filter leaves what is shown in its place until its answer is there.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollUnlessRefused(state.error, every(state.data?.pages.flat() ?? [])),
  });
  return {
    data: query.data?.pages.flat(),
    error: query.error,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
  };
}
