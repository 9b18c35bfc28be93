/** A list of imports. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { Pages } from "../../api/use-pages.ts";
import { text } from "../../text/imports.ts";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { ImportState } from "./import-state.tsx";

type Import = Schemas["Import"];

const lookEveryMs = 2_000;
export const lookWhileSomeRun = (shown: readonly Import[]): number | false =>
  shown.some(({ finished_at: at }) => at === null) ? lookEveryMs : false;

export function ImportsTable({ pages, empty }: { pages: Pages<Import>; empty: ReactNode }) {
  return (
    <PagedTable
      pages={pages}
      caption={text.title}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: text.source,
          wide: true,
          cell: ({ id, source, source_repository: name }) => (
            <Link to={`/-/imports/${id}`}>
              {text.sources[source]} {name}
            </Link>
          ),
        },
        { title: text.to, cell: ({ repository }) => repository },
        { title: text.begun, cell: ({ created_at: at }) => <Time at={at} /> },
        { title: text.state, cell: ({ state }) => <ImportState state={state} /> },
      ]}
    />
  );
}
