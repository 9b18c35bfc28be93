/** Deployments in rows, of runs that no worker decides. */
import type { Database } from "@forgeline/server/platform/db/database.ts";
import { newId } from "@forgeline/server/platform/ids.ts";

interface WantedDeployment {
  pipelineId: string;
  /** Name; created if it does not exist. */
  environment: string;
  url?: string;
  status?: "success" | "failed";
}

type Queries = Pick<Database, "query">;

/** A further attempt of the run's first job, which is created if there is none; the id of the deployment. */
export async function insertDeployment(
  db: Queries,
  { pipelineId, environment, url, status = "success" }: WantedDeployment,
): Promise<string> {
  const [deployment, attempt] = [newId("depl"), newId("att")];
  const run = async (text: string, values: unknown[]) =>
    void (await db.query(text as never, values as never));
  await run(
    `insert into stages (id, pipeline_id, position, name, status) select $2, $1, 0, 'main', 'success'
     where not exists (select from stages where pipeline_id = $1)`,
    [pipelineId, newId("stg")],
  );
  await run(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name, status, attempts)
     select $2, p.id, s.id, p.repository_id, 0, 'ship', 'ship', 'success', 1
     from pipelines p join stages s on s.pipeline_id = p.id where p.id = $1 and not exists (select from jobs where pipeline_id = $1) limit 1`,
    [pipelineId, newId("job")],
  );
  await run(
    `insert into environments (id, repository_id, name) select $2, repository_id, $3 from pipelines where id = $1 on conflict do nothing`,
    [pipelineId, newId("env"), environment],
  );
  await run(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job, started_at, finished_at)
     select $2, j.id, j.pipeline_id, j.repository_id, (select coalesce(max(a.attempt), 0) + 1 from job_attempts a where a.job_id = j.id),
       'ended', $3, '{}', '{}', now(), now() from jobs j where j.pipeline_id = $1 order by j.position limit 1`,
    [pipelineId, attempt, status],
  );
  await run(
    `insert into deployments (id, environment_id, attempt_id, actor_id, url)
     select $2, e.id, $3, p.triggered_by, $5 from pipelines p
     join environments e on e.repository_id = p.repository_id and e.name = $4 where p.id = $1`,
    [pipelineId, deployment, attempt, environment, url ?? null],
  );
  return deployment;
}
