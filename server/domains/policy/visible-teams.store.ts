/**
 * Whether a user sees a team, as one SQL expression, so that lists and counts contain only visible teams; the same rule as
 * `decideTeam`: a team is secret if a team in its lineage is.
 */
export const secretSql = (team: string) =>
  `exists (select 1 from teams s where s.id = any (${team}.lineage) and s.visibility = 'secret')`;

/** `user` and `owner` are parameters: the user's id, and whether it stands as an owner of the organization. */
export function visibleSql(names: { team: string; user: string; owner: string }): string {
  const { team, user, owner } = names;
  return `(${owner} or not ${secretSql(team)} or exists (
    select 1 from team_members v where v.user_id = ${user}
      and (v.team_id = ${team}.id or (v.role = 'maintainer' and v.team_id = any (${team}.lineage)))))`;
}
