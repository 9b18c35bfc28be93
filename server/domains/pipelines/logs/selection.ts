/** The streams that one request for logs selects, in order, as they were at one moment. */
import { createHash } from "node:crypto";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { findRunRow, findRunStreams } from "./run-state.store.ts";
import { chosen, type RunStream, type StreamFilter } from "./run-state.ts";

export interface LogSelection {
  pipelineId: string;
  streams: readonly RunStream[];
  /** Bytes of all of them together. */
  totalBytes: number;
  /** No byte will come any more. */
  finished: boolean;
  complete: boolean;
  /** Changes with every byte and every end of a stream. */
  version: string;
}

export interface FoundRun {
  id: string;
  status: Status;
}

/** The run of a repository by id or number; `not_found` otherwise. */
export async function findRun(db: Queryable, repositoryId: string, idOrNumber: string): Promise<FoundRun> {
  const number = /^\d+$/.test(idOrNumber) ? Number(idOrNumber) : null;
  const run = await findRunRow(db, repositoryId, { id: idOrNumber, number });
  if (!run) throw new AppError("not_found");
  return run;
}

export async function selectLogs(db: Queryable, run: FoundRun, filter: StreamFilter): Promise<LogSelection> {
  const streams = (await findRunStreams(db, run.id)).filter((stream) => chosen(stream, filter));
  const ended = streams.every((stream) => stream.ended);
  const finished = ended && (isFinal(run.status) || streams.length === 1);
  const state = streams.map((s) => [s.id, s.next_offset, s.ended, s.complete]);
  return {
    pipelineId: run.id,
    streams,
    totalBytes: streams.reduce((sum, stream) => sum + stream.next_offset, 0),
    finished,
    complete: finished && streams.every((stream) => stream.complete),
    version: createHash("sha256")
      .update(JSON.stringify([state, finished]))
      .digest("base64url"),
  };
}

export interface Place {
  /** Index of the stream in the selection. */
  index: number;
  offset: number;
}

/** Where a request wants to start: its cursor, its offset, or the beginning. */
export function startPlace(
  selection: LogSelection,
  query: { cursor?: string | undefined; offset?: number | undefined },
): Place {
  if (query.cursor !== undefined) {
    const [streamId, offset] = query.cursor.split(":");
    const index = selection.streams.findIndex((stream) => stream.id === streamId);
    if (index < 0)
      throw new AppError("bad_request", {
        message: "The cursor belongs to a log that is not, or no longer, selected.",
      });
    return { index, offset: Number(offset) };
  }
  if (query.offset !== undefined && selection.streams.length > 1)
    throw new AppError("bad_request", {
      message: "offset requires exactly one stream: select a job and step, or continue with cursor.",
    });
  return { index: 0, offset: query.offset ?? 0 };
}
