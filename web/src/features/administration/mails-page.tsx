/** Mails of the instance: all of the last days, or the one that the address names. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";

const tones = { kept: "info", waiting: "plain", sent: "good", failed: "bad" } as const;

export function MailsPage() {
  const pages = usePages(["mails"], (query) => api.GET("/admin/mails", { params: { query } }));
  return (
    <Page title={text.mails} within={text.administration} lead={text.mailsLead}>
      <PagedTable
        pages={pages}
        caption={text.mails}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noMails}>{text.noMailsHint}</EmptyState>}
        columns={[
          { title: text.to, cell: ({ to }) => <span>{to}</span> },
          {
            title: text.subject,
            wide: true,
            cell: ({ id, subject }) => <Link to={`/-/admin/mails/${id}`}>{subject}</Link>,
          },
          { title: text.state, cell: (mail) => <State mail={mail} /> },
          { title: text.sentAt, cell: (mail) => <Time at={mail.created_at} /> },
        ]}
      />
    </Page>
  );
}

export function MailPage() {
  const { id = "" } = useParams();
  const mail = $api.useQuery("get", "/admin/mails/{id}", { params: { path: { id } } });
  return (
    <QueryView query={mail}>
      {(found) => (
        <Page title={found.subject} within={text.mails}>
          <Facts
            facts={[
              { name: text.to, value: found.to },
              { name: text.state, value: <State mail={found} /> },
              { name: text.sentAt, value: <Time at={found.created_at} /> },
              { name: text.attempts, value: found.attempts },
              ...(found.error === null ? [] : [{ name: text.error, value: found.error }]),
            ]}
          />
          {found.text === null ? (
            <Notice>{text.mailGone}</Notice>
          ) : (
            <CopyBlock label={text.mailText} value={found.text} />
          )}
        </Page>
      )}
    </QueryView>
  );
}

function State({ mail: { state } }: { mail: Schemas["Mail"] }) {
  return <Badge tone={tones[state]}>{text.mailStates[state]}</Badge>;
}
