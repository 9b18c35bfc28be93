/** What attempts of a run were given: secrets, and identity tokens. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { CredentialsRows } from "./credentials.rows.ts";

export type CredentialRow = RowOf<typeof statements.listOfRun>;

export const statements = defineStatements<CredentialsRows>({
  // One row with nulls where the run is there, and nothing was given.
  listOfRun: `
    select g.job_id, g.job, g.attempt, g.kind, g.name, g.level, g.audience, g.given_at, g.expires_at
    from pipelines p left join lateral (
      select j.id as job_id, j.name as job, j.position, j.combination, a.attempt, 'secret' as kind, u.name,
        coalesce(u.level, case when s.environment_id is not null then 'environment' when s.repository_id is not null then 'repository'
          when s.organization_id is not null then 'organization' when s.id is not null then 'instance' end) as level,
        null::text as audience, u.used_at as given_at, null::timestamptz as expires_at
      from job_attempts a join jobs j on j.id = a.job_id join secret_uses u on u.attempt_id = a.id
      left join secrets s on s.id = u.parent_id
      where a.pipeline_id = p.id and ($4::text is null or j.id = $4)
      union all
      select j.id, j.name, j.position, j.combination, a.attempt, 'id_token', t.name, null, t.claims::jsonb ->> 'aud', t.issued_at,
        to_timestamp((t.claims::jsonb ->> 'exp')::bigint)
      from job_attempts a join jobs j on j.id = a.job_id join id_tokens t on t.attempt_id = a.id
      where a.pipeline_id = p.id and ($4::text is null or j.id = $4)
    ) g on true
    where p.repository_id = $1 and (p.id = $2 or p.number = $3)
    order by g.position, g.combination, g.attempt, g.kind desc, g.name`,
});

/** By job and attempt, in the order of the file; empty: there is no such run. */
export function listOfRun(
  db: Queryable,
  repositoryId: string,
  { run, job }: { run: string; job: string | null },
): Promise<CredentialRow[]> {
  const number = /^[1-9][0-9]{0,8}$/.test(run) ? Number(run) : null;
  return db.query(statements.listOfRun, [repositoryId, run, number, job]);
}
