/** One's own personal access tokens. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text, tokens as words } from "../../text/settings.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";
import { ScopeNames } from "./scope-fields.tsx";
import styles from "./settings.module.css";

type Token = Schemas["AccessToken"];

export function TokensPage() {
  const tokens = usePages(["/user/tokens"], (query) => api.GET("/user/tokens", { params: { query } }));
  const create = (
    <ButtonLink to="/settings/tokens/new" kind="primary">
      {words.create}
    </ButtonLink>
  );
  return (
    <Page title={text.tokens} within={text.menu} lead={words.lead} actions={create}>
      <PagedTable
        pages={tokens}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.tokens}
        keyOf={(row) => row.id}
        columns={[
          { title: text.nameColumn, wide: true, cell: (row) => <TokenSummary token={row} /> },
          lastUsedColumn,
          {
            title: words.expires,
            cell: (row) => (row.expires_at ? <Time at={row.expires_at} /> : <span>{text.never}</span>),
          },
          { title: "", label: text.actions, cell: (row) => <Revoke token={row} /> },
        ]}
      />
    </Page>
  );
}

function TokenSummary({ token }: { token: Token }) {
  const limits = [...(token.repositories ?? []), ...(token.address_ranges ?? [])];
  return (
    <div className={styles.stack}>
      <strong className={styles.break}>{token.name}</strong>
      <ScopeNames names={token.scopes} />
      {limits.length === 0 ? null : (
        <span className={`${styles.soft} ${styles.break}`}>
          {words.limits}: {limits.join(", ")}
        </span>
      )}
    </div>
  );
}

function Revoke({ token }: { token: Token }) {
  return (
    <RowActions>
      <ConfirmButton
        label={words.revoke}
        name={words.revokeName(token.name)}
        title={words.revokeTitle(token.name)}
        said={words.revoked}
        run={() => api.DELETE("/user/tokens/{id}", { params: { path: { id: token.id } } })}
      >
        <p>{words.revokeText}</p>
      </ConfirmButton>
    </RowActions>
  );
}
