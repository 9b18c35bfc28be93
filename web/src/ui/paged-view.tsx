/** A list that may have more rows than one page: what was fetched so far, and a button for more. */
import type { ReactNode } from "react";
import { text } from "../text/general.ts";
import { Button } from "./button.tsx";
import { QueryView } from "./query-view.tsx";

const rowsPerPage = 50;

/** Third and fourth argument of `$api.useInfiniteQuery("get", …)` for lists that take `page` and `per_page`. */
export const pageQuery = { per_page: rowsPerPage };
export const paged = {
  initialPageParam: 1,
  pageParamName: "page",
  getNextPageParam: (last: readonly unknown[], all: readonly unknown[]) =>
    last.length < rowsPerPage ? undefined : all.length + 1,
};

export interface PagedQuery<T> {
  data: { pages: readonly (readonly T[])[] } | undefined;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function PagedView<T>(props: {
  query: PagedQuery<T>;
  children: (rows: readonly T[]) => ReactNode;
  /** Instead of an empty list. */
  empty: ReactNode;
}) {
  const { query, children, empty } = props;
  return (
    <QueryView query={query as { data: typeof query.data; error: Error | null }}>
      {({ pages }) => {
        const rows = pages.flat();
        if (rows.length === 0) return empty;
        return (
          <>
            {children(rows)}
            {query.hasNextPage ? (
              <div>
                <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {text.more}
                </Button>
              </div>
            ) : null}
          </>
        );
      }}
    </QueryView>
  );
}
