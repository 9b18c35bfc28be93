/** Shows repositories to somebody: with the name of a fork's upstream where they see that one, too. */
import type { RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Repository } from "@forgeline/schemas/repositories/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { presentRepository } from "./present.ts";
import type { RepositoryService } from "./service.ts";
import type { RepositoryRow } from "./repositories.store.ts";

type Shown = { row: RepositoryRow; level: RepositoryLevel };

export interface RepositoryShow {
  one(actor: Actor, row: RepositoryRow, level: RepositoryLevel): Promise<Repository>;
  /** In the order of `rows`. At most one statement, and none where there is no fork. */
  all(actor: Actor, rows: readonly (RepositoryRow & { level: RepositoryLevel })[]): Promise<Repository[]>;
}

export function createRepositoryShow(deps: {
  repositories: Pick<RepositoryService, "visibleNames">;
  addresses: Addresses;
}): RepositoryShow {
  async function show(actor: Actor, shown: readonly Shown[]): Promise<Repository[]> {
    const upstreams = [...new Set(shown.flatMap(({ row }) => row.upstream_id ?? []))];
    const names = await deps.repositories.visibleNames(actor, upstreams);
    return shown.map(({ row, level }) =>
      presentRepository(row, level, {
        addresses: deps.addresses,
        upstream: names.get(row.upstream_id ?? ""),
      }),
    );
  }
  return {
    async one(actor, row, level) {
      const [only] = await show(actor, [{ row, level }]);
      return only!;
    },
    all: (actor, rows) =>
      show(
        actor,
        rows.map((row) => ({ row, level: row.level })),
      ),
  };
}
