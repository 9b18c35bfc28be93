/** Writing a new run: its row, stages, jobs and history in one statement; and the intent that starts its workflow. */
import type { Diagnostic } from "@forgeline/schemas/pipeline-file/diagnostic.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import { newId } from "../../../platform/ids.ts";
import { storableJson, storableText } from "../../../platform/storable-text.ts";
import { reasonSentence } from "./reasons.ts";

export interface NewRun {
  repositoryId: string;
  /** Names the event that makes it: the same one again makes nothing. null where each request is its own event. */
  origin: string | null;
  file: string;
  name: string;
  source: "push" | "tag" | "api" | "manual";
  event: PipelineEvent;
  configText: string | null;
  diagnostics: readonly Diagnostic[];
  triggeredBy: string;
  actor: string;
  /** A plan is run; the others are records of why there is none. */
  content: { kind: "plan"; plan: Plan } | { kind: "broken"; message: string } | { kind: "skipped" };
}

export interface CreatedRun {
  id: string;
  number: number;
}

const ends = {
  plan: { status: "created", reason: null },
  broken: { status: "error", reason: "config" },
  skipped: { status: "skipped", reason: "skip_ci" },
} as const satisfies Record<string, { status: Status; reason: string | null }>;

/** undefined when a run of this origin is there already. */
export async function createRun(tx: Transaction, run: NewRun): Promise<CreatedRun | undefined> {
  const id = newId("pipe");
  const { content, event } = run;
  const { status, reason } = ends[content.kind];
  const message = content.kind === "broken" ? content.message : reasonSentence(reason);
  const { stages, jobs } = content.kind === "plan" ? partsOf(content.plan) : { stages: [], jobs: [] };
  const created = await tx.one<CreatedRun>(createStatement, [
    id,
    run.repositoryId,
    run.origin,
    run.file,
    storableText(run.name),
    run.source,
    event.ref,
    event.sha,
    storableJson(event),
    content.kind === "plan" ? storableJson(content.plan) : null,
    run.configText === null ? null : storableText(run.configText),
    storableJson(run.diagnostics),
    storableJson(event.variables),
    storableJson(event.inputs),
    run.triggeredBy,
    status,
    reason,
    message === null ? null : storableText(message),
    storableJson(stages),
    storableJson(jobs),
    run.actor,
  ]);
  if (!created) return undefined;
  if (content.kind === "plan") {
    await addIntent(tx, run.repositoryId, { kind: "start_pipeline", pipelineId: id, sequence: 1 });
  }
  await tx.notify("run", id);
  return created;
}

function partsOf(plan: Plan) {
  const stages = plan.stages.map((stage, position) => ({
    id: newId("stg"),
    position,
    name: stage.name,
    title: stage.title,
  }));
  const stageIds = new Map(stages.map((stage) => [stage.name, stage.id]));
  const jobs = plan.jobs.map((job, position) => ({
    id: newId("job"),
    stage_id: stageIds.get(job.stage),
    position,
    key: job.key,
    name: job.name,
  }));
  return { stages, jobs };
}

const createStatement = `
with number as (
  update repositories set next_pipeline_number = next_pipeline_number + 1
  where id = $2 and ($3::text is null or not exists (select from pipelines where origin = $3))
  returning next_pipeline_number - 1 as value
), run as (
  insert into pipelines (id, repository_id, number, origin, file, name, source, ref, sha, event, plan, config_text,
    diagnostics, variables, inputs, triggered_by, status, reason, message, finished_at)
  select $1, $2, value, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12::jsonb, $13::jsonb, $14::jsonb, $15,
    $16, $17, $18, case when $16 <> 'created' then now() end
  from number on conflict (origin) do nothing returning id, number, repository_id
), new_stages as (
  insert into stages (id, pipeline_id, position, name, title)
  select c.id, run.id, c.position, c.name, c.title
  from run, jsonb_to_recordset($19::jsonb) as c(id text, position int, name text, title text)
), new_jobs as (
  insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name)
  select c.id, run.id, c.stage_id, run.repository_id, c.position, c.key, c.name
  from run, jsonb_to_recordset($20::jsonb) as c(id text, stage_id text, position int, key text, name text)
), history as (
  insert into transitions (pipeline_id, node, node_id, new_status, reason, message, actor)
  select id, 'pipeline', id, $16, $17, $18, $21 from run
)
select id, number from run`;
