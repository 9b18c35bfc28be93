/** Rows of `deployments`: which attempt deployed to which environment. How it went is the attempt's. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { startedBySql } from "../runs/starter.store.ts";
import type { DeploymentsRows } from "./deployments.rows.ts";

export type DeploymentRow = RowOf<typeof statements.listDeployments>;
/** What is the same for whoever asks. */
export type DeploymentFacts = Omit<RowOf<typeof statements.ofAttempts>, "actor_id" | "environment">;

const succeeded = `from deployments d join job_attempts a on a.id = d.attempt_id where a.status = 'success'`;
const fromEnvironment = "from deployments d where d.environment_id = $1";

/** Names of those whose approval the deployment `d` had: at the gates of its job (`j`, of the stage `s`) that it had reached last. */
export const approvedBySql = `array(select distinct v.username from approval_gates g join approvals o on o.gate_id = g.id
  join users v on v.id = o.user_id
  where g.pipeline_id = j.pipeline_id and g.state = 'approved' and o.decision = 'approve' and o.counted and o.decided_at <= d.created_at
    and g.stage = s.name and (g.job is null or g.job = j.key) and (g.environment is null or lower(g.environment) = lower(e.name))
    and g.sequence = (select max(h.sequence) from approval_gates h where h.pipeline_id = j.pipeline_id and h.stage = s.name
      and (h.job is null or h.job = j.key) and h.opened_at <= d.created_at)
  order by v.username)`;

const facts = `d.id, a.status, p.sha, p.ref, j.id as job_id, j.key, j.name as job_name, a.attempt, u.username,
      d.url, d.repeats_id, d.created_at, ${approvedBySql} as approved_by, a.started_at, a.finished_at`;
const factsOf = (deployments: string) => `from ${deployments} d
    join job_attempts a on a.id = d.attempt_id join jobs j on j.id = a.job_id join stages s on s.id = j.stage_id
    join pipelines p on p.id = j.pipeline_id join environments e on e.id = d.environment_id
    left join users u on u.id = d.actor_id`;

export const statements = defineStatements<DeploymentsRows>({
  insertDeployments: `
    insert into deployments (id, environment_id, attempt_id, actor_id, url, repeats_id)
    select c.id, c."environmentId", c."attemptId",
      ${startedBySql},
      c.url, (select d.id ${succeeded} and a.job_id = c."jobId" and d.environment_id = c."environmentId"
        order by a.attempt desc limit 1)
    from pipelines p, jsonb_to_recordset($2::jsonb) as c(id text, "environmentId" text, "attemptId" text, "jobId" text, url text)
    where p.id = $1`,
  ofAttempts: `
    select ${facts}, d.actor_id, e.name as environment ${factsOf("deployments")}
    where d.attempt_id = any($1) order by d.created_at, d.id`,
  listDeployments: `
    select ${facts}, p.id as pipeline_id, p.number,
      d.id = (select d.id ${succeeded} and d.environment_id = $1 order by d.created_at desc, d.id desc limit 1) as is_current
    ${factsOf(`(select * ${fromEnvironment} order by d.created_at desc, d.id desc limit $2 offset $3)`)} order by d.created_at desc, d.id desc`,
  findDeployment: `
    select d.id, a.status, a.pipeline_id, a.job_id ${fromEnvironment.replace("where", "join job_attempts a on a.id = d.attempt_id where")}
      and d.id = $2`,
});

export interface NewDeployment {
  id: string;
  environmentId: string;
  attemptId: string;
  jobId: string;
  url: string | null;
}

/** Of attempts that have just been created. */
export async function insertDeployments(
  tx: Transaction,
  pipelineId: string,
  deployments: readonly NewDeployment[],
): Promise<void> {
  await tx.query(statements.insertDeployments, [pipelineId, JSON.stringify(deployments)]);
}

/** Those of the attempts that deploy, the oldest first. */
export function deploymentsOfAttempts(tx: Transaction, attemptIds: readonly string[]) {
  return tx.query(statements.ofAttempts, [[...attemptIds]]);
}

/** Newest first. */
export async function listDeployments(
  db: Queryable,
  environmentId: string,
  page: PageQuery,
): Promise<{ rows: DeploymentRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listDeployments, [environmentId, page.per_page, offsetOf(page)]),
    countRows(db, fromEnvironment, [environmentId]),
  ]);
  return { rows, total };
}

export function findDeployment(db: Queryable, environmentId: string, id: string) {
  return db.one(statements.findDeployment, [environmentId, id]);
}
