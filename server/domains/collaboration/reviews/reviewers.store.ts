/** Who is asked to review merge requests, and what they say. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { levelSql, visibleSql } from "../../policy/domain.ts";
import type { ReviewersRows } from "./reviewers.rows.ts";

/** Whoever looks: teams are shown only to those who may see them. */
export interface TeamViewer {
  userId: string | null;
  isAdmin: boolean;
}

type Said = "waiting" | "commented" | "approved" | "changes_requested" | "dismissed";

interface Known {
  /** A function gives the user; without a review they are waiting, and a pending review is not looked at. */
  listUsers: { user_snapshot: UserSnapshot; state: Said };
  /** As above. */
  listTeams: { state: Said };
}

const readLevel = levelSql({ repository: "r", user: "u.id", admin: "false" });

/** `user` and `admin` are the parameters of the viewer. */
function seesTeam({ user, admin }: { user: string; admin: string }): string {
  const membership = `from organization_members om where om.organization_id = t.organization_id and om.user_id = ${user}::text`;
  const sees = visibleSql({
    team: "t",
    user: `${user}::text`,
    owner: `(${admin}::boolean or exists (select 1 ${membership} and om.role = 'owner'))`,
  });
  return `(${admin}::boolean or (exists (select 1 ${membership}) and ${sees}))`;
}

/** A comment takes back neither approval nor request. What was said elsewhere is about what was there, and counts for nothing here. */
const lastSaid = `
    select distinct on (rv.author_id) rv.author_id, rv.state, rv.submitted_at
    from reviews rv join work_items w on w.id = rv.merge_request_id
    where rv.merge_request_id = $1 and rv.state <> 'pending' and rv.author_id is not null and rv.imported_author is null
      and rv.author_id is distinct from w.author_id
    order by rv.author_id, rv.state = 'commented', rv.submitted_at desc`;

/** Code owners can be asked by hand, too. */
const askedByHand = (row: string, asked: "user_id" | "team_id") =>
  `max(${row}.requested_at) filter (where ${row}.reason = 'requested') over (partition by ${row}.${asked})`;

export const statements = defineStatements<ReviewersRows, Known>({
  // Whoever is asked again after a review is waited for.
  listUsers: `
    with said as (${lastSaid}),
      asked as (select distinct on (x.user_id) x.user_id, x.reason, x.pattern, ${askedByHand("x", "user_id")} as asked_at
        from merge_request_reviewers x where x.merge_request_id = $1 and x.user_id is not null
        order by x.user_id, x.reason = 'requested')
    select user_snapshot(u.id) as user_snapshot, asked.reason, asked.pattern,
      case when said.state is null or asked.asked_at > said.submitted_at then 'waiting'
        else said.state end as state
    from asked full join said on said.author_id = asked.user_id
      join users u on u.id = coalesce(asked.user_id, said.author_id)
    order by lower(u.username)`,
  listTeams: `
    with said as (${lastSaid})
    select n.full_name as team, x.reason, x.pattern,
      coalesce((select s.state from said s
        where exists (select 1 from team_members tm join teams mt on mt.id = tm.team_id
          where tm.user_id = s.author_id and t.id = any (mt.lineage))
          and (x.asked_at is null or s.submitted_at >= x.asked_at)
        order by s.state = 'commented', s.submitted_at desc limit 1), 'waiting') as state
    from (select distinct on (y.team_id) y.team_id, y.reason, y.pattern, ${askedByHand("y", "team_id")} as asked_at
        from merge_request_reviewers y where y.merge_request_id = $1 and y.team_id is not null
        order by y.team_id, y.reason = 'requested') x
      join teams t on t.id = x.team_id join team_names n on n.team_id = t.id
    where ${seesTeam({ user: "$2", admin: "$3" })} order by lower(n.full_name)`,
  visibleTeams: `
    select x.merge_request_id, array_agg(distinct n.full_name order by n.full_name) as teams
    from merge_request_reviewers x join teams t on t.id = x.team_id join team_names n on n.team_id = t.id
    where x.merge_request_id = any ($1::text[]) and ${seesTeam({ user: "$2", admin: "$3" })}
    group by x.merge_request_id`,
  usersOf: `
    select u.id, u.username from merge_request_reviewers x join users u on u.id = x.user_id
    where x.merge_request_id = $1 and x.reason = 'requested'`,
  teamsOf: `
    select t.id from merge_request_reviewers x join teams t on t.id = x.team_id
    where x.merge_request_id = $1 and x.reason = 'requested' and ${seesTeam({ user: "$2", admin: "$3" })}`,
  // Whoever belongs to the repository or its organization, as for assignees; nobody reviews what they propose.
  findReviewers: `
    select u.id, u.username from users u join repositories r on r.id = $1
    where lower(u.username) = any ($2::text[]) and not u.suspended and u.id is distinct from $3 and ${readLevel} is not null
      and (r.visibility <> 'public' or ${readLevel} >= 'triage'
        or exists (select 1 from organization_members om where om.organization_id = r.owner_id and om.user_id = u.id)
        or exists (select 1 from collaborators c where c.repository_id = r.id and c.user_id = u.id))`,
  findTeams: `
    select t.id, lower(n.full_name) as name
    from repositories r join teams t on t.organization_id = r.owner_id join team_names n on n.team_id = t.id
    where r.id = $1 and lower(n.full_name) = any ($4::text[]) and ${seesTeam({ user: "$2", admin: "$3" })}`,
  addUsers: `
    insert into merge_request_reviewers (merge_request_id, user_id, reason, requested_by)
    select $1, unnest($2::text[]), 'requested', $3
    on conflict (merge_request_id, user_id, reason) where user_id is not null
      do update set requested_at = now(), requested_by = excluded.requested_by`,
  addTeams: `
    insert into merge_request_reviewers (merge_request_id, team_id, reason, requested_by)
    select $1, unnest($2::text[]), 'requested', $3
    on conflict (merge_request_id, team_id, reason) where team_id is not null
      do update set requested_at = now(), requested_by = excluded.requested_by`,
  removeUsers: `
    delete from merge_request_reviewers where merge_request_id = $1 and reason = 'requested' and user_id = any ($2::text[])`,
  removeTeams: `
    delete from merge_request_reviewers where merge_request_id = $1 and reason = 'requested' and team_id = any ($2::text[])`,
  countAsked: `
    select count(*)::int as total from merge_request_reviewers where merge_request_id = $1 and reason = 'requested'`,
  removeOwners: `
    delete from merge_request_reviewers x where x.merge_request_id = $1 and x.reason = 'code_owner'
      and not coalesce(x.user_id = any ($2::text[]), false) and not coalesce(x.team_id = any ($3::text[]), false)`,
  // Those who were asked by hand before know it.
  addOwners: `
    with added as (
      insert into merge_request_reviewers (merge_request_id, user_id, team_id, reason, pattern)
      select $1, o.user_id, o.team_id, 'code_owner', o.pattern
      from jsonb_to_recordset($2::jsonb) as o (user_id text, team_id text, pattern text)
      on conflict do nothing returning user_id, team_id)
    select a.user_id, a.team_id from added a
    where not exists (select 1 from merge_request_reviewers x where x.merge_request_id = $1 and x.reason = 'requested'
      and (x.user_id = a.user_id or x.team_id = a.team_id))`,
  setPatterns: `
    update merge_request_reviewers x set pattern = o.pattern
    from jsonb_to_recordset($2::jsonb) as o (user_id text, team_id text, pattern text)
    where x.merge_request_id = $1 and x.reason = 'code_owner' and x.pattern <> o.pattern
      and (x.user_id = o.user_id or x.team_id = o.team_id)`,
});

