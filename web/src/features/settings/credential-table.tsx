/** What lets one in, such as keys: what it is, since when, when it was used last, and a way to remove it. */
import type { ReactNode } from "react";
import type { Pages } from "../../api/use-pages.ts";
import { text } from "../../text/settings.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";

interface Credential {
  id: string;
  created_at: string;
  /** Absent where nobody notes it: then there is no such column. */
  last_used_at?: string | null;
}

export interface CredentialTableProps<T extends Credential> {
  pages: Pages<T>;
  caption: string;
  words: {
    empty: string;
    emptyHint: string;
    removeName: (name: string) => string;
    removeTitle: (name: string) => string;
    removeText: string;
    removed: string;
  };
  nameOf: (row: T) => string;
  cell: (row: T) => ReactNode;
  remove: (id: string) => Promise<unknown>;
  isUseNoted?: boolean;
}

const usedColumn = {
  title: lastUsedColumn.title,
  cell: ({ last_used_at = null }: Credential) => lastUsedColumn.cell({ last_used_at }),
};

export function CredentialTable<T extends Credential>(props: CredentialTableProps<T>) {
  const { pages, caption, words, nameOf, cell, remove, isUseNoted = true } = props;
  return (
    <PagedTable
      pages={pages}
      empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
      caption={caption}
      keyOf={({ id }) => id}
      columns={[
        { title: text.nameColumn, wide: true, cell },
        { title: text.added, cell: (row) => <Time at={row.created_at} /> },
        ...(isUseNoted ? [usedColumn] : []),
        {
          title: "",
          label: text.actions,
          cell: (row) => (
            <RowActions>
              <ConfirmButton
                label={text.remove}
                name={words.removeName(nameOf(row))}
                title={words.removeTitle(nameOf(row))}
                said={words.removed}
                run={() => remove(row.id)}
              >
                <p>{words.removeText}</p>
              </ConfirmButton>
            </RowActions>
          ),
        },
      ]}
    />
  );
}
