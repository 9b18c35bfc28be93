/** The run that started a run, and those that its jobs started, as far as the viewer may know of them. */
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { Authorizer } from "../../policy/domain.ts";
import { listRelatives, type RelativeRow } from "./children.store.ts";

interface RelativeDeps {
  db: Queryable;
  authorizer: Pick<Authorizer, "authorizeRepository">;
}

/** Those in other repositories only where `viewer` may read the runs of these; absent: what everybody may. */
export async function seenRelatives(
  { db, authorizer }: RelativeDeps,
  run: { id: string; repository_id: string },
  viewer: Actor = anonymousActor,
): Promise<RelativeRow[]> {
  const rows = await listRelatives(db, run.id);
  const others = new Map(rows.map((row) => [row.repositoryId, row]));
  others.delete(run.repository_id);
  const seen = new Set([run.repository_id]);
  for (const { repositoryId, owner, name } of others.values())
    if (await mayRead(authorizer, viewer, { owner, name })) seen.add(repositoryId);
  return rows.filter(({ repositoryId }) => seen.has(repositoryId));
}

async function mayRead(
  authorizer: RelativeDeps["authorizer"],
  viewer: Actor,
  address: { owner: string; name: string },
): Promise<boolean> {
  try {
    await authorizer.authorizeRepository(viewer, { access: "repo_read", scope: "pipeline:read" }, address);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
