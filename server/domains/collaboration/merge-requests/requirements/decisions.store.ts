/** What reviews have decided, which pushes were seen, and who is in which team. */
import type { Queryable } from "../../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../../accounts/domain.ts";
import { levelSql } from "../../../policy/domain.ts";
import type { DecisionsRows } from "./decisions.rows.ts";

interface Known {
  /** The author is there; other states are left out; a level or none. */
  decisionsOf: {
    user_id: string;
    person: UserSnapshot;
    state: "approved" | "changes_requested" | "dismissed";
    may_write: boolean;
  };
  /** A comparison with null. */
  seenPush: { is_seen: boolean };
}

// What somebody may do because they run the instance counts for nobody's merge request.
const level = levelSql({ repository: "r", user: "u.id", admin: "false" });

/**
 * From the last decisive review of each person, as `d`. Who approved it for another target branch has not approved it for this one;
 * requests for changes stay. `mergeRequest` is an expression for its id.
 */
export const fromDecisions = (mergeRequest: string) => `
    from (select distinct on (v.author_id) v.author_id as user_id, v.state, v.head_sha, v.submitted_at,
        not u.suspended and coalesce(${level} >= 'write'::repository_level, false) as may_write
      from reviews v join users u on u.id = v.author_id join repositories r on r.id = v.repository_id
      where v.merge_request_id = ${mergeRequest} and v.imported_author is null
        and v.state in ('approved', 'changes_requested', 'dismissed')
      order by v.author_id, v.submitted_at desc, v.id desc) d
    where d.state <> 'approved' or not exists (select 1 from work_item_events e
      where e.work_item_id = ${mergeRequest} and e.kind = 'retargeted' and e.created_at >= d.submitted_at)`;

export const statements = defineStatements<DecisionsRows, Known>({
  decisionsOf: `
    select d.user_id, user_snapshot(d.user_id) as person, d.state, d.head_sha, d.may_write ${fromDecisions("$1")}
    order by d.user_id`,
  // A head that comes back was brought by whoever pushed it last.
  seenPush: `
    select e.id is not null as is_seen, e.actor_id as user_id, m.source_repository_id, m.source_branch
    from merge_requests m left join lateral (select e.id, e.actor_id from work_item_events e
      where e.work_item_id = m.id and e.kind = 'pushed' and e.details ->> 'to' = $2 order by e.id desc limit 1) e on true
    where m.id = $1`,
  membersAmong: `
    select distinct m.user_id, l.team_id
    from team_members m join teams t on t.id = m.team_id cross join lateral unnest(t.lineage) as l (team_id)
    where m.user_id = any ($1::text[]) and l.team_id = any ($2::text[])`,
  openWithHead: `
    select w.number from merge_requests m join work_items w on w.id = m.id
    where m.repository_id = $1 and m.target_branch = $2 and m.head_sha = $3 and m.is_open and not m.draft
    order by w.number limit 20`,
});

export type DecisionRow = RowOf<typeof statements.decisionsOf>;

/** The last decisive review of each person, by their id. */
export function decisionsOf(db: Queryable, id: string): Promise<DecisionRow[]> {
  return db.query(statements.decisionsOf, [id]);
}

/** The last push of this head that the merge request has seen, and where its source branch is. */
export function seenPush(
  db: Queryable,
  { id, head }: { id: string; head: string },
): Promise<RowOf<typeof statements.seenPush> | undefined> {
  return db.one(statements.seenPush, [id, head]);
}

/** Which of these people are in which of these teams, or in teams below them. */
export async function membersAmong(
  db: Queryable,
  userIds: readonly string[],
  teamIds: readonly string[],
): Promise<{ user_id: string; team_id: string }[]> {
  if (userIds.length === 0 || teamIds.length === 0) return [];
  return db.query(statements.membersAmong, [userIds, teamIds]);
}

/** Numbers of the open ones, no drafts, that would bring this commit into the branch. */
export async function openWithHead(
  db: Queryable,
  { repositoryId, branch, sha }: { repositoryId: string; branch: string; sha: string },
): Promise<number[]> {
  const rows = await db.query(statements.openWithHead, [repositoryId, branch, sha]);
  return rows.map(({ number }) => number);
}
