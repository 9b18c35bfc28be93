/** Repository rows as the REST interface shows them. */
import type { Repository, RepositoryOwner } from "@forgeline/schemas/repositories/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRow } from "./repositories.store.ts";
import type { RepositoryView } from "./views.ts";

export function presentRepository(
  { row, level, upstream }: RepositoryView,
  addresses: Addresses,
): Repository {
  return present(row, { level, upstream }, addresses);
}

/**
 * As kept with an event. Without what depends on who looks: the permission, and the upstream, which not everyone sees who is told.
 */
export function presentEventRepository(
  row: RepositorySnapshot,
  addresses: Addresses,
): Omit<Repository, "permissions" | "upstream"> {
  const seen = { level: "read", upstream: undefined } as const;
  const { permissions: _permissions, upstream: _upstream, ...shown } = present(row, seen, addresses);
  return shown;
}

/** A row as JSON. */
export type RepositorySnapshot = Omit<RepositoryRow, "created_at" | "updated_at" | "deleted_at"> & {
  created_at: string;
  updated_at: string;
};

function present(
  row: RepositorySnapshot | RepositoryRow,
  { level, upstream }: Pick<RepositoryView, "level" | "upstream">,
  addresses: Addresses,
): Repository {
  const path = pathOf(`${row.owner}/${row.name}`);
  return {
    id: row.id,
    name: row.name,
    full_name: `${row.owner}/${row.name}`,
    owner: presentOwner(row, addresses),
    description: row.description,
    private: row.visibility !== "public",
    visibility: row.visibility,
    default_branch: row.default_branch,
    archived: row.archived,
    fork: row.forked,
    upstream:
      upstream === undefined
        ? null
        : { full_name: upstream, url: `${addresses.baseUrl}/repos/${pathOf(upstream)}` },
    // Rows that were kept with events of an earlier release may lack this and some other fields.
    mirror: Boolean(row.mirror) && !row.importing,
    // A server of the release before ends an import without knowing of this.
    importing: Boolean(row.mirror) && Boolean(row.importing),
    size_kb: row.size_kb,
    primary_language: row.primary_language,
    topics: row.topics,
    public_pipelines: row.public_pipelines,
    mirror_sync_pipelines: Boolean(row.mirror_sync_pipelines),
    fork_sync_pipelines: Boolean(row.fork_sync_pipelines),
    merge_request_pipelines: row.merge_request_pipelines ?? "head",
    job_permissions_max: row.job_permissions_max ?? "write",
    clone_urls: {
      https: `${addresses.gitHttpsUrl}/${path}.git`,
      ssh: addresses.gitSshUrl && `${addresses.gitSshUrl}/${path}.git`,
    },
    permissions: level,
    url: `${addresses.baseUrl}/repos/${path}`,
    web_url: `${addresses.webUrl}/${path}`,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function pathOf(fullName: string): string {
  return fullName.split("/").map(encodeURIComponent).join("/");
}

export function presentOwner(
  row: Pick<RepositoryRow, "owner_id" | "owner" | "owner_kind">,
  addresses: Addresses,
): RepositoryOwner {
  return {
    id: row.owner_id,
    name: row.owner,
    type: row.owner_kind,
    url: `${addresses.baseUrl}/${row.owner_kind === "org" ? "orgs" : "users"}/${encodeURIComponent(row.owner)}`,
    web_url: `${addresses.webUrl}/${encodeURIComponent(row.owner)}`,
  };
}
