/** Users and teams that a CODEOWNERS file names. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql, visibleSql } from "../../policy/domain.ts";
import type { OwnersRows } from "./owners.rows.ts";

/** Whoever looks: secret teams are shown only to those who may see them. */
export interface Viewer {
  userId: string | null;
  isAdmin: boolean;
}

// Of administrators what they were granted counts: they own no code because they run the instance.
const level = levelSql({ repository: "r", user: "u.id", admin: "false" });

const membership = `from organization_members om where om.organization_id = r.owner_id and om.user_id = $3::text`;
const seesTeam = visibleSql({
  team: "t",
  user: "$3::text",
  owner: `($4::boolean or exists (select 1 ${membership} and om.role = 'owner'))`,
});

interface Known {
  /** Whether the viewer is an administrator is never null. */
  findTeams: { visible: boolean };
  /** As above. */
  judgesTeams: { judges: boolean };
}

export const statements = defineStatements<OwnersRows, Known>({
  findUsers: `
    select u.id, u.username, lower(o.name) as name
    from repositories r, owners o join users u on u.id = o.id
    where r.id = $1 and lower(o.name) = any($2) and not u.suspended and ${level} >= 'write'::repository_level`,
  findTeams: `
    select t.id, n.full_name, lower(n.full_name) as name,
      exists (select 1 ${membership}) and ${seesTeam} or $4::boolean as visible,
      exists (select 1 from team_repositories tr where tr.repository_id = r.id and tr.team_id = any(t.lineage)
        and tr.permission >= 'write'::repository_level) as can_write
    from repositories r join teams t on t.organization_id = r.owner_id join team_names n on n.team_id = t.id
    where r.id = $1 and lower(n.full_name) = any($2)`,
  judgesTeams: `
    select $3::boolean or exists (select 1 from organization_members om
      where om.organization_id = r.owner_id and om.user_id = $2::text) as judges
    from repositories r where r.id = $1`,
});

export type UserRow = RowOf<typeof statements.findUsers>;
export type TeamRow = RowOf<typeof statements.findTeams>;

interface Wanted {
  repositoryId: string;
  /** In lower case. */
  names: readonly string[];
}

/** Those with write access. `name` is in lower case. */
export function findUsers(db: Queryable, { repositoryId, names }: Wanted): Promise<UserRow[]> {
  return db.query(statements.findUsers, [repositoryId, names]);
}

/** Those of the repository's organization. `name` is in lower case. */
export function findTeams(
  db: Queryable,
  { repositoryId, names, viewer }: Wanted & { viewer: Viewer },
): Promise<TeamRow[]> {
  return db.query(statements.findTeams, [repositoryId, names, viewer.userId, viewer.isAdmin]);
}

/** Whether the viewer may know which teams the repository's organization has. */
export async function judgesTeams(db: Queryable, repositoryId: string, viewer: Viewer): Promise<boolean> {
  const row = await db.one(statements.judgesTeams, [repositoryId, viewer.userId, viewer.isAdmin]);
  return row?.judges ?? false;
}
