/** A list that comes in pages: what was fetched so far, what stands there while it is empty, and a button for more. */
import type { ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { text } from "../text/general.ts";
import { Button } from "./button.tsx";
import { QueryView } from "./query-view.tsx";

export function PagedView<T>(props: {
  pages: Pages<T>;
  empty: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}) {
  const { pages, empty, children } = props;
  return (
    <QueryView query={{ data: pages.data, error: pages.error as Error | null }}>
      {(rows) =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            {children(rows)}
            {pages.hasMore ? (
              <div>
                <Button busy={pages.isFetchingMore} onClick={pages.fetchMore}>
                  {text.more}
                </Button>
              </div>
            ) : null}
          </>
        )
      }
    </QueryView>
  );
}
