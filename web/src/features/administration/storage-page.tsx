/** What the instance keeps: in all, by owner, and by repository, of all owners or of one. */
import { Link, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { text as storage } from "../../text/storage.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";
import { Time } from "../../ui/time.tsx";

interface Kept {
  git_bytes: number;
  log_bytes: number;
  lfs_bytes: number;
  attachment_bytes: number;
  total_bytes: number;
}

const sizes = [
  { title: text.git, align: "end", cell: (row: Kept) => formatBytes(row.git_bytes) },
  { title: text.logs, align: "end", cell: (row: Kept) => formatBytes(row.log_bytes) },
  { title: text.lfs, align: "end", cell: (row: Kept) => formatBytes(row.lfs_bytes) },
  { title: storage.attachments, align: "end", cell: (row: Kept) => formatBytes(row.attachment_bytes) },
  { title: text.total, align: "end", cell: (row: Kept) => formatBytes(row.total_bytes) },
] as const;

export function AdminStoragePage() {
  const use = $api.useQuery("get", "/admin/storage");
  return (
    <Page title={text.storage} within={text.administration} lead={text.storageLead}>
      <QueryView query={use}>{(found) => <StorageTotals use={found} />}</QueryView>
      <Owners />
      <Repositories />
    </Page>
  );
}

function StorageTotals({ use }: { use: Schemas["StorageUse"] }) {
  const { repositories: all, deleted_repositories: gone, database, measured_since: since } = use;
  const goneBytes = gone.git_bytes + gone.log_bytes + gone.lfs_bytes + gone.attachment_bytes;
  return (
    <Facts
      facts={[
        { name: text.total, value: formatBytes(use.total_bytes) },
        { name: text.repositories, value: formatCount(all.count) },
        { name: text.git, value: formatBytes(all.git_bytes) },
        { name: text.logs, value: formatBytes(all.log_bytes) },
        { name: text.lfs, value: formatBytes(all.lfs_bytes) },
        { name: storage.attachments, value: formatBytes(all.attachment_bytes) },
        { name: storage.teamAttachments, value: formatBytes(use.team_attachment_bytes) },
        { name: text.deleted, value: `${formatCount(gone.count)}, ${formatBytes(goneBytes)}` },
        { name: text.database, value: formatBytes(database.bytes) },
        { name: text.auditPart, value: formatBytes(database.audit_bytes) },
        { name: text.unmeasured, value: formatCount(use.unmeasured) },
        ...(since === null ? [] : [{ name: storage.measuredSince, value: <Time at={since} /> }]),
      ]}
    />
  );
}

function Owners() {
  const pages = usePages(["storage-owners"], (query) =>
    api.GET("/admin/storage/owners", { params: { query } }),
  );
  return (
    <Section title={text.byOwner}>
      <PagedTable
        pages={pages}
        caption={text.byOwner}
        keyOf={({ owner }) => owner}
        empty={<EmptyState title={text.nothingKept} />}
        columns={[
          {
            title: text.owner,
            wide: true,
            cell: ({ owner, owner_type: type }) => <Owner {...{ owner, type }} />,
          },
          {
            title: text.repositories,
            align: "end",
            cell: ({ owner, repositories }) => <Count owner={owner} count={formatCount(repositories)} />,
          },
          ...sizes,
        ]}
      />
    </Section>
  );
}

/** Leads to those of this owner. */
function Count({ owner, count }: { owner: string; count: string }) {
  return (
    <Link to={`?owner=${encodeURIComponent(owner)}`} aria-label={text.countOf(count, owner)}>
      {count}
    </Link>
  );
}

/** Where its limit is set. */
function Owner({ owner, type }: { owner: string; type: "user" | "organization" }) {
  const list = type === "user" ? "users" : "organizations";
  return <Link to={`/-/admin/${list}/${encodeURIComponent(owner)}`}>{owner}</Link>;
}

function Repositories() {
  const [query] = useSearchParams();
  const owner = query.get("owner") ?? "";
  const filter = owner === "" ? {} : { owner };
  const pages = usePages(["storage-repositories", filter], (page) =>
    api.GET("/admin/storage/repositories", { params: { query: { ...page, ...filter } } }),
  );
  return (
    <Section
      title={owner === "" ? text.byRepository : text.repositoriesOf(owner)}
      actions={owner === "" ? null : <Link to="?">{text.allOwners}</Link>}
    >
      <PagedTable
        pages={pages}
        caption={text.byRepository}
        keyOf={(row) => row.repository_id}
        empty={<EmptyState title={text.nothingKept} />}
        columns={[
          {
            title: text.repository,
            wide: true,
            cell: (row) => (
              <RowActions>
                <span>{row.full_name}</span>
                {row.deleted ? <Badge tone="plain">{storage.deletedBadge}</Badge> : null}
              </RowActions>
            ),
          },
          ...sizes,
          {
            title: storage.measured,
            cell: ({ measured_at: at }) => (at ? <Time at={at} /> : storage.notYet),
          },
        ]}
      />
    </Section>
  );
}
