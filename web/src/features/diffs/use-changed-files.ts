/** The changed files that are there so far, and a way to more. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DiffSource, FileDiff, FilesPage, Whitespace } from "./source.ts";

const filesPerPage = 50;

export interface ChangedFiles {
  files: readonly FileDiff[];
  total: number;
  isCut: boolean;
  hasMore: boolean;
  isFetchingMore: boolean;
  fetchMore: () => void;
}

export function useChangedFiles(source: DiffSource, whitespace: Whitespace["whitespace"]) {
  const query = useInfiniteQuery({
    queryKey: ["changes", ...source.key, whitespace],
    queryFn: ({ pageParam }) => source.fetchFiles({ page: pageParam, per_page: filesPerPage, whitespace }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * filesPerPage < last.total ? all.length + 1 : undefined),
    // What lies between two commits does not change, whatever else on the page does.
    staleTime: "static",
    placeholderData: keepPreviousData,
  });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const files = useMemo(() => filesOf(data?.pages), [data]);
  const last = data?.pages.at(-1);
  const found: ChangedFiles | undefined = last && {
    files,
    total: last.total,
    isCut: last.isCut,
    hasMore: hasNextPage,
    isFetchingMore: isFetchingNextPage,
    fetchMore: () => {
      if (!isFetchingNextPage) void fetchNextPage();
    },
  };
  return { data: found, error };
}

function filesOf(pages: readonly FilesPage[] = []): FileDiff[] {
  return pages.flatMap(({ files }) => files);
}
