/** The record for whoever owns a repository that is not public: commits of it are shown elsewhere from now on. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { EditsByMaintainers } from "./invitations.ts";
import type { Place } from "../work-items/work-items.ts";
import { agree } from "./foreign.store.ts";

export interface Sharing {
  /** Where the source branch is. */
  from: Pick<RepositoryRef, "id" | "owner" | "name" | "visibility">;
  repository: RepositoryRef;
  number: number;
}

/** In the transaction that opens the merge request. Nothing where the commits are everyone's, or of the repository itself. */
export async function recordSharing(
  tx: Transaction,
  actor: Actor,
  { from, repository, number }: Sharing,
): Promise<void> {
  if (from.id === repository.id || from.visibility === "public") return;
  await recordAudit(tx, actor, {
    action: "merge_request.share",
    target: { type: "repository", id: from.id, name: `${from.owner}/${from.name}` },
    details: { proposed_to: `${repository.owner}/${repository.name}`, number },
  });
}

/** The author reopens it: what is pushed to the fork from now on is shown again. For other merge requests nothing. */
async function shareAgain(
  tx: Transaction,
  {
    item,
    actor,
    target,
  }: { item: Pick<Place["item"], "id" | "number">; actor: Actor; target: RepositoryRef },
): Promise<void> {
  const from = await agree(tx, item.id);
  if (from) await recordSharing(tx, actor, { from, repository: target, number: item.number });
}

/** What its author had agreed to holds on where the author reopens it. */
export async function agreeAgain(
  tx: Transaction,
  edits: Pick<EditsByMaintainers, "reopened">,
  place: Parameters<EditsByMaintainers["reopened"]>[1],
): Promise<void> {
  const { userId } = place.actor;
  if (userId !== null && userId === place.item.author_id) await shareAgain(tx, place);
  await edits.reopened(tx, place);
}
