/** Rows of `team_members`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MemberRows } from "./member.rows.ts";
import type { TeamViewer } from "./teams.store.ts";
import { visibleSql } from "../../policy/domain.ts";

export interface TeamMemberRow {
  user_id: string;
  role: "member" | "maintainer";
  created_at: Date;
  /** Path of the nested team by which the user is in this one; null for direct members. */
  inherited_path: string | null;
}

const visible = visibleSql({ team: "t", user: "$2::text", owner: "$3::boolean" });
/** Each user once: directly, or by the outermost nested team that the viewer sees. */
const everybody = `from (
    select distinct on (m.user_id) m.user_id, m.role, m.created_at, t.id as team_id, t.path
    from teams t join team_members m on m.team_id = t.id
    where t.lineage @> array[$1]::text[] and (t.id = $1 or ${visible})
    order by m.user_id, cardinality(t.lineage), lower(t.path)
  ) x join users u on u.id = x.user_id`;

export const statements = defineStatements<MemberRows>({
  listMembers: `
    select x.user_id, case when x.team_id = $1 then x.role else 'member' end as role, x.created_at,
      case when x.team_id <> $1 then x.path end as inherited_path
    ${everybody} order by lower(u.username) limit $4 offset $5`,
  belongsTo: `
    select user_id from organization_members where organization_id = $1 and user_id = $2
    union all select id from users where organization_id = $1 and id = $2`,
  roleOf: "select role from team_members where team_id = $1 and user_id = $2",
  putMember: `
    insert into team_members (team_id, user_id, role) values ($1, $2, $3)
    on conflict (team_id, user_id) do update set role = excluded.role
    returning user_id, role, created_at, null as inherited_path`,
  deleteMember: "delete from team_members where team_id = $1 and user_id = $2 returning user_id",
  leaveTeams: `
    delete from team_members where user_id = $2 and team_id in (select id from teams where organization_id = $1)
    returning team_id`,
  dropUsers: "delete from team_members where user_id = any($1)",
});

/** By name. */
export async function listMembers(
  db: Queryable,
  { teamId, viewer, page }: { teamId: string; viewer: TeamViewer; page: PageQuery },
): Promise<{ rows: TeamMemberRow[]; total: number }> {
  const params = [teamId, viewer.userId, viewer.isOwner];
  const rows = await db.query(statements.listMembers, [...params, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, everybody, params) };
}

/** A member of the organization, or a bot of it. */
export async function belongsTo(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> {
  const row = await tx.one(statements.belongsTo, [organizationId, userId]);
  return row !== undefined;
}

export interface TeamMembership {
  teamId: string;
  userId: string;
}

export async function roleOf(
  tx: Transaction,
  { teamId, userId }: TeamMembership,
): Promise<"member" | "maintainer" | undefined> {
  const row = await tx.one(statements.roleOf, [teamId, userId]);
  return row?.role;
}

export async function putMember(
  tx: Transaction,
  member: TeamMembership & { role: "member" | "maintainer" },
): Promise<TeamMemberRow> {
  const row = await tx.one(statements.putMember, [member.teamId, member.userId, member.role]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

/** False when the user was no direct member. */
export async function deleteMember(tx: Transaction, { teamId, userId }: TeamMembership): Promise<boolean> {
  const row = await tx.one(statements.deleteMember, [teamId, userId]);
  return row !== undefined;
}

/** Removes the user from all teams of the organization. Returns from how many. */
export async function leaveTeams(
  tx: Transaction,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<number> {
  const left = await tx.query(statements.leaveTeams, [organizationId, userId]);
  return left.length;
}

/** Removes the users from all teams. */
export async function dropUsers(tx: Transaction, userIds: readonly string[]): Promise<void> {
  await tx.query(statements.dropUsers, [userIds]);
}
