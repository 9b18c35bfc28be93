/** How a list of the API is asked for, page after page; also for who asks before a page is drawn, and so without React. */
import { infiniteQueryOptions } from "@tanstack/react-query";

const pageSize = 50;

export type FetchPage<T> = (page: { page: number; per_page: number }) => Promise<{ data?: T[] }>;

/** `key` names the list, with whatever filters it; `fetchPage` asks for one page of it. */
export function pagesOptions<T>(key: readonly unknown[], fetchPage: FetchPage<T>) {
  return infiniteQueryOptions({
    queryKey: ["pages", ...key],
    queryFn: async ({ pageParam }) => (await fetchPage({ page: pageParam, per_page: pageSize })).data ?? [],
    initialPageParam: 1,
    getNextPageParam: (last: T[], all) => (last.length < pageSize ? undefined : all.length + 1),
  });
}
