/** The columns of a board with what was fetched of each; the number of columns changes with the board. */
import { useCallback, useState } from "react";
import { text } from "../../text/boards.ts";
import { useColumn, type Board, type Column, type Issue } from "./use-board.ts";

export interface ColumnView {
  column: Column;
  name: string;
  issues: readonly Issue[];
  total: number | undefined;
  /** Null also where the viewer narrowed the board, since `total` does not count the others then. */
  limit: number | null;
  error: Error | null;
  isLoading: boolean;
  hasMore: boolean;
  isFetchingMore: boolean;
  fetchMore: () => void;
}

export function columnName({ kind, label }: Column): string {
  return label?.name ?? (kind === "open" ? text.open : text.closed);
}

export function useColumnView(board: Board, column: Column, q: string): ColumnView {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useColumn(
    board,
    column.id,
    q,
  );
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return {
    column,
    name: columnName(column),
    issues: data?.pages.flatMap(({ issues }) => issues) ?? [],
    total: data?.pages[0]?.total,
    limit: q === "" ? column.max_issues : null,
    error,
    isLoading: isPending,
    hasMore: hasNextPage,
    isFetchingMore: isFetchingNextPage,
    fetchMore,
  };
}

/** What each column shows, which only its own component knows: told upwards, so that one can be carried into another. */
export function useShownIssues() {
  const [shown, setShown] = useState<Readonly<Record<string, readonly Issue[]>>>({});
  const tell = useCallback(
    (column: string, issues: readonly Issue[]) =>
      setShown((before) => (isSame(before[column], issues) ? before : { ...before, [column]: issues })),
    [],
  );
  return { shown, tell };
}

function isSame(before: readonly Issue[] | undefined, now: readonly Issue[]): boolean {
  return before?.length === now.length && before.every((issue, index) => issue === now[index]);
}
