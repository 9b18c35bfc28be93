/** Secrets as a job gets them: what there is for its run, and the values that its attempt was given. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { JobSecretsRows } from "./job-secrets.rows.ts";

export type SecretRow = RowOf<typeof statements.findSecrets>;
export type GivenRow = RowOf<typeof statements.findGiven>;
export type PlannedRow = RowOf<typeof statements.findPlannedSecrets>;
export type RunRow = RowOf<typeof statements.findRun>;

const level = levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" });

interface Known {
  /** Never null: the joins and checks say so. */
  findRun: { isAllowed: boolean; isConfirmed: boolean; event: PipelineEvent };
}

export const statements = defineStatements<JobSecretsRows, Known>({
  // A run that nobody started, such as a schedule's, is allowed.
  findRun: `
    select p.trust, p.event, n.full_name as repository, p.triggered_by is null or exists (select from users u
      where u.id = p.triggered_by and not u.suspended and ${level} >= 'write') as "isAllowed",
      exists (select from environments e
        where e.repository_id = r.id and lower(e.name) = lower($2) and e.confirmed_at is not null) as "isConfirmed"
    from pipelines p join repositories r on r.id = p.repository_id
    join repository_names n on n.repository_id = r.id where p.id = $1`,
  // Of each name the nearest: environment, then repository, then organization, then instance.
  findSecrets: `
    select distinct on (s.name) s.id, s.name, s.branches, s.tags, s.event_names, s.stage_globs, s.images, s.environments,
      s.repositories, v.id as "valueId", v.size_bytes as "sizeBytes", v.sealed_value as sealed,
      case when s.environment_id is not null then 'environment' when s.repository_id is not null then 'repository'
        when s.organization_id is not null then 'organization' else 'instance' end as level
    from pipelines p join repositories r on r.id = p.repository_id
    left join environments e on e.repository_id = r.id and lower(e.name) = lower($3)
    join secrets s on coalesce(s.environment_id, s.repository_id, s.organization_id, '') in (e.id, r.id, r.owner_id, '')
    join secret_values v on v.parent_id = s.id and v.is_current
    where p.id = $1 and s.name = any($2)
    order by s.name, s.environment_id is null, s.repository_id is null, s.organization_id is null`,
  // Of environments of the run's repository, whichever the job deploys to.
  findInEnvironments: `
    select s.name, array_agg(e.name order by e.name) as environments
    from pipelines p join environments e on e.repository_id = p.repository_id join secrets s on s.environment_id = e.id
    where p.id = $1 and s.name = any($2) group by s.name`,
  // All that jobs of a repository may come to have, with the environment of those that belong to one; the nearest first.
  findPlannedSecrets: `
    select s.name, e.name as environment, s.branches, s.tags, s.event_names, s.stage_globs, s.images,
      s.environments, s.repositories, n.full_name as repository,
      array(select lower(o.name) from environments o where o.repository_id = r.id and o.confirmed_at is not null) as confirmed
    from repositories r join repository_names n on n.repository_id = r.id
    join secrets s on coalesce(s.environment_id, s.repository_id, s.organization_id, '')
      = any(array[r.id, r.owner_id, ''] || array(select o.id from environments o where o.repository_id = r.id))
    left join environments e on e.id = s.environment_id
    where r.id = $1 and s.name = any($2)
    order by s.environment_id is null, s.repository_id is null, s.organization_id is null`,
  insertUses: `
    with used as (
      insert into secret_uses (attempt_id, name, parent_id, value_id, level)
      select $1, g.name, g.parent_id, g.value_id, g.level
      from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as g (name, parent_id, value_id, level)
      on conflict (attempt_id, name) do update set parent_id = excluded.parent_id, value_id = excluded.value_id,
        level = excluded.level, used_at = now()
    )
    update secrets set last_used_at = now()
    where id = any($3) and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
  dropOldUses: `
    delete from secret_uses where parent_id = any($1) and used_at < now() - interval '90 days'`,
  findGiven: `
    select u.name, v.id as "valueId", v.sealed_value as sealed
    from secret_uses u join secret_values v on v.id = u.value_id where u.attempt_id = $1`,
});

/** `environment`: where the job deploys to. */
export function findRun(
  db: Queryable,
  pipelineId: string,
  environment: string | null,
): Promise<RunRow | undefined> {
  return db.one(statements.findRun, [pipelineId, environment]);
}

export function findSecrets(
  db: Queryable,
  pipelineId: string,
  { names, environment }: { names: readonly string[]; environment: string | null },
): Promise<SecretRow[]> {
  return db.query(statements.findSecrets, [pipelineId, [...names], environment]);
}

/** Where secrets of these names are. */
export function findInEnvironments(db: Queryable, pipelineId: string, names: readonly string[]) {
  return db.query(statements.findInEnvironments, [pipelineId, [...names]]);
}

export function findPlannedSecrets(
  db: Queryable,
  repositoryId: string,
  names: readonly string[],
): Promise<PlannedRow[]> {
  return db.query(statements.findPlannedSecrets, [repositoryId, [...names]]);
}

/** Records that the attempt was given these; forgets uses from more than 90 days ago. */
export async function insertUses(
  tx: Transaction,
  attemptId: string,
  given: readonly SecretRow[],
): Promise<void> {
  const ids = given.map(({ id }) => id);
  await tx.query(statements.insertUses, [
    attemptId,
    given.map(({ name }) => name),
    ids,
    given.map(({ valueId }) => valueId),
    given.map((one) => one.level),
  ]);
  await tx.query(statements.dropOldUses, [ids]);
}

/** What the attempt was given before. */
export function findGiven(db: Queryable, attemptId: string): Promise<GivenRow[]> {
  return db.query(statements.findGiven, [attemptId]);
}
