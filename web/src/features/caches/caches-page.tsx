/** The caches of a repository: what they are called, who finds them, who uses them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/caches.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatBytes } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { mayRun } from "../pipelines/may-run.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./caches.module.css";

type Cache = Schemas["Cache"];
type User = NonNullable<Cache["saved_by"]>;

export function CachesPage() {
  const repository = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["caches", repository.full_name], (query) =>
    api.GET("/repos/{owner}/{repo}/caches", { params: { path, query } }),
  );
  const mayDelete = mayRun(repository);
  const columns: Column<Cache>[] = [
    { title: text.key, wide: true, cell: ({ key }) => <span className={styles.key}>{key}</span> },
    { title: text.scope, cell: scopeOf },
    { title: text.size, align: "end", cell: ({ size }) => formatBytes(size) },
    { title: text.used, cell: ({ last_used_at: at }) => <Time at={at} /> },
    { title: text.savedBy, cell: ({ saved_by: user }) => (user ? <UserLink user={user} /> : text.gone) },
    { title: text.by, cell: ({ used_by: users }) => <Users users={users} /> },
  ];
  if (mayDelete)
    columns.push({ title: "", label: text.actions, cell: (cache) => <DeleteButton cache={cache} /> });
  return (
    <Page
      title={text.title}
      within={repository.full_name}
      lead={text.lead}
      actions={mayDelete && pages.data && pages.data.length > 0 ? <DeleteAllButton /> : null}
    >
      <p>
        <a href="/docs/pipelines/caches">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
      />
    </Page>
  );
}

function scopeOf({ scope, ref }: Cache): string {
  return text.scopes[scope]((ref ?? "").replace(/^refs\/(heads|tags)\//, ""));
}

function Users({ users }: { users: readonly User[] }) {
  if (users.length === 0) return text.nobody;
  return (
    <ul className={styles.users}>
      {users.map((user) => (
        <li key={`${user.job.id} ${user.at}`}>
          <UserLink user={user} />
        </li>
      ))}
    </ul>
  );
}

function UserLink({ user: { pipeline, job } }: { user: User }) {
  const { full_name: fullName } = useRepository();
  return (
    <Link to={`/${fullName}/pipelines/${pipeline.number}?job=${job.id}`}>
      {text.run(pipeline.number, job.label)}
    </Link>
  );
}

function DeleteButton({ cache: { id, key } }: { cache: Cache }) {
  const path = { ...useRepositoryPath(), id };
  return (
    <ConfirmButton
      label={text.delete}
      name={text.deleteOf(key)}
      title={text.deleteTitle}
      kind="quiet"
      said={text.deleted}
      run={() => api.DELETE("/repos/{owner}/{repo}/caches/{id}", { params: { path } })}
    >
      <p className={styles.key}>{key}</p>
      <p>{text.deleteHint}</p>
    </ConfirmButton>
  );
}

function DeleteAllButton() {
  const path = useRepositoryPath();
  return (
    <ConfirmButton
      label={text.deleteAll}
      title={text.deleteAllTitle}
      said={text.deletedAll}
      run={() => api.DELETE("/repos/{owner}/{repo}/caches", { params: { path } })}
    >
      <p>{text.deleteAllHint}</p>
    </ConfirmButton>
  );
}
