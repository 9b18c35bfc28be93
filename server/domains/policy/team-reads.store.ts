/** Whether a team as such reads a repository, as one SQL expression: by its visibility, or by a grant to the team or one above it. */

/** `team` and `repository`: aliases of the rows of `teams` and `repositories`. */
export function teamReadsSql({ team, repository }: { team: string; repository: string }): string {
  return `(${repository}.deleted_at is null and (${repository}.visibility = 'public'
    or (${repository}.visibility = 'internal' and ${repository}.owner_id = ${team}.organization_id)
    or exists (select 1 from team_repositories g
      where g.repository_id = ${repository}.id and g.team_id = any (${team}.lineage))))`;
}
