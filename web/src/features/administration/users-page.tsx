/** All accounts of the instance. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { SearchForm, useSearched } from "./search-form.tsx";

export function UsersPage() {
  const searched = useSearched();
  const pages = usePages(["admin-users", searched], (page) =>
    api.GET("/admin/users", { params: { query: { ...page, ...searched } } }),
  );
  return (
    <Page title={text.users} within={text.administration} lead={text.usersLead}>
      <SearchForm hint={text.usersHint} />
      <PagedTable
        pages={pages}
        caption={text.users}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noUsers} />}
        columns={[
          {
            title: text.name,
            cell: ({ username, name }) => (
              <RowActions>
                <Link to={`/-/admin/users/${encodeURIComponent(username)}`}>{username}</Link>
                {name === "" ? null : <span>{name}</span>}
              </RowActions>
            ),
          },
          { title: text.email, wide: true, cell: ({ email }) => <span>{email}</span> },
          { title: text.plan, cell: ({ plan }) => text.plans[plan] },
          { title: text.standing, cell: (user) => <UserBadges user={user} /> },
          { title: text.created, cell: (user) => <Time at={user.created_at} /> },
        ]}
      />
    </Page>
  );
}

export function isSpecial(user: Schemas["AdministeredUser"]): boolean {
  return user.suspended || user.admin || user.type === "bot" || user.two_factor_enabled;
}

export function UserBadges({ user }: { user: Schemas["AdministeredUser"] }) {
  return (
    <RowActions>
      {user.suspended ? <Badge tone="bad">{text.suspended}</Badge> : null}
      {user.admin ? <Badge tone="warn">{text.admin}</Badge> : null}
      {user.type === "bot" ? <Badge tone="plain">{text.bot}</Badge> : null}
      {user.two_factor_enabled ? <Badge tone="good">{text.twoFactor}</Badge> : null}
    </RowActions>
  );
}
