/** One's own e-mail addresses. */
import { ButtonLink } from "../../ui/button.tsx";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey } from "../../api/session.ts";
import { usePages } from "../../api/use-pages.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { emails as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { RowActions } from "../../ui/row-actions.tsx";

type Email = Schemas["Email"];

export function EmailsPage() {
  const emails = usePages(["/user/emails"], (query) => api.GET("/user/emails", { params: { query } }));
  return (
    <Page
      title={text.emails}
      within={text.menu}
      lead={words.lead}
      actions={
        <>
          <ButtonLink to="/-/verify-email">{words.enter}</ButtonLink>
          <FormButton
            kind="primary"
            label={words.add}
            title={words.add}
            submit={words.addSubmit}
            said={words.addSaid}
            run={(values) => api.POST("/user/emails", { body: { email: (values["email"] ?? "").trim() } })}
          >
            {(problems) => (
              <TextField
                name="email"
                type="email"
                label={words.address}
                problem={problems["email"]}
                autoComplete="email"
                required
                autoFocus
              />
            )}
          </FormButton>
        </>
      }
    >
      <PagedTable
        pages={emails}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.emails}
        keyOf={(row) => row.id}
        columns={[
          { title: words.address, wide: true, cell: (row) => <span>{row.email}</span> },
          { title: words.state, cell: (row) => <State email={row} /> },
          { title: "", label: text.actions, cell: (row) => <Actions email={row} /> },
        ]}
      />
    </Page>
  );
}

function State({ email }: { email: Email }) {
  if (email.primary) return <Badge tone="good">{words.primary}</Badge>;
  return email.verified ? (
    <Badge tone="plain">{words.confirmed}</Badge>
  ) : (
    <Badge tone="warn">{words.unconfirmed}</Badge>
  );
}

function Actions({ email }: { email: Email }) {
  const path = { id: email.id };
  const makePrimary = useChange(
    () => api.PATCH("/user/emails/{id}", { params: { path }, body: { primary: true } }),
    { said: text.saved, onDone: () => queryClient.invalidateQueries({ queryKey: sessionKey }) },
  );
  const again = useChange(() => api.POST("/user/emails/{id}/verification", { params: { path } }), {
    said: words.againSaid,
  });
  return (
    <RowActions>
      {email.verified ? null : (
        <Button busy={again.isPending} onClick={() => again.mutate(undefined, { onError: showProblem })}>
          {words.again}
        </Button>
      )}
      {email.verified && !email.primary ? (
        <Button
          busy={makePrimary.isPending}
          onClick={() => makePrimary.mutate(undefined, { onError: showProblem })}
        >
          {words.makePrimary}
        </Button>
      ) : null}
      {email.primary ? null : (
        <ConfirmButton
          label={text.remove}
          name={`${text.remove}: ${email.email}`}
          title={words.removeTitle(email.email)}
          run={() => api.DELETE("/user/emails/{id}", { params: { path } })}
        >
          <p>{words.removeText}</p>
        </ConfirmButton>
      )}
    </RowActions>
  );
}
