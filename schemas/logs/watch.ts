/**
 * The log watch socket, `…/pipelines/{id}/logs/stream`. Query: `job`, `step`, `attempt` narrow it, `from` is the
 * offset to start at when exactly one stream is chosen. The viewer may send `resume` as its first message to
 * continue many streams. Server: text messages below, and binary log frames whose `channel` a `stream` message
 * opened, their bytes compressed with zstd or not as each frame says, and never with `zstd=false`. Stored bytes come first, then live ones from the same offset space, without a gap.
 */
import { z } from "zod";
import { Status } from "../pipelines/status.ts";

/** Streams of one run that a viewer may name, and more than fit into a frame of 64 KiB. */
export const maxResumedStreams = 2_000;

/** Each stream is one of the run that is watched; an id that it does not have closes the socket with 4400. */
export const WatchResume = z.object({
  t: z.literal("resume"),
  offsets: z
    .record(z.string().max(40), z.number().int().min(0))
    .refine((offsets) => Object.keys(offsets).length <= maxResumedStreams, "too many streams"),
});
export type WatchResume = z.infer<typeof WatchResume>;

export const WatchStream = z.object({
  t: z.literal("stream"),
  channel: z.number().int().min(1),
  stream_id: z.string(),
  kind: z.enum(["setup", "step", "service", "shell"]),
  stage: z.string(),
  job: z.string(),
  /** The key, and the values of a combination of a matrix: `unit (20, linux)`. */
  job_label: z.string(),
  job_id: z.string(),
  attempt: z.number().int(),
  step: z.number().int().nullable(),
  name: z.string(),
  offset: z.number().int(),
});
export const WatchEof = z.object({
  t: z.literal("eof"),
  channel: z.number().int(),
  bytes: z.number().int(),
  lines: z.number().int(),
  complete: z.boolean(),
});
/** A status change of the run or of something in it. */
export const WatchStatus = z.object({
  t: z.literal("status"),
  node: z.enum(["pipeline", "stage", "job", "step"]),
  id: z.string(),
  name: z.string(),
  /** Key of the job that a step belongs to, or the job's own; null for pipeline and stage. */
  job: z.string().nullable(),
  /** As of streams. */
  job_label: z.string().nullable(),
  attempt: z.number().int().nullable(),
  status: Status,
  reason: z.string().nullable(),
  message: z.string().nullable(),
  time: z.string(),
});
/** The run is final and every chosen stream has ended; the server closes with 1000 after it. */
export const WatchEnd = z.object({ t: z.literal("end"), status: Status, reason: z.string().nullable() });

/**
 * The only message to a viewer that has too many logs open already: a browser is not shown why an opening was refused, so
 * it is let in to be told. The server closes with 4430 after it.
 */
export const WatchBusy = z.object({
  t: z.literal("busy"),
  message: z.string(),
  /** Seconds after which another try may help. */
  retry_after: z.number().int().min(1),
});

export const WatchMessage = z.discriminatedUnion("t", [
  WatchStream,
  WatchEof,
  WatchStatus,
  WatchEnd,
  WatchBusy,
]);
export type WatchMessage = z.infer<typeof WatchMessage>;
