/** Runs of a merge request on what its target branch would become now. */
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { reachOf } from "../../../platform/access/reach.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { askAgain, findRepository, lockSubject } from "./subjects.store.ts";

/**
 * Asked for twice before they are made, they are made once. Throws `not_found`, `forbidden` for a job, which would start itself without
 * end, and `conflict` where runs are not on the merged result, or the merge request is not open.
 */
export async function runAgain(
  db: Database,
  actor: Actor,
  { repository, number }: { repository: RepositoryRef; number: number },
): Promise<void> {
  const { id: repositoryId, owner, name } = repository;
  if (actor.kind === "job")
    throw new AppError("forbidden", { message: "A job cannot start the runs of a merge request." });
  const place = { repositoryId, number };
  await db.transaction(async (tx) => {
    if (!(await lockSubject(tx, repositoryId, number))) throw new AppError("not_found");
    if (!(await findRepository(tx, repositoryId))?.onMergedResult)
      throw new AppError("conflict", {
        message: "Runs of merge requests are on their newest commit here: run those again instead.",
      });
    if (!(await askAgain(tx, place, { actorId: userIdOf(actor), reach: reachOf(actor) })))
      throw new AppError("conflict", { message: "The merge request is not open." });
    await recordAudit(tx, actor, {
      action: "pipeline.trigger",
      target: { type: "repository", id: repositoryId, name: `${owner}/${name}` },
      details: { merge_request: number },
    });
  });
}
