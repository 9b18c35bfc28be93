/** An attempt that a runner would hold, straight in the database, so that a token can be the token of its job. */
import { hashToken } from "@forgeline/server/platform/credentials/credential.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { plainEvent } from "./plain-event.ts";
import type { TextDatabase } from "./text-database.ts";

export interface LeasedAttempt {
  repositoryId: string;
  /** Who started the run; null if no user did. */
  userId: string | null;
  token: string;
  /** Commit of the run. */
  sha?: string;
}

/** Its id. One for each repository and user. */
export async function insertLeasedAttempt(db: TextDatabase, leased: LeasedAttempt): Promise<string> {
  const { repositoryId, userId, token, sha = "abc" } = leased;
  const [pipeline, stage, job, attempt] = [newId("pipe"), newId("stg"), newId("job"), newId("att")];
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by, status)
     values ($1, $2, $3, '.forgeline.yml', $7, 'refs/heads/main', $4, $5, $6, 'running')`,
    [
      pipeline,
      repositoryId,
      userId === null ? 1001 : 1000,
      sha,
      plainEvent(sha),
      userId,
      userId === null ? "schedule" : "api",
    ],
  );
  await db.query("insert into stages (id, pipeline_id, position, name) values ($1, $2, 0, 'main')", [
    stage,
    pipeline,
  ]);
  await db.query(
    `insert into jobs (id, pipeline_id, stage_id, repository_id, position, key, name) values ($1, $2, $3, $4, 0, 'j', 'j')`,
    [job, pipeline, stage, repositoryId],
  );
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, labels, job, token_hash)
     values ($1, $2, $3, $4, 1, 'leased', '{}', '{}', $5)`,
    [attempt, job, pipeline, repositoryId, hashToken(token)],
  );
  return attempt;
}
