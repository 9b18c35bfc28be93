/** A table of a list that comes in pages. */
import type { ReactNode } from "react";
import type { Pages } from "../api/use-pages.ts";
import { PagedView } from "./paged-view.tsx";
import { Table, type Column } from "./table.tsx";

export function PagedTable<T>(props: {
  pages: Pages<T>;
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  empty: ReactNode;
  dense?: boolean;
}) {
  const { pages, empty, ...table } = props;
  return (
    <PagedView pages={pages} empty={empty}>
      {(rows) => <Table {...table} rows={rows} />}
    </PagedView>
  );
}
