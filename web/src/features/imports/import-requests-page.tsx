/** Imported texts that one is asked about: whether they are one's own. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/import-people.ts";
import { text as settings } from "../../text/settings.ts";
import { importedFrom } from "../../text/imports.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";

export function ImportRequestsPage() {
  const pages = usePages(["/user/import-requests"], (query) =>
    api.GET("/user/import-requests", { params: { query } }),
  );
  return (
    <Page title={text.own} within={settings.menu} lead={text.ownLead}>
      <PagedTable
        pages={pages}
        caption={text.own}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none} />}
        columns={[
          {
            title: text.there,
            wide: true,
            cell: ({ login, host }) => (
              <span>
                {login} ({importedFrom(host)})
              </span>
            ),
          },
          {
            title: text.repository,
            cell: ({ repository }) => <Link to={`/${repository}`}>{repository}</Link>,
          },
          { title: text.by, cell: ({ asked_by: by }) => <Link to={`/${by}`}>{by}</Link> },
          { title: text.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
          { title: "", label: text.actions, cell: (row) => <Answers request={row} /> },
        ]}
      />
    </Page>
  );
}

function Answers({ request: { id, login } }: { request: Schemas["ImportRequest"] }) {
  const params = { path: { id } };
  return (
    <RowActions>
      <ConfirmButton
        kind="primary"
        label={text.accept}
        name={text.acceptName(login)}
        title={text.acceptTitle(login)}
        said={text.accepted}
        run={() => api.POST("/user/import-requests/{id}/accept", { params })}
      >
        <p>{text.acceptText}</p>
      </ConfirmButton>
      <ConfirmButton
        kind="normal"
        label={text.decline}
        name={text.declineName(login)}
        title={text.declineTitle(login)}
        said={text.declined}
        run={() => api.DELETE("/user/import-requests/{id}", { params })}
      >
        <p>{text.declineText}</p>
      </ConfirmButton>
    </RowActions>
  );
}
