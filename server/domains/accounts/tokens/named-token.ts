/** Access tokens with the names of the repositories that they are limited to. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { AccessTokenRow } from "./tokens.store.ts";

export interface NamedToken {
  row: AccessTokenRow;
  /** Full names of those that the reader sees, in order; null: no limit. */
  repositories: string[] | null;
}

/** A token that was just made. */
export interface NewToken extends NamedToken {
  /** The value, which is not stored anywhere. */
  token: string;
}

/** Full names by id, of those that the actor sees. Hosting knows them; the container hands this over. */
export type VisibleNames = (actor: Actor, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** In the order of `rows`. At most one statement, and none where no token has such a limit. */
export async function nameRepositories(
  visibleNames: VisibleNames,
  actor: Actor,
  rows: readonly AccessTokenRow[],
): Promise<NamedToken[]> {
  const ids = new Set(rows.flatMap((row) => row.repository_ids ?? []));
  const names = await visibleNames(actor, [...ids]);
  return rows.map((row) => {
    const repositories = row.repository_ids?.map((id) => names.get(id)).filter((name) => name !== undefined);
    return { row, repositories: repositories?.sort() ?? null };
  });
}

export async function nameRepositoriesOf(
  visibleNames: VisibleNames,
  actor: Actor,
  row: AccessTokenRow,
): Promise<NamedToken> {
  const [named] = await nameRepositories(visibleNames, actor, [row]);
  if (!named) throw new Error("one row gave no token");
  return named;
}
