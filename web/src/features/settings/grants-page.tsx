/** Apps that may act for oneself. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { grants as words, text } from "../../text/settings.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";
import { ScopeNames } from "./scope-fields.tsx";
import styles from "./settings.module.css";

export function GrantsPage() {
  const grants = usePages(["/user/grants"], (query) => api.GET("/user/grants", { params: { query } }));
  return (
    <Page title={text.grants} within={text.menu} lead={words.lead}>
      <PagedTable
        pages={grants}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.grants}
        keyOf={(row) => row.id}
        columns={[
          {
            title: words.app,
            wide: true,
            cell: ({ app, scopes }) => (
              <div className={styles.stack}>
                <span className={styles.break}>
                  <strong>{app.name}</strong> <span className={styles.soft}>{words.by(app.owner)}</span>
                </span>
                <ScopeNames names={scopes} />
              </div>
            ),
          },
          lastUsedColumn,
          {
            title: "",
            label: text.actions,
            cell: ({ id, app }) => (
              <RowActions>
                <ConfirmButton
                  label={words.withdraw}
                  name={words.withdrawName(app.name)}
                  title={words.withdrawTitle(app.name)}
                  said={words.withdrawn}
                  run={() => api.DELETE("/user/grants/{id}", { params: { path: { id } } })}
                >
                  <p>{words.withdrawText}</p>
                </ConfirmButton>
              </RowActions>
            ),
          },
        ]}
      />
    </Page>
  );
}