export type ReviewerUserRow = RowOf<typeof statements.listUsers>;
export type ReviewerTeamRow = RowOf<typeof statements.listTeams>;

/** The people, and the teams that the viewer may see. */
export async function listReviewers(
  db: Queryable,
  mergeRequestId: string,
  { userId, isAdmin }: TeamViewer,
): Promise<{ users: ReviewerUserRow[]; teams: ReviewerTeamRow[] }> {
  const [users, teams] = await Promise.all([
    db.query(statements.listUsers, [mergeRequestId]),
    db.query(statements.listTeams, [mergeRequestId, userId, isAdmin]),
  ]);
  return { users, teams };
}

/** Full names of those that are asked and that the viewer may see, by merge request. */
export async function visibleTeams(
  db: Queryable,
  mergeRequestIds: readonly string[],
  { userId, isAdmin }: TeamViewer,
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.query(statements.visibleTeams, [mergeRequestIds, userId, isAdmin]);
  return new Map(rows.map(({ merge_request_id: id, teams }) => [id, teams ?? []]));
}

/** Those that can be asked here. Names are in lower case. */
export function findReviewers(
  db: Queryable,
  {
    repositoryId,
    names,
    authorId,
  }: { repositoryId: string; names: readonly string[]; authorId: string | null },
) {
  return db.query(statements.findReviewers, [repositoryId, names, authorId]);
}

/** Those of the repository's organization that the viewer may see. Names are in lower case. */
export function findTeams(
  db: Queryable,
  { repositoryId, names, viewer }: { repositoryId: string; names: readonly string[]; viewer: TeamViewer },
) {
  return db.query(statements.findTeams, [repositoryId, viewer.userId, viewer.isAdmin, names]);
}

export interface OwnerRow {
  user_id: string | null;
  team_id: string | null;
  pattern: string;
}

/** They replace the code owners that are there. Those who are asked now, and were not before. */
export async function replaceOwners(
  tx: Transaction,
  mergeRequestId: string,
  owners: readonly OwnerRow[],
): Promise<RowOf<typeof statements.addOwners>[]> {
  const idsOf = (name: "user_id" | "team_id") => owners.flatMap((owner) => owner[name] ?? []);
  await tx.query(statements.removeOwners, [mergeRequestId, idsOf("user_id"), idsOf("team_id")]);
  if (owners.length === 0) return [];
  const rows = JSON.stringify(owners);
  const added = await tx.query(statements.addOwners, [mergeRequestId, rows]);
  await tx.query(statements.setPatterns, [mergeRequestId, rows]);
  return added;
}
