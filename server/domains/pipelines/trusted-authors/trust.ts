/** Whoever approves a run of a fork may trust its author for a while. */
import { trustDays } from "@forgeline/schemas/trusted-authors/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { findUsername, putTrusted } from "./trusted-authors.store.ts";

/** Said again, the time begins anew. False where the account is gone. */
export async function trustAuthor(
  tx: Transaction,
  actor: Actor,
  { userId, repository }: { userId: string | null; repository: { id: string; name: string } },
): Promise<boolean> {
  const username = userId === null ? undefined : await findUsername(tx, userId);
  if (userId === null || username === undefined) return false;
  await putTrusted(tx, repository.id, { userId, trustedBy: userIdOf(actor), days: trustDays });
  await recordAudit(tx, actor, {
    action: "repository.trust_author",
    target: { type: "repository", ...repository },
    details: { username, days: trustDays },
  });
  return true;
}
