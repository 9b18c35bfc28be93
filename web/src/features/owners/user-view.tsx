/** A user: who it is, and the repositories that the viewer may see. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/owners.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { RepositoryBadges } from "../repositories/repository-badges.tsx";
import styles from "./user-view.module.css";

export function UserView({ user }: { user: Schemas["User"] }) {
  const { username } = user;
  const isSelf = useSession()?.user.id === user.id;
  const pages = usePages(["repositories-of-user", username], (query) =>
    api.GET("/users/{username}/repos", { params: { path: { username }, query } }),
  );
  return (
    <Page
      title={username}
      heading={<Name user={user} />}
      lead={<SubjectId user={user} />}
      actions={isSelf ? <ButtonLink to="/settings">{text.edit}</ButtonLink> : null}
    >
      <Section title={text.repositories}>
        <PagedTable
          pages={pages}
          caption={text.repositories}
          keyOf={({ id }) => id}
          empty={isSelf ? <NoOwnRepositories /> : <EmptyState title={text.none(username)} />}
          columns={[
            {
              title: text.repository,
              cell: ({ name, full_name: fullName }) => <Link to={`/${fullName}`}>{name}</Link>,
            },
            { title: text.description, wide: true, cell: (row) => row.description },
            { title: text.visibility, cell: (row) => <RepositoryBadges repository={row} /> },
            { title: text.changed, cell: (row) => <Time at={row.updated_at} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

function Name({ user: { username, name, avatar_url: picture, type } }: { user: Schemas["User"] }) {
  return (
    <span className={styles.name}>
      <Avatar src={picture} size={40} />
      <span className={styles.words}>
        {name === "" ? username : name} {name === "" ? null : <span className={styles.soft}>{username}</span>}
      </span>
      {type === "bot" ? <Badge tone="plain">{text.bot}</Badge> : null}
    </span>
  );
}

function SubjectId({ user: { email, created_at: created } }: { user: Schemas["User"] }) {
  return (
    <span className={styles.words}>
      {email === null || email === "" ? null : (
        <>
          <a href={`mailto:${email}`}>{email}</a> ·{" "}
        </>
      )}
      {text.since} <Time at={created} />
    </span>
  );
}

function NoOwnRepositories() {
  return (
    <EmptyState
      title={text.ownNone}
      action={
        <ButtonLink to="/new" kind="primary">
          {text.create}
        </ButtonLink>
      }
    >
      {text.ownNoneHint}
    </EmptyState>
  );
}
