/** Organizations and teams with the role of a user in them. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { AccessRows } from "./access.rows.ts";

export const statements = defineStatements<AccessRows>({
  findOrganization: `
    select o.id, o.name, g.members_can_create_repositories,
      case when $3 then 'owner' else coalesce(
        (select m.role from organization_members m where m.organization_id = o.id and m.user_id = $2),
        (select 'member' from users b where b.id = $2 and b.organization_id = o.id)) end as role
    from owners o join organizations g on g.id = o.id where lower(o.name) = lower($1)`,
  findTeam: `
    select t.id, t.path,
      case when exists (select 1 from teams a where a.id = any (t.lineage) and a.visibility = 'secret')
        then 'secret' else 'visible' end as visibility,
      (select case when bool_or(m.role = 'maintainer') then 'maintainer' when bool_or(m.team_id = t.id) then 'member' end
       from team_members m where m.user_id = $3 and m.team_id = any (t.lineage)) as role
    from teams t where t.organization_id = $1 and lower(t.path) = lower($2)`,
});

export type OrganizationRow = AccessRows["findOrganization"];
export type TeamRow = AccessRows["findTeam"];

/** A bot sees what members see; administrators of the instance and the system count as owners. */
export function findOrganization(
  db: Queryable,
  name: string,
  actor: Actor,
): Promise<OrganizationRow | undefined> {
  return db.one(statements.findOrganization, [name, actor.userId, actor.isAdmin]);
}

/** A team is secret if a team in its lineage is: the path of a team names its parents. */
export function findTeam(
  db: Queryable,
  wanted: { organizationId: string; path: string; userId: string | null },
): Promise<TeamRow | undefined> {
  return db.one(statements.findTeam, [wanted.organizationId, wanted.path, wanted.userId]);
}
