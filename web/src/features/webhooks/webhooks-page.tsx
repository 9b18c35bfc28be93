/** All webhooks of a repository or an organization. */
import { useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { formatCount } from "../../ui/size.ts";
import { DeliveryStatus, HookState } from "./states.tsx";
import { useHookOwner } from "./use-hook-owner.ts";
import { WebhookFields, webhookOf } from "./webhook-fields.tsx";
import styles from "./webhooks.module.css";

export function WebhooksPage() {
  const { at, path, name, home, isArchived, isOrganization } = useHookOwner();
  const [secret, setSecret] = useState<string | null>(null);
  const pages = usePages(["webhooks", home], (query) => api.GET(at(""), { params: { path, query } }));
  return (
    <Page
      title={text.title}
      within={name}
      lead={isOrganization ? text.leadOfOrganization : text.leadOfRepository}
      actions={isArchived ? null : <AddHook onSecret={setSecret} />}
    >
      <p>
        <a href="/docs/webhooks">{text.docs}</a>
      </p>
      <ShownOnce
        title={text.secretTitle}
        label={text.secret}
        value={secret}
        onClose={() => setSecret(null)}
      />
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.url,
            wide: true,
            cell: (hook) => (
              <Link className={styles.address} to={`${home}/${hook.id}`}>
                {hook.url}
              </Link>
            ),
          },
          {
            title: text.state,
            cell: (hook) => (
              <RowActions>
                <HookState hook={hook} />
                {hook.ordered ? <Badge tone="plain">{text.isOrdered}</Badge> : null}
              </RowActions>
            ),
          },
          { title: text.events, wide: true, cell: (hook) => hook.events.join(", ") },
          { title: text.waiting, align: "end", cell: (hook) => formatCount(hook.waiting) },
          { title: text.lastDelivery, cell: (hook) => <LastDelivery hook={hook} /> },
        ]}
      />
    </Page>
  );
}

function LastDelivery({ hook: { last_delivery: last } }: { hook: Schemas["Webhook"] }) {
  return last === null ? <>{text.noDelivery}</> : <DeliveryStatus status={last.status} />;
}

function AddHook({ onSecret }: { onSecret: (secret: string | null) => void }) {
  const { at, path } = useHookOwner();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      kind="primary"
      said={text.added}
      run={(values) => api.POST(at(""), { params: { path }, body: webhookOf(values) })}
      onDone={({ data }) => onSecret(data?.secret ?? null)}
    >
      {(problems) => <WebhookFields problems={problems} />}
    </FormButton>
  );
}
