/**
 * The level of a user on a repository, as one SQL expression, so that lists are filtered in SQL. It is the greatest of the
 * levels by ownership, organization, collaboration, teams and visibility; null: does not see it.
 */
export interface LevelSqlNames {
  /** Alias of the row of `repositories`. */
  repository: string;
  /** Parameter with the user's id, null for everyone; for example `$3::text`. */
  user: string;
  /** Parameter that is true for administrators of the instance and for the system; for example `$4::boolean`. */
  admin: string;
  /** For deleted repositories, which otherwise nobody sees. */
  deleted?: true;
}

export function levelSql(names: LevelSqlNames): string {
  const { repository: r, user } = names;
  const unseen = `${r}.deleted_at is ${names.deleted ? "null" : "not null"}`;
  return `case when ${unseen} then null else coalesce(${ownLevelSql(names)}, greatest(
    case when ${r}.visibility = 'public' then 'read'::repository_level end,
    (select case when om.role = 'owner' then 'admin'::repository_level
       when ${r}.visibility = 'internal' then 'read'::repository_level end
     from organization_members om where om.organization_id = ${r}.owner_id and om.user_id = ${user}),
    (select 'read'::repository_level from users bot
     where bot.id = ${user} and bot.organization_id = ${r}.owner_id and ${r}.visibility = 'internal'),
    (select 'read'::repository_level from repository_transfers x
     where x.repository_id = ${r}.id and x.expires_at > now() and (x.receiver_id = ${user}
       or exists (select 1 from organization_members xm
         where xm.organization_id = x.receiver_id and xm.user_id = ${user} and xm.role = 'owner'))),
    (select c.permission from collaborators c where c.repository_id = ${r}.id and c.user_id = ${user}),
    (select max(tr.permission) from team_repositories tr
     join teams t on tr.team_id = any (t.lineage)
     join team_members tm on tm.team_id = t.id
     where tr.repository_id = ${r}.id and tm.user_id = ${user}))) end`;
}

/** Its first part, which needs no other table: for owners and administrators. null: the rest decides. */
export function ownLevelSql({ repository: r, user, admin }: LevelSqlNames): string {
  return `case when ${admin} or ${r}.owner_id = ${user} then 'admin'::repository_level end`;
}
