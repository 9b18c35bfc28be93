/** Entries about runs of a merge request that wait for an approval: who gets one, and what becomes of them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import { approvalRequested, awaitsApproval } from "./columns.store.ts";
import type { AwaitingRows } from "./awaiting.rows.ts";

/** Of one request, so that a team of thousands is not told of each run of a fork. */
const maxTold = 50;

const level = levelSql({ repository: "r", user: "u.id", admin: "false" });

/** Other news that nobody has read. */
const hasOther = "(n.unread and n.otherwise_event is not null)";

export const statements = defineStatements<AwaitingRows>({
  // Those who are asked for a review come first, then those who watch. Where there are neither, those who run the repository.
  listApprovers: `
    with t as materialized (select * from tellings where position = $1),
    asked as (
      select x.user_id, 1 as place from merge_request_reviewers x join t on t.work_item_id = x.merge_request_id where x.user_id is not null
      union all select wa.user_id, 1 from work_item_assignees wa join t using (work_item_id)
      union all select rs.user_id, 2 from repository_subscriptions rs join t using (repository_id)
        where rs.level = 'watching' or rs.level = 'custom' and 'merge_requests' = any (rs.kinds)
      union all select tm.user_id, 3 from merge_request_reviewers x join t on t.work_item_id = x.merge_request_id
        join teams d on x.team_id = any (d.lineage) join team_members tm on tm.team_id = d.id),
    able as (
      select u.id, min(a.place) as place from asked a join users u on u.id = a.user_id cross join t
        join work_items w on w.id = t.work_item_id join repositories r on r.id = w.repository_id
      where ${mayApprove()} group by u.id),
    owning as (
      select u.id, 4 as place from t join work_items w on w.id = t.work_item_id join repositories r on r.id = w.repository_id
        join users u on u.id in (select r.owner_id
          union select om.user_id from organization_members om where om.organization_id = r.owner_id and om.role = 'owner'
          union select c.user_id from collaborators c where c.repository_id = r.id)
      where not exists (select 1 from able) and ${level} >= 'maintain' and ${mayApprove()})
    select told.id as user_id, exists (select 1 from notifications n cross join t where n.user_id = told.id
        and n.work_item_id = t.work_item_id and n.reason = '${approvalRequested}' and n.unread and n.done_at is null) as is_waiting
    from (select * from able union all select * from owning) told order by told.place, told.id limit ${maxTold}`,
  // Waits for whoever tells it.
  dropTellings: `
    delete from tellings t using work_items w
    where t.work_item_id = any ($1::text[]) and t.event = '${approvalRequested}' and w.id = t.work_item_id and not ${awaitsApproval}`,
  end: `
    update notifications n set
      reason = case when ${hasOther} then n.otherwise_reason else n.reason end,
      event = case when ${hasOther} then n.otherwise_event else n.event end,
      actor_id = case when ${hasOther} then n.otherwise_actor_id else n.actor_id end,
      new_events = case when ${hasOther} then greatest(n.new_events - 1, 1) else 0 end,
      unread = ${hasOther}, done_at = case when not ${hasOther} then now() end,
      read_at = case when n.unread and not ${hasOther} then now() else n.read_at end,
      otherwise_reason = null, otherwise_event = null, otherwise_actor_id = null
    from work_items w
    where n.work_item_id = any ($1::text[]) and n.reason = '${approvalRequested}' and n.done_at is null
      and w.id = n.work_item_id and not ${awaitsApproval}`,
});

/** Users who may let it run, and have not muted it; of administrators of the instance those who may for another reason. */
function mayApprove(): string {
  return `u.type = 'user' and not u.suspended and u.id is distinct from w.author_id and ${level} >= 'write' and ${awaitsApproval}
        and not exists (select 1 from repository_subscriptions ms where ms.repository_id = r.id and ms.user_id = u.id and ms.level = 'muted')
        and not exists (select 1 from work_item_subscriptions mi where mi.work_item_id = w.id and mi.user_id = u.id and mi.state = 'muted')`;
}

/** Who is told that runs wait for their approval: at most 50, and nobody where none waits any more. `is_waiting`: they were told, and have not looked. */
export function listApprovers(tx: Transaction, position: number) {
  return tx.query(statements.listApprovers, [position]);
}

/** Where no run of these merge requests waits any more, entries that say so are done, or say what they said before. */
export async function endAwaiting(tx: Transaction, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.query(statements.dropTellings, [itemIds]);
  await tx.query(statements.end, [itemIds]);
}
