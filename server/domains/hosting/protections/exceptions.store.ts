/** Rows of `ref_protection_pushers` and `ref_protection_named`: the users and teams named by rules. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ExceptionsRows } from "./exceptions.rows.ts";
import { levelSql, visibleSql } from "../../policy/domain.ts";

/** The viewer of teams: secret ones are shown only to those who may see them. */
export interface Viewer {
  userId: string | null;
  isAdmin: boolean;
}

/** What those may whom a rule names. */
export type NamedRole = "push" | "merge" | "bypass";

export interface NamedRow {
  protection_id: string;
  role: NamedRole;
  /** Of a user; null for a team. */
  username: string | null;
  /** `<org>/<team>`. */
  team: string | null;
  /** Whether the viewer sees it. */
  visible: boolean;
}

const seesTeam = (user: string, admin: string) =>
  visibleSql({
    team: "t",
    user,
    owner: `(${admin} or exists (select 1 from organization_members om
      where om.organization_id = t.organization_id and om.user_id = ${user} and om.role = 'owner'))`,
  });

const level = levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" });

interface Known {
  /** An exception is for a user or for a team, so the compared value is never null. */
  exceptionsIn: { visible: boolean; role: NamedRole };
}

export const statements = defineStatements<ExceptionsRows, Known>({
  exceptionsIn: `
    select p.protection_id, p.role, u.username, n.full_name as team,
      p.user_id is not null or ${seesTeam("$2::text", "$3::boolean")} as visible
    from (select protection_id, 'push' as role, user_id, team_id from ref_protection_pushers
      union all select protection_id, role, user_id, team_id from ref_protection_named) p
    join ref_protections x on x.id = p.protection_id
    join repositories r on r.id = x.repository_id
    left join users u on u.id = p.user_id
    left join teams t on t.id = p.team_id left join team_names n on n.team_id = t.id
    where p.protection_id = any($1) and (p.user_id is not null or t.organization_id = r.owner_id)
    order by lower(u.username), lower(t.path)`,
  findUsers: `
    select u.id, lower(o.name) as name, coalesce(${level} >= 'write'::repository_level, false) as can_write
    from repositories r, owners o join users u on u.id = o.id where r.id = $1 and lower(o.name) = any($2)`,
  findTeams: `
    select t.id, lower(n.full_name) as name
    from repositories r join teams t on t.organization_id = r.owner_id join team_names n on n.team_id = t.id
    where r.id = $1 and lower(n.full_name) = any($2) and ${seesTeam("$3::text", "$4::boolean")}`,
  deleteUsers: "delete from ref_protection_pushers where protection_id = $1 and user_id is not null",
  insertUsers: "insert into ref_protection_pushers (protection_id, user_id) select $1, unnest($2::text[])",
  deleteTeams: `
    delete from ref_protection_pushers p using teams t
    where p.protection_id = $1 and t.id = p.team_id and ${seesTeam("$2::text", "$3::boolean")}`,
  insertTeams: `
    insert into ref_protection_pushers (protection_id, team_id) select $1, unnest($2::text[])
    on conflict (protection_id, team_id) do nothing`,
  deleteNamedUsers:
    "delete from ref_protection_named where protection_id = $1 and role = $2 and user_id is not null",
  insertNamedUsers: `
    insert into ref_protection_named (protection_id, role, user_id) select $1, $2, unnest($3::text[])`,
  deleteNamedTeams: `
    delete from ref_protection_named p using teams t
    where p.protection_id = $1 and p.role = $4 and t.id = p.team_id and ${seesTeam("$2::text", "$3::boolean")}`,
  insertNamedTeams: `
    insert into ref_protection_named (protection_id, role, team_id) select $1, $2, unnest($3::text[])
    on conflict (protection_id, role, team_id) do nothing`,
});

/** By name. Teams of an earlier owner of the repository are left out. */
export function exceptionsIn(db: Queryable, ruleIds: readonly string[], viewer: Viewer): Promise<NamedRow[]> {
  return db.query(statements.exceptionsIn, [ruleIds, viewer.userId, viewer.isAdmin]);
}

/** Those that there are; `name` is in lower case. */
export function findUsers(
  db: Queryable,
  repositoryId: string,
  names: readonly string[],
): Promise<{ id: string; name: string; can_write: boolean }[]> {
  return db.query(statements.findUsers, [repositoryId, names]);
}

/** Those of the repository's owner that the viewer sees; `name` is in lower case. */
export function findTeams(
  db: Queryable,
  wanted: { repositoryId: string; names: readonly string[]; viewer: Viewer },
): Promise<{ id: string; name: string }[]> {
  return db.query(statements.findTeams, [
    wanted.repositoryId,
    wanted.names,
    wanted.viewer.userId,
    wanted.viewer.isAdmin,
  ]);
}

export interface NamedIn {
  ruleId: string;
  role: NamedRole;
}

export async function replaceUsers(
  tx: Queryable,
  { ruleId, role }: NamedIn,
  ids: readonly string[],
): Promise<void> {
  if (role === "push") {
    await tx.query(statements.deleteUsers, [ruleId]);
    await tx.query(statements.insertUsers, [ruleId, ids]);
  } else {
    await tx.query(statements.deleteNamedUsers, [ruleId, role]);
    await tx.query(statements.insertNamedUsers, [ruleId, role, ids]);
  }
}

/** Teams that the viewer does not see are kept. */
export async function replaceTeams(
  tx: Queryable,
  { ruleId, role }: NamedIn,
  { ids, viewer }: { ids: readonly string[]; viewer: Viewer },
): Promise<void> {
  if (role === "push") {
    await tx.query(statements.deleteTeams, [ruleId, viewer.userId, viewer.isAdmin]);
    await tx.query(statements.insertTeams, [ruleId, ids]);
  } else {
    await tx.query(statements.deleteNamedTeams, [ruleId, viewer.userId, viewer.isAdmin, role]);
    await tx.query(statements.insertNamedTeams, [ruleId, role, ids]);
  }
}
