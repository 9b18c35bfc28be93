/** Invitations of organizations to oneself. */
import { Link, useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { invitations as words, text } from "../../text/settings.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";

type Invitation = Schemas["Invitation"];

export function InvitationsPage() {
  const invitations = usePages(["/user/invitations"], (query) =>
    api.GET("/user/invitations", { params: { query } }),
  );
  return (
    <Page title={text.invitations} within={text.menu} lead={words.lead}>
      <PagedTable
        pages={invitations}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.invitations}
        keyOf={(row) => row.id}
        columns={[
          {
            title: words.organization,
            wide: true,
            cell: (row) => <Link to={`/orgs/${row.organization}`}>{row.organization}</Link>,
          },
          { title: words.role, cell: (row) => <span>{words.roles[row.role]}</span> },
          { title: words.by, cell: (row) => <span>{row.invited_by}</span> },
          { title: words.expires, cell: (row) => <Time at={row.expires_at} /> },
          { title: "", label: text.actions, cell: (row) => <InvitationActions invitation={row} /> },
        ]}
      />
    </Page>
  );
}

function InvitationActions({ invitation: { id, organization } }: { invitation: Invitation }) {
  const navigate = useNavigate();
  const params = { path: { id } };
  const accept = useChange(() => api.POST("/user/invitations/{id}/accept", { params }), {
    said: words.accepted(organization),
    onDone: () => navigate(`/orgs/${organization}`),
  });
  return (
    <RowActions>
      <Button
        kind="primary"
        aria-label={words.acceptName(organization)}
        busy={accept.isPending}
        onClick={() => accept.mutate(undefined, { onError: showProblem })}
      >
        {words.accept}
      </Button>
      <ConfirmButton
        label={words.decline}
        name={words.declineName(organization)}
        title={words.declineTitle(organization)}
        said={words.declined}
        run={() => api.DELETE("/user/invitations/{id}", { params })}
      >
        <p>{words.declineText}</p>
      </ConfirmButton>
    </RowActions>
  );
}
