/** What reviews have decided, who pushed last, and who is in which team. */
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
}

const level = levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" });

export const statements = defineStatements<DecisionsRows, Known>({
  decisionsOf: `
    select distinct on (v.author_id) v.author_id as user_id, user_snapshot(v.author_id) as person, v.state, v.head_sha,
      not u.suspended and coalesce(${level} >= 'write'::repository_level, false) as may_write
    from reviews v join users u on u.id = v.author_id join repositories r on r.id = v.repository_id
    where v.merge_request_id = $1 and v.state in ('approved', 'changes_requested', 'dismissed')
    order by v.author_id, v.submitted_at desc, v.id desc`,
  // Before the first push that a merge request has seen, whoever brought the commit to its branch.
  lastPusher: `
    select case when exists (select 1 from work_item_events e where e.work_item_id = m.id and e.kind = 'pushed')
      then (select e.actor_id from work_item_events e where e.work_item_id = m.id and e.kind = 'pushed' order by e.id desc limit 1)
      else (select p.user_id from pushes p
        where p.repository_id = m.source_repository_id and p.state = 'recorded'
          and p.updates @> jsonb_build_array(jsonb_build_object('ref', 'refs/heads/' || m.source_branch, 'after', m.head_sha))
        order by p.id desc limit 1) end as user_id
    from merge_requests m where m.id = $1`,
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

/** Null: nobody that we know. */
export async function lastPusher(db: Queryable, id: string): Promise<string | null> {
  return (await db.one(statements.lastPusher, [id]))?.user_id ?? null;
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
