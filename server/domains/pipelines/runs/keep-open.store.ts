/** Jobs whose containers are kept for a shell when they fail: `jobs.keep_open`, and `job_attempts.kept_until` while one is. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { KeepOpenRows } from "./keep-open.rows.ts";

interface Known {
  /** Of the newest attempt, else of the plan. */
  findKeepable: { job: PlanJob | null };
}

export const statements = defineStatements<KeepOpenRows, Known>({
  findKeepable: `
    select j.id, j.key, j.name, j.matrix, j.finished_at as "finishedAt", j.keep_open, p.trust, coalesce(a.job, planned.job) as job, coalesce(e.allow_shell, false) as "allowShell"
    from jobs j join pipelines p on p.id = j.pipeline_id
    left join lateral (select a.job from job_attempts a where a.job_id = j.id order by a.attempt desc limit 1) a on true
    left join lateral (select one.job from jsonb_array_elements(p.plan::jsonb -> 'jobs') one(job) where one.job ->> 'key' = j.key) planned on true
    left join environments e on e.repository_id = p.repository_id
      and lower(e.name) = lower(coalesce(a.job, planned.job) -> 'environment' ->> 'name')
    where j.pipeline_id = $1 order by j.position, j.combination`,
  setKeepOpen: `
    with kept as (update jobs set keep_open = $3 where pipeline_id = $1 and id = any($2::text[]) returning id)
    select a.id from kept join job_attempts a on a.job_id = kept.id where a.state = 'leased'`,
  noteKept: `
    update job_attempts set kept_until = now() + $3 * interval '1 millisecond'
    where id = $1 and epoch = $2 and state = 'leased' returning pipeline_id`,
});

export type KeepableJob = RowOf<typeof statements.findKeepable>;

/** All jobs of a run in their order. */
export function findKeepable(db: Queryable, pipelineId: string): Promise<KeepableJob[]> {
  return db.query(statements.findKeepable, [pipelineId]);
}

/** Returns the attempts of these jobs that a runner has: it has to be told. */
export async function setKeepOpen(
  tx: Queryable,
  pipelineId: string,
  { jobs, keepOpen }: { jobs: readonly string[]; keepOpen: boolean },
): Promise<string[]> {
  const rows = await tx.query(statements.setKeepOpen, [pipelineId, [...jobs], keepOpen]);
  return rows.map(({ id }) => id);
}

/** Returns the run; undefined if the lease is not held. */
export async function noteKept(
  tx: Queryable,
  kept: { attemptId: string; epoch: number; forMs: number },
): Promise<string | undefined> {
  return (await tx.one(statements.noteKept, [kept.attemptId, kept.epoch, kept.forMs]))?.pipeline_id;
}
