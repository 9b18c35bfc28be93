/** Token rows as the REST interface shows them. */
import type { AccessToken } from "@forgeline/schemas/tokens/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { AccessTokenRow } from "./tokens.store.ts";

/** `at`: addresses to which a token's id is added. Names of repositories that the actor does not see are left out. */
export async function presentTokens(
  deps: {
    repositories: {
      visibleNames(actor: Actor, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    };
  },
  actor: Actor,
  { rows, at }: { rows: readonly AccessTokenRow[]; at: { url: string; webUrl: string } },
): Promise<AccessToken[]> {
  const ids = new Set(rows.flatMap((row) => row.repository_ids ?? []));
  const names = await deps.repositories.visibleNames(actor, [...ids]);
  return rows.map((row) => presentToken(row, names, at));
}

function presentToken(
  row: AccessTokenRow,
  names: ReadonlyMap<string, string>,
  at: { url: string; webUrl: string },
): AccessToken {
  const repositories = row.repository_ids?.map((id) => names.get(id)).filter((name) => name !== undefined);
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    repositories: repositories?.sort() ?? null,
    address_ranges: row.address_ranges,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    url: `${at.url}${row.id}`,
    web_url: `${at.webUrl}${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
