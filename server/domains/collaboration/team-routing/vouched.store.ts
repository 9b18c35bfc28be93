/**
 * Whether whoever chose a team's address (`routing`: an alias of `team_routings`) still manages the team (`team`): as an owner of the
 * organization, or as a maintainer of it or of a team above it. Otherwise somebody who left would go on reading.
 */
export function vouchedSql({ team, routing }: { team: string; routing: string }): string {
  return `exists (select 1 from users su join organization_members so on so.user_id = su.id
    where su.id = ${routing}.set_by and not su.suspended and so.organization_id = ${team}.organization_id
      and (so.role = 'owner' or exists (select 1 from team_members sm
        where sm.user_id = su.id and sm.role = 'maintainer' and sm.team_id = any (${team}.lineage))))`;
}
