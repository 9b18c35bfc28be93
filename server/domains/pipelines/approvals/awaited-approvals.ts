/** What waits for one person, in all repositories. */
import type { AwaitedApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { findForkApprovals } from "../merge-request-runs/read-fork-approval.ts";
import { listAwaited, listGatesOf } from "./awaited.store.ts";
import { presentAwaited, presentGate } from "./present.ts";

/**
 * Gates and commits of forks that the actor may decide now and has not decided yet, oldest first. Administrators of the instance see those
 * that are theirs for another reason.
 */
export async function awaitedApprovals(
  { db, addresses }: { db: Queryable; addresses: { baseUrl: string; webUrl: string } },
  actor: Actor,
  query: PageQuery,
): Promise<{ items: AwaitedApproval[]; total: number }> {
  const userId = userIdOf(actor);
  const { rows, total } = await listAwaited(db, userId, query);
  const gateIds = rows.flatMap(({ gate_id: id }) => id ?? []);
  const ofForks = rows.filter(({ gate_id: id }) => id === null).map(({ pipeline_id: id }) => id);
  const [gateRows, forks] = await Promise.all([
    gateIds.length === 0 ? [] : listGatesOf(db, userId, gateIds),
    ofForks.length === 0 ? new Map<string, never>() : findForkApprovals(db, ofForks, userId),
  ]);
  const gates = new Map(gateRows.map((row) => [row.id, presentGate(row)]));
  const items = rows.flatMap((row) => {
    const approval = gates.get(row.gate_id ?? "") ?? null;
    const fork = row.gate_id === null ? (forks.get(row.pipeline_id) ?? null) : null;
    // What was deleted meanwhile waits no more.
    if (approval === null && fork === null) return [];
    return [{ ...presentAwaited(row, addresses), approval, fork_approval: fork }];
  });
  return { items, total };
}
