/** A list of the API, page after page: what has been fetched so far, and a way to more. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { pagesOptions, type FetchPage } from "./pages-options.ts";
import { pollUnlessRefused } from "./polling.ts";

export interface Pages<T> {
  /** Undefined until the first page is there. */
  data: T[] | undefined;
  error: unknown;
  hasMore: boolean;
  isFetchingMore: boolean;
  fetchMore: () => void;
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
