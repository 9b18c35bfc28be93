/** Runs and the jobs of other runs that started them. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import type { ChildrenRows } from "./children.rows.ts";

/** So that a run is found by the attempt that started it, and started once. */
export function originOf(attemptId: string): string {
  return `trigger:${attemptId}`;
}

export const statements = defineStatements<ChildrenRows>({
  findStarting: `
    select a.state, a.epoch, a.job, a.job_id as "jobId", p.id, p.repository_id as "repositoryId", p.number, p.file, p.event,
      p.trust, p.depth, p.sequence, coalesce(p.root_id, p.id) as "rootId", p.starts_as as "startsAs",
      p.starts_elsewhere as "startsElsewhere", u.username, u.suspended
    from job_attempts a join pipelines p on p.id = a.pipeline_id left join users u on u.id = p.starts_as
    where a.id = $1`,
  findChild: "select id, number, status, repository_id from pipelines where origin = $1",
  listOpenJobs: `
    select status, reason, message from jobs where pipeline_id = $1 and finished_at is null order by position, combination`,
  openChild: "select id from pipelines where origin = $1 and finished_at is null",
  followedChildren: `
    select c.id from pipelines c join job_attempts a on a.id = c.parent_attempt_id
    where c.parent_id = $1 and c.finished_at is null and a.state = 'following' order by c.id`,
  holdTree: "select pg_advisory_xact_lock(hashtext('runs below ' || $1))",
  countChildren: `
    select (select count(*)::int from pipelines where parent_id = $1 and parent_sequence = $2) as own,
      (select count(*)::int from (select from pipelines where root_id = $3 limit $4) t) as tree`,
  // The run itself, and those that started it, one after the other.
  findLoop: `
    with recursive above as (
      select id, number, parent_id, repository_id, file, sha, inputs, 0 as distance from pipelines where id = $1
      union all
      select p.id, p.number, p.parent_id, p.repository_id, p.file, p.sha, p.inputs, above.distance + 1
      from pipelines p join above on p.id = above.parent_id where above.distance < 10
    )
    select number from above where repository_id = $2 and file = $3 and sha = $4 and inputs = $5::jsonb
    order by distance limit 1`,
  readChildOutputs: `
    with chosen as (
      select distinct on (e.key) e.key, e.value from jobs j cross join lateral jsonb_each_text(j.outputs) e
      where j.pipeline_id = $1 and e.key = any($2::text[]) order by e.key, j.position desc, j.combination desc
    ), measured as (
      select key, value, sum(octet_length(key) + octet_length(value)) over () as bytes from chosen
    )
    select key, case when bytes <= $3 then value end as value from measured`,
  listRelatives: `
    select p.parent_id = c.id as "isParent", c.id, c.number, c.status, c.file, c.repository_id as "repositoryId", n.owner, n.name,
      case when p.parent_id = c.id then p.parent_job_id else c.parent_job_id end as "jobId", a.attempt
    from pipelines p join pipelines c on c.id = p.parent_id or c.parent_id = p.id
    join repository_names n on n.repository_id = c.repository_id
    left join job_attempts a on a.id = c.parent_attempt_id and c.parent_id = p.id
    where p.id = $1 order by c.created_at, c.id`,
});

export type StartingRow = Omit<ChildrenRows["findStarting"], "event"> & { event: PipelineEvent };
export type RelativeRow = RowOf<typeof statements.listRelatives>;

/** The attempt of a job that starts a pipeline, with its run. */
export function findStarting(db: Queryable, attemptId: string): Promise<StartingRow | undefined> {
  return db.one(statements.findStarting, [attemptId]);
}

/** The run that the attempt started. */
export function findChild(db: Queryable, attemptId: string) {
  return db.one(statements.findChild, [originOf(attemptId)]);
}

/** What the jobs of the run that have not ended do, in the order of the file. */
export function listOpenJobs(db: Queryable, pipelineId: string) {
  return db.query(statements.listOpenJobs, [pipelineId]);
}

/** As `findChild`, if it has not ended. */
export function openChild(tx: Transaction, attemptId: string) {
  return tx.one(statements.openChild, [originOf(attemptId)]);
}

/** Open runs that jobs of this one wait for. */
export function followedChildren(tx: Transaction, pipelineId: string) {
  return tx.query(statements.followedChildren, [pipelineId]);
}

/**
 * Until the transaction ends, nobody else adds to the runs below this first one. To be taken before any row, since those who wait
 * for it hold nothing that its holder may need.
 */
export async function holdTree(tx: Transaction, rootId: string): Promise<void> {
  await tx.query(statements.holdTree, [rootId]);
}

/** Those of this sequence of the run, and all below the first run, counted to `limit`. */
export async function countChildren(
  tx: Transaction,
  run: { id: string; sequence: number; rootId: string; limit: number },
): Promise<{ own: number; tree: number }> {
  const row = await tx.one(statements.countChildren, [run.id, run.sequence, run.rootId, run.limit]);
  return row ?? { own: 0, tree: 0 };
}

/** Number of the run, or of one that started it, which did the very same; undefined: none did. */
export async function findLoop(
  tx: Transaction,
  pipelineId: string,
  wanted: { repositoryId: string; file: string; sha: string; inputs: PipelineEvent["inputs"] },
): Promise<number | undefined> {
  const { repositoryId, file, sha, inputs } = wanted;
  const row = await tx.one(statements.findLoop, [pipelineId, repositoryId, file, sha, storableJson(inputs)]);
  return row?.number;
}

/** Of several jobs with an output of this name, the last; null: all together are longer than `maxBytes`. */
export async function readChildOutputs(
  db: Queryable,
  pipelineId: string,
  { names, maxBytes }: { names: readonly string[]; maxBytes: number },
): Promise<Map<string, string> | null> {
  const rows = await db.query(statements.readChildOutputs, [pipelineId, [...names], maxBytes]);
  if (rows.some(({ value }) => value === null)) return null;
  return new Map(rows.map(({ key, value }) => [key ?? "", value ?? ""]));
}

/** The run that started this one, and those that it started, oldest first. */
export function listRelatives(db: Queryable, pipelineId: string): Promise<RelativeRow[]> {
  return db.query(statements.listRelatives, [pipelineId]);
}
