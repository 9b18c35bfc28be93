/** Who deletes an attachment, and what is recorded of it. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Authorizer } from "../../policy/domain.ts";
import type { DiscussionService } from "../discussions/service.ts";
import type { AttachmentsRows } from "./attachments.rows.ts";

export type AttachmentPlace = AttachmentsRows["findPlace"];

interface RemoverDeps {
  authorizer: Pick<Authorizer, "authorizeRepository" | "authorizeTeam">;
  discussions: Pick<DiscussionService, "requireWriter">;
}

/**
 * Who uploaded it or brought it with an issue, and may still write there; those with Maintain, or who manage the team. Gives the organization of a team.
 * Throws what the authorizer throws.
 */
export async function requireRemover(
  { authorizer, discussions }: RemoverDeps,
  actor: Actor,
  place: AttachmentPlace,
): Promise<string | undefined> {
  const owners = [place.uploader_id, place.brought_by_id];
  const isOwn = actor.userId !== null && owners.includes(actor.userId);
  const scope = "issue:write";
  const [owner = "", ...rest] = (place.repository ?? place.team ?? "").split("/");
  if (place.team_id !== null) {
    const access = isOwn ? "team_visible" : "team_manage";
    const address = { org: owner, team: rest.join("/") };
    const granted = await authorizer.authorizeTeam(actor, { access, scope }, address);
    // Who has left the team writes there no more.
    if (isOwn) await discussions.requireWriter(actor, granted);
    return granted.organization.id;
  }
  const access = isOwn ? "repo_signed_in" : "repo_maintain";
  const requirement = { access, scope, archived: "refused" } as const;
  await authorizer.authorizeRepository(actor, requirement, { owner, name: rest.join("/") });
  return undefined;
}

interface Removed {
  id: string;
  name: string;
  place: AttachmentPlace;
  organizationId: string | undefined;
}

export async function recordRemoval(
  tx: Transaction,
  actor: Actor,
  { id, name, place, organizationId }: Removed,
): Promise<void> {
  const {
    repository_id: repositoryId,
    team_id: teamId,
    uploader_id: uploaderId,
    size_bytes: sizeBytes,
  } = place;
  const where = repositoryId === null ? { team_id: teamId } : { repository_id: repositoryId };
  await recordAudit(tx, actor, {
    action: "attachment.delete",
    target: { type: "attachment", id, name },
    details: { ...where, uploader_id: uploaderId, size_bytes: sizeBytes },
    ...(organizationId === undefined ? {} : { organizationId }),
  });
}
