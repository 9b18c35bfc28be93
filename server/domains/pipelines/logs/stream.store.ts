/** Rows of `log_streams`: opens, finds and closes streams. The other stores handle bytes. */
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { newId } from "../../../platform/ids.ts";
import { eventCondition } from "./stream-states.ts";
import type { StreamRows } from "./stream.rows.ts";

export interface OpenStreams {
  attemptId: string;
  pipelineId: string;
  job: PlanJob;
}

interface Wanted {
  kind: LeaseStream["kind"];
  step: number | null;
  service: string | null;
}

/** Set-up first, then the steps, then the services: the order in which a whole log is shown. */
function wantedStreams(job: PlanJob): Wanted[] {
  return [
    { kind: "setup", step: null, service: null },
    ...job.steps.map((step): Wanted => ({ kind: "step", step: step.position, service: null })),
    ...job.services.map((service): Wanted => ({ kind: "service", step: null, service: service.key })),
  ];
}

/** Logs of shells come after those of all steps and services. */
const shellPosition = 100_000;

const leaseColumns = `id, channel, kind, step, service, next_offset as "nextOffset"`;

interface Known {
  /** Never one of a shell. */
  insertStreams: { kind: LeaseStream["kind"] };
  /** As above. */
  findLeaseStreams: { kind: LeaseStream["kind"] };
}

export const statements = defineStatements<StreamRows, Known>({
  insertStreams: `
    with made as (
      insert into log_streams (id, attempt_id, pipeline_id, kind, step, service, position)
      select i.id, $1, $2, i.kind, i.step, i.service, i.position
        from unnest($3::text[], $4::text[], $5::int[], $6::text[], $7::int[])
          as i(id, kind, step, service, position)
      returning *
    )
    select ${leaseColumns} from made order by position`,
  findLeaseStreams: `select ${leaseColumns} from log_streams where attempt_id = $1 and kind <> 'shell' order by position`,
  insertShellStream: `
    insert into log_streams (id, attempt_id, pipeline_id, kind, service, position)
    select $1, $2, $3, 'shell', 'shell-' || count(*) + 1, ${shellPosition} + count(*)
      from log_streams where attempt_id = $2 and kind = 'shell'
    returning service as name`,
  findMissing: `select id, next_offset from log_streams where attempt_id = $1 and not ended and kind <> 'shell'`,
  findStates: `
    select id, next_offset, next_line, ended, total_bytes, total_lines, complete
      from log_streams where id = any($1::text[])`,
  endStream: `
    update log_streams set ended = true, total_bytes = $2, total_lines = $3, sha256 = $4,
           dropped_bytes = $5, dropped_lines = $6, complete = $7
     where id = $1 and ${eventCondition("end")} returning id`,
  endIncomplete: `
    update log_streams set ended = true, complete = false where attempt_id = $1 and ${eventCondition("close")}
    returning id, next_offset, next_line, ended, total_bytes, total_lines, complete`,
  setIncomplete: `update log_streams set complete = false where id = $1 and ${eventCondition("lose")}`,
  areComplete:
    "select bool_and(coalesce(complete, false)) as complete from log_streams where attempt_id = $1 and kind <> 'shell'",
  findUnclosed: `
    select distinct a.id from log_streams l join job_attempts a on a.id = l.attempt_id
    where not l.ended and a.state = 'ended'`,
  findStreamsOfRepository: `select s.id from log_streams s join pipelines p on p.id = s.pipeline_id where p.repository_id = $1`,
  findRunName: `
    select n.full_name || ' #' || p.number as pipeline
    from log_streams s join pipelines p on p.id = s.pipeline_id
      join repository_names n on n.repository_id = p.repository_id
    where s.id = $1`,
});

export async function insertStreams(db: Queryable, open: OpenStreams): Promise<LeaseStream[]> {
  const wanted = wantedStreams(open.job);
  return db.query(statements.insertStreams, [
    open.attemptId,
    open.pipelineId,
    wanted.map(() => newId("log")),
    wanted.map((w) => w.kind),
    wanted.map((w) => w.step),
    wanted.map((w) => w.service),
    wanted.map((_, position) => position),
  ]);
}

/** Of a shell in the attempt; returns its name. Its server writes it, not the runner. */
export async function insertShellStream(
  db: Queryable,
  stream: { id: string; attemptId: string; pipelineId: string },
): Promise<string> {
  const row = await db.one(statements.insertShellStream, [stream.id, stream.attemptId, stream.pipelineId]);
  return row?.name ?? "shell";
}

/** Without those of shells. */
export async function findLeaseStreams(db: Queryable, attemptId: string): Promise<LeaseStream[]> {
  return db.query(statements.findLeaseStreams, [attemptId]);
}

export async function findMissing(db: Queryable, attemptId: string): Promise<Record<string, number>> {
  const rows = await db.query(statements.findMissing, [attemptId]);
  return Object.fromEntries(rows.map((row) => [row.id, row.next_offset]));
}

export type StreamState = StreamRows["findStates"];

export async function findStates(db: Queryable, ids: readonly string[]): Promise<StreamState[]> {
  return db.query(statements.findStates, [ids]);
}

export interface StreamEnd {
  bytes: number;
  lines: number;
  sha256: string;
  droppedBytes: number;
  droppedLines: number;
}

/** False when the stream had ended already. */
export async function endStream(
  db: Queryable,
  id: string,
  end: StreamEnd & { complete: boolean },
): Promise<boolean> {
  const row = await db.one(statements.endStream, [
    id,
    end.bytes,
    end.lines,
    end.sha256,
    end.droppedBytes,
    end.droppedLines,
    end.complete,
  ]);
  return row !== undefined;
}

/** Ends open streams as incomplete; returns them. */
export async function endIncomplete(db: Queryable, attemptId: string): Promise<StreamState[]> {
  return db.query(statements.endIncomplete, [attemptId]);
}

/** Marks it as incomplete, because a part is lost. */
export async function setIncomplete(db: Queryable, id: string): Promise<void> {
  await db.query(statements.setIncomplete, [id]);
}

/** Whether all streams of an attempt are complete, but for those of shells; true if it has none. */
export async function areComplete(db: Queryable, attemptId: string): Promise<boolean> {
  const row = await db.one(statements.areComplete, [attemptId]);
  return row?.complete ?? true;
}

/** Attempts that have ended with open streams. */
export async function findUnclosed(db: Queryable): Promise<string[]> {
  const rows = await db.query(statements.findUnclosed);
  return rows.map(({ id }) => id);
}

export async function findStreamsOfRepository(db: Queryable, repositoryId: string): Promise<string[]> {
  const rows = await db.query(statements.findStreamsOfRepository, [repositoryId]);
  return rows.map(({ id }) => id);
}

/** The run to which a stream belongs, as `owner/repository #number`. */
export async function findRunName(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.one(statements.findRunName, [id]);
  return row?.pipeline;
}
