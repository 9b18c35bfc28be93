/** Identity providers that can sign oneself in. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { sso as words, text } from "../../text/settings.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";
import styles from "./settings.module.css";

export function SsoPage() {
  const identities = usePages(["/user/sso-identities"], (query) =>
    api.GET("/user/sso-identities", { params: { query } }),
  );
  return (
    <Page title={text.sso} within={text.menu} lead={words.lead}>
      <PagedTable
        pages={identities}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.sso}
        keyOf={(row) => row.id}
        columns={[
          {
            title: words.organization,
            cell: (row) => <Link to={`/orgs/${row.organization}`}>{row.organization}</Link>,
          },
          {
            title: words.issuer,
            wide: true,
            cell: (row) => (
              <div className={styles.stack}>
                <span className={styles.break}>{row.issuer}</span>
                <span className={`${styles.soft} ${styles.break}`}>
                  {words.subject} {row.subject}
                </span>
              </div>
            ),
          },
          lastUsedColumn,
          {
            title: "",
            label: text.actions,
            cell: ({ id, organization }) => (
              <RowActions>
                <ConfirmButton
                  label={words.part}
                  name={words.partName(organization)}
                  title={words.partTitle(organization)}
                  said={words.parted}
                  run={() => api.DELETE("/user/sso-identities/{id}", { params: { path: { id } } })}
                >
                  <p>{words.partText}</p>
                </ConfirmButton>
              </RowActions>
            ),
          },
        ]}
      />
    </Page>
  );
}
