/** What the permission mechanism knows of a repository, from its row or a copy of it. */
import type { RepositoryRef } from "../../policy/domain.ts";
import type { RepositorySnapshot } from "./present.ts";
import type { RepositoryRow } from "./repositories.store.ts";

/** `moved`: it was requested by an earlier name. */
export function refOfRow(row: RepositoryRow | RepositorySnapshot, moved = false): RepositoryRef {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    visibility: row.visibility,
    archived: row.archived,
    mirror: row.mirror,
    publicPipelines: row.public_pipelines,
    defaultBranch: row.default_branch,
    moved,
  };
}
