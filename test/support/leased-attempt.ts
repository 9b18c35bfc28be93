/** An attempt that a runner would hold, straight in the database, so that a token can be the token of its job. */
import type { JobPermission } from "@forgeline/schemas/pipeline-file/file-permissions.ts";
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
  /** Of the token, as a runner's lease would have them; absent: as of a job whose file says nothing. */
  permissions?: readonly JobPermission[];
  /** Who ran it again; absent: nobody. */
  rerunBy?: string;
  /** Of the run, unique in the repository. */
  number?: number;
}

/** Its id. One for each repository and user. */
export async function insertLeasedAttempt(db: TextDatabase, leased: LeasedAttempt): Promise<string> {
  const { repositoryId, userId, token, sha = "abc", permissions = ["repo:read"], rerunBy = userId } = leased;
  const { number = userId === null ? 1001 : 1000 } = leased;
  const [pipeline, stage, job, attempt] = [newId("pipe"), newId("stg"), newId("job"), newId("att")];
  await db.query(
    `insert into pipelines (id, repository_id, number, file, source, ref, sha, event, triggered_by, status, starts_as)
     values ($1, $2, $3, '.forgeline.yml', $7, 'refs/heads/main', $4, $5, $6, 'running', $8)`,
    [
      pipeline,
      repositoryId,
      number,
      sha,
      plainEvent(sha),
      userId,
      userId === null ? "schedule" : "api",
      rerunBy,
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
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, labels, job, token_hash, token_scopes)
     values ($1, $2, $3, $4, 1, 'leased', '{}', '{}', $5, $6)`,
    [attempt, job, pipeline, repositoryId, hashToken(token), permissions],
  );
  return attempt;
}
