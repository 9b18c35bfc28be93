/** A new run with its stages, jobs and history, in one statement. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { storableJson, storableText } from "../../../platform/storable-text.ts";
import { givenVariables } from "../variables/run-variables.ts";
import type { CreatedRun, NewRun } from "./create-run.ts";
import { trustOf } from "./source-trust.ts";
import type { CreateRunRows } from "./create-run.rows.ts";

export const statements = defineStatements<CreateRunRows>({
  insertRun: `
    with number as (
      update repositories set next_pipeline_number = next_pipeline_number + 1
      where id = $2 and ($3::text is null or not exists (select from pipelines where origin = $3))
      returning next_pipeline_number - 1 as value
    ), run as (
      insert into pipelines (id, repository_id, number, origin, file, name, source, ref, sha, event, plan, config_text,
        diagnostics, variables, inputs, triggered_by, schedule_id, trust, templates, status, reason, message, finished_at,
        parent_id, parent_sequence, parent_job_id, parent_attempt_id, root_id, depth, starts_as, starts_elsewhere, committed_at,
        foreseen, merge_request_number, needs_approval, head_sha)
      select $1, $2, value, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12::jsonb, $13::jsonb, $14::jsonb, $15,
        $22, $23, $24::jsonb, $16, $17, $18, case when $16 <> 'created' and $16 <> 'awaiting_approval' then now() end,
        $25, $26, $27, $28, $29, $30, $31, $32, $33::timestamptz,
        $34::jsonb, $35, $36, $37
      from number on conflict (origin) do nothing returning id, number, repository_id
    ), new_stages as (
      insert into stages (id, pipeline_id, position, name, title)
      select c.id, run.id, c.position, c.name, c.title
      from run, jsonb_to_recordset($19::jsonb) as c(id text, position int, name text, title text)
    ), new_jobs as (
      insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, matrix, combination, expanded)
      select c.id, run.id, c.stage_id, run.repository_id, c.position, c.key, c.name, c.matrix, c.combination, c.expanded
      from run, json_to_recordset($20::json) as c(id text, stage_id text, position int, key text, name text, matrix json,
        combination int, expanded boolean)
    ), history as (
      insert into transitions (pipeline_id, node, node_id, new_status, reason, message, actor)
      select id, 'pipeline', id, $16, $17, $18, $21 from run
    )
    select id, number from run`,
  holdRepository: "select id from repositories where id = $1 for no key update",
});

/** As whoever creates a run in it does, until the transaction ends. */
export async function holdRepository(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.holdRepository, [repositoryId]);
}

export interface RunRows {
  id: string;
  run: NewRun;
  status: Status;
  reason: string | null;
  message: string | null;
  stages: readonly object[];
  jobs: readonly object[];
  foreseen: readonly object[];
}

/** undefined if there is already a run of this origin. */
export function insertRun(tx: Transaction, rows: RunRows): Promise<CreatedRun | undefined> {
  const { id, run, status, reason, message, stages, jobs, foreseen } = rows;
  const { content } = run;
  const { committedAt = null, ...event } = run.event;
  return tx.one(statements.insertRun, [
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
    storableJson(givenVariables(event)),
    storableJson(event.inputs),
    run.triggeredBy,
    status,
    reason,
    message === null ? null : storableText(message),
    storableJson(stages),
    storableJson(jobs),
    run.event.actor,
    run.scheduleId ?? null,
    run.parent?.trust ?? trustOf(run.event),
    storableJson(run.templates ?? []),
    ...ofParent(run),
    committedAt,
    foreseen.length > 0 ? storableJson(foreseen) : null,
    event.mergeRequest?.number ?? null,
    status === "awaiting_approval",
    // A run of the head has none of its own, also where it says so to its steps.
    event.mergeRequest?.merge_sha === undefined ? null : (event.mergeRequest.head_sha ?? null),
  ]);
}

function ofParent({ parent, starts }: NewRun) {
  return [
    parent?.id ?? null,
    parent?.sequence ?? null,
    parent?.jobId ?? null,
    parent?.attemptId ?? null,
    parent?.rootId ?? null,
    parent?.depth ?? 0,
    starts?.userId ?? null,
    starts?.elsewhere ?? false,
  ];
}
