/** Repositories as a viewer sees them: with the name of a fork's upstream if the viewer can see that too. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRow } from "./repositories.store.ts";
import type { VisibleNames } from "./visible-names.ts";

export interface RepositoryView {
  row: RepositoryRow;
  /** The viewer's level on it. */
  level: RepositoryLevel;
  /** Full name; undefined if it is not a fork, or if the viewer does not see the upstream. */
  upstream: string | undefined;
}

export interface RepositoryViews {
  one(actor: Actor, row: RepositoryRow, level: RepositoryLevel): Promise<RepositoryView>;
  /** In the order of `rows`. At most one statement, and none where there is no fork. */
  all(actor: Actor, rows: readonly (RepositoryRow & { level: RepositoryLevel })[]): Promise<RepositoryView[]>;
}

export function createRepositoryViews(visibleNames: VisibleNames): RepositoryViews {
  async function upstreamsOf(actor: Actor, rows: readonly RepositoryRow[]) {
    const ids = [...new Set(rows.flatMap((row) => row.upstream_id ?? []))];
    const names = await visibleNames(actor, ids);
    return (row: RepositoryRow) => names.get(row.upstream_id ?? "");
  }
  return {
    async one(actor, row, level) {
      const upstreamOf = await upstreamsOf(actor, [row]);
      return { row, level, upstream: upstreamOf(row) };
    },
    async all(actor, rows) {
      const upstreamOf = await upstreamsOf(actor, rows);
      return rows.map((row) => ({ row, level: row.level, upstream: upstreamOf(row) }));
    },
  };
}
