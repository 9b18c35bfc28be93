/** What the instance keeps: in all, by owner, and by repository. */
import { api, $api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/administration.ts";
import { Facts } from "../../ui/facts.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";

interface Kept {
  git_bytes: number;
  log_bytes: number;
  lfs_bytes: number;
  total_bytes: number;
}

const sizes = [
  { title: text.git, align: "end", cell: (row: Kept) => formatBytes(row.git_bytes) },
  { title: text.logs, align: "end", cell: (row: Kept) => formatBytes(row.log_bytes) },
  { title: text.lfs, align: "end", cell: (row: Kept) => formatBytes(row.lfs_bytes) },
  { title: text.total, align: "end", cell: (row: Kept) => formatBytes(row.total_bytes) },
] as const;

export function AdminStoragePage() {
  const use = $api.useQuery("get", "/admin/storage");
  const owners = usePages(["storage-owners"], (query) =>
    api.GET("/admin/storage/owners", { params: { query } }),
  );
  const repositories = usePages(["storage-repositories"], (query) =>
    api.GET("/admin/storage/repositories", { params: { query } }),
  );
  return (
    <Page title={text.storage} within={text.administration} lead={text.storageLead}>
      <QueryView query={use}>
        {({ repositories: all, deleted_repositories: deleted, ...found }) => (
          <Facts
            facts={[
              { name: text.total, value: formatBytes(found.total_bytes) },
              { name: text.repositories, value: formatCount(all.count) },
              { name: text.git, value: formatBytes(all.git_bytes) },
              { name: text.logs, value: formatBytes(all.log_bytes) },
              { name: text.lfs, value: formatBytes(all.lfs_bytes) },
              { name: text.database, value: formatBytes(found.database.bytes) },
              { name: text.deleted, value: formatCount(deleted.count) },
              { name: text.unmeasured, value: formatCount(found.unmeasured) },
            ]}
          />
        )}
      </QueryView>
      <Section title={text.byOwner}>
        <PagedTable
          pages={owners}
          caption={text.byOwner}
          keyOf={({ owner }) => owner}
          empty={<p>{text.nothingKept}</p>}
          columns={[{ title: text.owner, wide: true, cell: ({ owner }) => <span>{owner}</span> }, ...sizes]}
        />
      </Section>
      <Section title={text.byRepository}>
        <PagedTable
          pages={repositories}
          caption={text.byRepository}
          keyOf={(row) => row.repository_id}
          empty={<p>{text.nothingKept}</p>}
          columns={[
            { title: text.repository, wide: true, cell: (row) => <span>{row.full_name}</span> },
            ...sizes,
          ]}
        />
      </Section>
    </Page>
  );
}
