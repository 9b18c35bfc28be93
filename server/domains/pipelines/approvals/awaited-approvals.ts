/** What waits for one person, in all repositories. */
import type { AwaitedApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { listAwaited } from "./awaited.store.ts";
import { presentAwaited } from "./present.ts";

/** Gates that the actor may decide now and has not decided yet, oldest first. Administrators of the instance see those that are theirs for another reason. */
export async function awaitedApprovals(
  { db, addresses }: { db: Queryable; addresses: { baseUrl: string; webUrl: string } },
  actor: Actor,
  query: PageQuery,
): Promise<{ items: AwaitedApproval[]; total: number }> {
  const { rows, total } = await listAwaited(db, userIdOf(actor), query);
  return { items: rows.map((row) => presentAwaited(row, addresses)), total };
}
