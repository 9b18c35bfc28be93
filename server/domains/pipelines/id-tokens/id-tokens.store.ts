/** Identity tokens of attempts, and what they say about each. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { IdTokensRows } from "./id-tokens.rows.ts";

export type ClaimFacts = RowOf<typeof statements.findFacts>;
export type GivenToken = IdTokensRows["listGiven"];

interface Known {
  /** The joins say that none is null, and so does the event of every run. */
  findFacts: { repository: string; owner: string; actor: string };
}

export const statements = defineStatements<IdTokensRows, Known>({
  findFacts: `
    select n.full_name as repository, n.owner, r.id as "repositoryId", r.visibility, p.ref, p.sha, p.source as event,
      p.event ->> 'actor' as actor, p.id as "runId", p.number as "runNumber", p.file as pipeline, s.name as stage, j.key as job,
      j.id as "jobId", a.attempt,
      (select e.name from environments e where e.repository_id = r.id and e.confirmed_at is not null
        and lower(e.name) = lower(a.job #>> '{environment,name}')) as environment
    from job_attempts a join jobs j on j.id = a.job_id
    join stages s on s.id = j.stage_id join pipelines p on p.id = a.pipeline_id
    join repositories r on r.id = p.repository_id join repository_names n on n.repository_id = r.id
    where a.id = $1`,
  insert: `
    insert into id_tokens (attempt_id, name, key_id, claims)
    select $1, t.name, $2, t.claims from unnest($3::text[], $4::text[]) as t (name, claims)`,
  listGiven: `select name, key_id, claims from id_tokens where attempt_id = $1`,
});

export function findFacts(db: Queryable, attemptId: string): Promise<ClaimFacts | undefined> {
  return db.one(statements.findFacts, [attemptId]);
}

export async function insert(
  tx: Transaction,
  { attemptId, keyId }: { attemptId: string; keyId: string },
  tokens: readonly { name: string; claims: string }[],
): Promise<void> {
  const names = tokens.map(({ name }) => name);
  const claims = tokens.map((token) => token.claims);
  await tx.query(statements.insert, [attemptId, keyId, names, claims]);
}

export function listGiven(db: Queryable, attemptId: string): Promise<GivenToken[]> {
  return db.query(statements.listGiven, [attemptId]);
}
