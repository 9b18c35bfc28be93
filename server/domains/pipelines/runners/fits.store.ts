/**
 * Which jobs a runner may take, as SQL for the statements of claims and of reasons. `runner` is the alias of a row with the
 * columns of `runners` that are named here; `labels` is what the job asks for.
 *
 * What is looked up for a repository is a scalar subquery: PostgreSQL may answer `exists` from a hash of all repositories, which it
 * would make for each claim.
 */

/** Whether the runner is there for jobs of the repository, if its group allows it. */
export const scopeSql = (runner: string, repositoryId: string) =>
  `(case when ${runner}.repository_id is not null then ${runner}.repository_id = ${repositoryId}
    else ${runner}.organization_id is null or ${runner}.organization_id is not distinct from (
      select owned.owner_id from repositories owned where owned.id = ${repositoryId}) end)`;

/** The group that limits whose jobs the runner takes; null: none does. */
export const limitSql = (runner: string) =>
  `(select limiting.id from runner_groups limiting where limiting.id = ${runner}.group_id and limiting.access = 'selected')`;

/** Whether the repository may use the group; everybody may use `null`. */
export const openSql = (limit: string, repositoryId: string) =>
  `(case when ${limit} is null then true else coalesce(
      (select true from runner_group_access entry where entry.group_id = ${limit} and entry.repository_id = ${repositoryId}),
      (select true from runner_group_access entry where entry.group_id = ${limit} and entry.owner_id = (
        select theirs.owner_id from repositories theirs where theirs.id = ${repositoryId})),
      false) end)`;

/** Whether the runner may take jobs of the repository at all. */
export const servesSql = (runner: string, repositoryId: string, limit = limitSql(runner)) =>
  `(${scopeSql(runner, repositoryId)} and ${openSql(limit, repositoryId)})`;

const labelsOf = (group: string) => `array['group=' || ${group}.name, 'group=*']`;

/** The labels that a runner has by its group. */
export const groupLabelsSql = (runner: string) =>
  `coalesce((select ${labelsOf("named")} from runner_groups named where named.id = ${runner}.group_id), '{}')`;

/** The same where the group was joined, if there is one. */
export const joinedLabelsSql = (group: string) =>
  `case when ${group}.id is null then '{}'::text[] else ${labelsOf(group)} end`;

/** Whether the runner fails the label: it lacks it or, if the label begins with !, has what the job rules out. */
export const failsSql = (label: string, matchLabels: string) =>
  `(case when left(${label}, 1) = '!' then substr(${label}, 2) = any (${matchLabels}) else ${label} <> all (${matchLabels}) end)`;

/** Those labels that a job must ask for, and does not. Whoever asks for `key=*` asks for each `key=value`. */
export const unnamedSql = (mustName: string, labels: string) =>
  `(select m.label from unnest(${mustName}) as m(label)
    where m.label <> all (${labels}) and split_part(m.label, '=', 1) || '=*' <> all (${labels}))`;
