/** Where the logs that are searched lie: the segments of many streams in one query, and the last runs of a repository. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import { defineStatements } from "../../../../platform/db/statement.ts";
import type { SearchRows } from "./search.rows.ts";

export const statements = defineStatements<SearchRows>({
  findSegments: `
    select s.stream_id, s.start_offset, s.end_offset, s.next_line, s.object_key, s.index
      from unnest($1::text[]) with ordinality w(id, n)
      join log_segments s on s.stream_id = w.id
     where w.n > 1 or s.end_offset > $2
     order by w.n, s.start_offset limit $3`,
  findLastRuns: `
    select id, number, status from pipelines
     where repository_id = $1 and ($2::int is null or number <= $2) and ($3::int is null or number >= $3)
       and ($4::text is null or ref in ($4, 'refs/heads/' || $4, 'refs/tags/' || $4))
       and ($5::text is null or file = $5 or file = '.forgeline/' || $5 || '.yml')
     order by number desc limit $6`,
  findSearchedRun: `
    select id, number, status from pipelines where repository_id = $1 and (id = $2 or number = $3)`,
  findFailedStreams: `
    select s.id
      from jobs j
      join stages g on g.id = j.stage_id
      join job_attempts a on a.job_id = j.id and a.attempt = j.attempts
      join log_streams s on s.attempt_id = a.id
      left join steps t on t.attempt_id = a.id and t.position = s.step
     where j.pipeline_id = $1 and j.status in ('failed', 'error') and s.next_offset > 0
       and (s.kind = 'setup' or t.status in ('failed', 'error'))
     order by j.failure_allowed, a.finished_at nulls last, g.position, j.position, j.combination,
              s.kind = 'setup', t.finished_at nulls last, s.position`,
  findRunOfStream: `
    select p.number from log_streams s join pipelines p on p.id = s.pipeline_id
     where s.id = $1 and p.repository_id = $2`,
});

export type SegmentPlace = SearchRows["findSegments"];

/** Of the streams, in their order, at most so many; of the first one only those that hold something at or after `offset`. */
export function findSegments(
  db: Queryable,
  streamIds: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<SegmentPlace[]> {
  return db.query(statements.findSegments, [streamIds, offset, limit]);
}

export interface RunFilter {
  /** Numbers, both included. */
  from: number | null;
  to: number | null;
  ref: string | null;
  pipeline: string | null;
  limit: number;
}

export interface SearchedRun {
  id: string;
  number: number;
  status: Status;
}

/** Newest first. */
export function findLastRuns(db: Queryable, repositoryId: string, filter: RunFilter): Promise<SearchedRun[]> {
  const { from, to, ref, pipeline, limit } = filter;
  return db.query(statements.findLastRuns, [repositoryId, to, from, ref, pipeline, limit]);
}

/** By id or number; undefined where the repository has no such run. */
export function findSearchedRun(
  db: Queryable,
  repositoryId: string,
  idOrNumber: string,
): Promise<SearchedRun | undefined> {
  const number = /^\d+$/.test(idOrNumber) ? Number(idOrNumber) : null;
  return db.one(statements.findSearchedRun, [repositoryId, idOrNumber, number]);
}

/**
 * Ids of logs that are not empty and could tell why jobs failed, the most telling first: failures that are not allowed before those that
 * are, by when they happened, and of one job its failed step before its set-up.
 */
export async function findFailedStreams(db: Queryable, pipelineId: string): Promise<string[]> {
  return (await db.query(statements.findFailedStreams, [pipelineId])).map(({ id }) => id);
}

/** Undefined where the repository has no such log any more. */
export async function findRunOfStream(
  db: Queryable,
  repositoryId: string,
  streamId: string,
): Promise<number | undefined> {
  return (await db.one(statements.findRunOfStream, [streamId, repositoryId]))?.number;
}
