/**
 * Which jobs a runner may take, as SQL for the statements of claims and of reasons. `runner` is the alias of a row with the
 * columns of `runners` that are named here; `labels` is what the job asks for.
 */

/** Whether the runner is there for jobs of the repository, if its group allows it. */
export const scopeSql = (runner: string, repositoryId: string) =>
  `(case when ${runner}.repository_id is not null then ${runner}.repository_id = ${repositoryId}
    else ${runner}.organization_id is null or exists (
      select from repositories owned where owned.id = ${repositoryId} and owned.owner_id = ${runner}.organization_id) end)`;

/** The group that limits whose jobs the runner takes; null: none does. */
export const limitSql = (runner: string) =>
  `(select limiting.id from runner_groups limiting where limiting.id = ${runner}.group_id and limiting.access = 'selected')`;

/** Whether the repository may use the group; everybody may use `null`. */
export const openSql = (limit: string, repositoryId: string) =>
  `(case when ${limit} is null then true else exists (
      select from runner_group_access entry where entry.group_id = ${limit} and entry.repository_id = ${repositoryId})
    or exists (
      select from repositories theirs join runner_group_access entry on entry.owner_id = theirs.owner_id
      where theirs.id = ${repositoryId} and entry.group_id = ${limit}) end)`;

/** Whether the runner may take jobs of the repository at all. */
export const servesSql = (runner: string, repositoryId: string, limit = limitSql(runner)) =>
  `(${scopeSql(runner, repositoryId)} and ${openSql(limit, repositoryId)})`;

/** The labels that a runner has by its group. */
export const groupLabelsSql = (runner: string) =>
  `coalesce((select array['group=' || named.name, 'group=*'] from runner_groups named where named.id = ${runner}.group_id), '{}')`;

/** Whether the runner fails the label: it lacks it or, if the label begins with !, has what the job rules out. */
export const failsSql = (label: string, matchLabels: string) =>
  `(case when left(${label}, 1) = '!' then substr(${label}, 2) = any (${matchLabels}) else ${label} <> all (${matchLabels}) end)`;

/** Those labels that a job must ask for, and does not. Whoever asks for `key=*` asks for each `key=value`. */
export const unnamedSql = (mustName: string, labels: string) =>
  `(select m.label from unnest(${mustName}) as m(label)
    where m.label <> all (${labels}) and split_part(m.label, '=', 1) || '=*' <> all (${labels}))`;
