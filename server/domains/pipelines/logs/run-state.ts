/** What a viewer of logs needs to know about the run: its streams, and the status of every part. */
import type { WatchStatus, WatchStream } from "@forgeline/schemas/logs/watch.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { z } from "zod";
import type { Database } from "../../../platform/db/database.ts";
import { findRunNodes, findRunStreams } from "./run-state.store.ts";

export interface RunStream {
  id: string;
  kind: z.infer<typeof WatchStream>["kind"];
  stage: string;
  job: string;
  /** The key, and the values of a combination. */
  job_label: string;
  /** As people gave it. */
  job_name: string;
  job_id: string;
  attempt: number;
  /** True for streams of the newest attempt of their job. */
  newest: boolean;
  step: number | null;
  name: string;
  /** The expressions in the name of a step are evaluated only when it starts. */
  unnamed: boolean;
  next_offset: number;
  next_line: number;
  /** No byte will come any more. */
  ended: boolean;
  /** Everything that the job printed is here; false while the stream continues. */
  complete: boolean;
}

export type RunNode = Omit<z.infer<typeof WatchStatus>, "t" | "time"> & { time: Date };

export interface StreamFilter {
  /** Key, label, name or id of a job. */
  job?: string | undefined;
  /** Position or name of a step; `setup` or the key of a service for the other streams. */
  step?: string | undefined;
  attempt?: number | undefined;
}

/** Without an attempt asked for, the newest of each job. */
export function chosen(stream: RunStream, filter: StreamFilter): boolean {
  const { job, job_label: label, job_name: name, job_id: id } = stream;
  if (filter.job !== undefined && ![job, label, name, id].includes(filter.job)) return false;
  if (filter.attempt !== undefined ? filter.attempt !== stream.attempt : !stream.newest) return false;
  if (filter.step === undefined) return true;
  return filter.step === stream.name || (stream.step !== null && filter.step === String(stream.step));
}

export interface RunStates {
  nodes(pipelineId: string): Promise<RunNode[]>;
  streams(pipelineId: string): Promise<RunStream[]>;
  /** Calls back with each changed run; an empty id: notifications may have been missed. The result unsubscribes. */
  onChange(listener: (pipelineId: string) => void): () => void;
}

export function createRunStates(db: Database): RunStates {
  return {
    nodes: (pipelineId) => findRunNodes(db, pipelineId),
    streams: (pipelineId) => findRunStreams(db, pipelineId),
    onChange: (listener) => db.listen("run", listener),
  };
}

export interface RunOutcome {
  status: Status;
  reason: string | null;
}
