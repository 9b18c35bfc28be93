/** A table of a list that comes in pages, what stands there while it is empty, and a button for more of it. */
import type { ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { text } from "../text/general.ts";
import { Button } from "./button.tsx";
import { QueryView } from "./query-view.tsx";
import { Table, type Column } from "./table.tsx";

export function PagedTable<T>(props: {
  pages: Pages<T>;
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  empty: ReactNode;
}) {
  const { pages, empty, ...table } = props;
  return (
    <QueryView query={{ data: pages.data, error: pages.error as Error | null }}>
      {(rows) =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            <Table {...table} rows={rows} />
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
