/** Two organizations with repositories. */
import { newId } from "@forgeline/server/platform/ids.ts";
import type { TextDatabase } from "../../support/text-database.ts";

export interface Scopes {
  organizations: string[];
  repositories: { id: string; ownerId: string }[];
}

/** Of each organization three repositories. */
export async function insertScopes(db: TextDatabase): Promise<Scopes> {
  const scopes: Scopes = { organizations: [], repositories: [] };
  for (let n = 0; n < 2; n++) {
    const id = newId("org");
    scopes.organizations.push(id);
    await db.query("insert into owners (id, name, kind) values ($1, $1, 'org')", [id]);
    await db.query("insert into organizations (id) values ($1)", [id]);
  }
  // In turns, so that the ids of one owner are not next to each other.
  for (let n = 0; n < 6; n++) {
    const repository = { id: newId("repo"), ownerId: scopes.organizations[n % 2] ?? "" };
    await db.query("insert into repositories (id, owner_id, name) values ($1, $2, $1)", [
      repository.id,
      repository.ownerId,
    ]);
    scopes.repositories.push(repository);
  }
  return scopes;
}
