/** The viewer's inbox: what concerns them, by repository. */
import { ChevronDown } from "lucide-react";
import { useSearchParams } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/notifications.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Segments } from "../../ui/segments.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { NotificationList } from "./notification-list.tsx";
import styles from "./notifications.module.css";
import {
  filtersOf,
  perPage,
  useNotifications,
  type Filters,
  type Notification,
} from "./use-notifications.ts";

export function NotificationsPage() {
  const [query] = useSearchParams();
  const page = usePageNumber();
  const filters = filtersOf(query);
  const notifications = useNotifications(filters, page);
  const shown = notifications.data?.notifications ?? [];
  return (
    <Page
      title={text.title}
      actions={
        <>
          {page === 1 && shown.some(({ unread }) => unread) ? <MarkAll shown={shown} /> : null}
          <ButtonLink to="/settings/notifications">{text.settings}</ButtonLink>
        </>
      }
    >
      <FilterBar filters={filters} />
      <QueryView query={notifications} lines={8}>
        {({ notifications: found, total }) =>
          found.length === 0 ? (
            <Empty filters={filters} />
          ) : (
            <>
              <NotificationList notifications={found} />
              <Pager total={total} perPage={perPage} label={text.pages} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const anyReason = "any";

function FilterBar({ filters: { view, reason } }: { filters: Filters }) {
  const [query, setQuery] = useSearchParams();
  const choose = (name: "view" | "reason", value: string) => {
    const next = new URLSearchParams(query);
    next.delete("page");
    if (value === anyReason || value === "inbox") next.delete(name);
    else next.set(name, value);
    setQuery(next);
  };
  const reasonLabel = reason ? text.reasons[reason] : text.anyReason;
  return (
    <div className={styles.head}>
      <Segments
        label={text.views}
        choices={text.view}
        value={view}
        onChange={(next) => choose("view", next)}
      />
      <Menu
        label={reasonLabel}
        trigger={
          <Button>
            {reasonLabel}
            <ChevronDown aria-hidden />
          </Button>
        }
        items={[
          {
            kind: "choice",
            label: text.reason,
            choices: { [anyReason]: text.anyReason, ...text.reasons },
            value: reason ?? anyReason,
            onChange: (value) => choose("reason", value),
          },
        ]}
      />
    </div>
  );
}

/** What has come since the page was shown stays unread. */
function MarkAll({ shown }: { shown: readonly Notification[] }) {
  const newest = shown.map(({ updated_at: at }) => at).toSorted((a, b) => b.localeCompare(a))[0];
  const change = useChange(
    () => api.PUT("/notifications", { body: { read: true, ...(newest ? { last_read_at: newest } : {}) } }),
    { said: text.allRead },
  );
  return (
    <Button busy={change.isPending} onClick={() => change.mutate(undefined, { onError: showProblem })}>
      {text.markAll}
    </Button>
  );
}

function Empty({ filters: { view, reason } }: { filters: Filters }) {
  return <EmptyState title={text.emptyTitle}>{reason ? text.noneFits : text.empty[view]}</EmptyState>;
}
