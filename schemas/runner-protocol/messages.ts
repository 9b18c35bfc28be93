/**
 * Control messages between server and runner: JSON text frames, each with `t` (kind) and `id` (rising per
 * sender and connection instance). The receiver answers `ack` or `nack` once it has handled the message
 * durably; unacknowledged messages are sent again after a reconnect. Handling is idempotent by (attempt, epoch).
 * Log bytes travel beside them in binary frames (`schemas/logs/frame.ts`).
 */
import { z } from "zod";
import { RunnerEngine } from "../runners/engine.ts";
import { RunnerExecutor } from "../runners/executor.ts";
import { RunnerLimits } from "./limits.ts";
import { EgressReport } from "./egress.ts";
import {
  clockMs,
  machineName,
  longText,
  shortText,
  recordOf,
  smallInteger,
  stepPosition,
} from "./field-limits.ts";
import { JobResult, LeaseSpec, LeaseStream, StepResult } from "./lease.ts";

const id = z.number().int().min(1);
/** Of what is counted in bytes or lines. */
const amount = z.number().int().min(0);
/** Ids that this instance gave are shorter; what is longer names nothing. */
const givenId = z.string().max(64);
/** Names one lease: a message that carries an old epoch is refused. */
const lease = { attemptId: givenId, epoch: smallInteger.min(1) };
/** A runner has at most 1,000 slots; leases that ended may be named once more. */
const maxLeases = 2_000;
/** Machines that build images have thousands; what comes last is the oldest. */
const maxImages = 50_000;

/** Of a runner with 1,000 slots, whose number of placements is limited too. */
const sharedWorkspaces = z.array(givenId).max(10_000);

/** State of a lease as the runner sees it. */
export const LeaseState = z.enum(["accepted", "preparing", "running", "collecting", "cleaning", "reported"]);
export type LeaseState = z.infer<typeof LeaseState>;

export const HeldLease = z.object({
  ...lease,
  state: LeaseState,
  /** Per stream id: the first offset that the runner can still send again, and where its spool ends. */
  streams: recordOf(z.object({ from: amount, end: amount })),
});

export const Hello = z.object({
  t: z.literal("hello"),
  id,
  protocols: z.array(z.number().int()).max(100),
  version: z.string().max(100),
  instanceId: z.string().max(100),
  labels: z.array(z.string().max(1_000)).max(1_000),
  /** As many as a runner can be registered with. */
  capacity: z.number().int().min(1).max(1_000),
  os: machineName,
  arch: machineName,
  hostname: machineName,
  clockMs,
  draining: z.boolean(),
  /** Why no job can run on it, so that it is draining as well; absent: nothing is known against it. */
  problem: longText.optional(),
  /** What one job may take; older runners do not say. */
  limits: RunnerLimits.optional(),
  /** How it executes jobs; runners before this was asked have containers. */
  executor: RunnerExecutor.optional(),
  /** What runs its containers. Absent: it has none, it could not ask, or it is older. Of a newer kind: as if it did not say. */
  engine: RunnerEngine.optional().catch(undefined),
  /** It has keys that it trusts, and executes only what they have signed. Older runners do not say. */
  requiresSignatures: z.boolean().optional(),
  /** How much of the disk images that jobs had pulled may take; null: none is removed. Older runners do not say. */
  imageCacheBytes: amount.nullable().optional(),
  /** Images present, newest first, for messages about absent images and for warm containers. */
  images: z.array(machineName).max(maxImages),
  leases: z.array(HeldLease).max(maxLeases),
  /** Runners before this was asked do not say. */
  egress: EgressReport.optional(),
  /** Whether it opens shells in jobs; runners that cannot do not say. */
  shells: z.boolean().optional(),
  /** Of `schemas/runners/feature.ts`; newer runners may name others. Older ones say nothing and have none. */
  features: z.array(z.string().max(100)).max(100).optional(),
  /** Ids of those that it has, of stages whose jobs run on one runner. Older runners do not say, and get no such job. */
  sharedWorkspaces: sharedWorkspaces.optional(),
});
export const Heartbeat = z.object({
  t: z.literal("heartbeat"),
  id,
  /** Load average of one minute. */
  load: z.number().min(0).max(1e9),
  freeDiskBytes: amount,
  freeSlots: z.number().int().min(0),
  leases: z.array(z.object(lease)).max(maxLeases),
  /** When it is another than was said before on this connection. */
  egress: EgressReport.optional(),
  /** As in `hello`; absent: none. */
  sharedWorkspaces: sharedWorkspaces.optional(),
});
export const OfferAnswer = z.object({
  t: z.literal("offer_answer"),
  id,
  ...lease,
  accept: z.boolean(),
  reject: z.enum(["draining", "full", "disk"]).nullable(),
});
export const Started = z.object({ t: z.literal("started"), id, ...lease, timeMs: clockMs });
export const StepStarted = z.object({
  t: z.literal("step_started"),
  id,
  ...lease,
  position: stepPosition,
  name: shortText,
  timeMs: clockMs,
});
export const StepEnded = z.object({ t: z.literal("step_ended"), id, ...lease, step: StepResult });
/** The job has failed and its container is kept for a shell, for so long at most. */
export const Kept = z.object({ t: z.literal("kept"), id, ...lease, forMs: z.number().int().min(0).max(1e9) });
export const LogEof = z.object({
  t: z.literal("log_eof"),
  id,
  ...lease,
  streamId: givenId,
  bytes: amount,
  lines: amount,
  sha256: z.string().max(64),
  droppedBytes: amount,
  droppedLines: amount,
});
export const Done = z.object({ t: z.literal("done"), id, ...lease, result: JobResult });
export const Revoked = z.object({ t: z.literal("revoked"), id, ...lease });
/** Not draining: what `hello` called a problem is gone too. */
export const DrainNotice = z.object({ t: z.literal("drain"), id, draining: z.boolean() });

export const Ack = z.object({ t: z.literal("ack"), id });
export const Nack = z.object({
  t: z.literal("nack"),
  id,
  code: z.enum(["stale_epoch", "unknown_lease", "logs_missing", "bad_message", "internal"]),
  message: longText,
  /** With `logs_missing`: stream id → offset from which to send again. */
  missing: recordOf(z.number().int()).optional(),
});

export const RunnerMessage = z.discriminatedUnion("t", [
  Hello,
  Heartbeat,
  OfferAnswer,
  Started,
  StepStarted,
  StepEnded,
  Kept,
  LogEof,
  Done,
  Revoked,
  DrainNotice,
  Ack,
  Nack,
]);
export type RunnerMessage = z.infer<typeof RunnerMessage>;

export const Welcome = z.object({
  t: z.literal("welcome"),
  id,
  protocol: z.number().int(),
  runnerId: z.string(),
  heartbeatMs: z.number().int(),
  reclaimMs: z.number().int(),
  windowBytesPerStream: z.number().int(),
  windowBytes: z.number().int(),
  /** For each lease named in `hello`: keep it (with the spec again, so secrets need no disk) or drop it. */
  leases: z.array(
    z.object({
      ...lease,
      keep: z.boolean(),
      spec: LeaseSpec.nullable(),
      streams: z.array(LeaseStream),
    }),
  ),
});
export const HeartbeatAnswer = z.object({
  t: z.literal("heartbeat_ack"),
  id,
  serverTimeMs: z.number(),
  /** Shared workspaces that may be removed; absent: none. */
  release: z.array(z.string()).optional(),
});
export const Offer = z.object({
  t: z.literal("offer"),
  id,
  ...lease,
  repositoryId: z.string(),
  image: z.string(),
  labels: z.array(z.string()),
  deadlineMs: z.number().int(),
});
export const LeaseMessage = z.object({ t: z.literal("lease"), id, spec: LeaseSpec });
export const LogAck = z.object({
  t: z.literal("log_ack"),
  channel: z.number().int(),
  nextOffset: z.number().int(),
});
export const LogNack = z.object({
  t: z.literal("log_nack"),
  channel: z.number().int(),
  expected: z.number().int(),
});
export const Window = z.object({
  t: z.literal("window"),
  channel: z.number().int().nullable(),
  bytes: z.number().int().min(0),
});
export const Cancel = z.object({
  t: z.literal("cancel"),
  id,
  ...lease,
  reason: z.string(),
  message: z.string(),
  /** Status that the job's result gets: `cancelled` for people, `failed` for limits, `error` for infrastructure. */
  status: z.enum(["cancelled", "failed", "error"]),
  graceMs: z.number().int(),
  /** Skip the steps that run `always`. */
  force: z.boolean(),
});
/** Only to runners whose `hello` says that they open shells. The runner connects to the socket of this shell. */
export const OpenShell = z.object({
  t: z.literal("open_shell"),
  id,
  ...lease,
  shellId: z.string(),
  columns: z.number().int().min(1),
  rows: z.number().int().min(1),
});
/** To the same: whether the container is kept for a shell if the job fails. null: not any more; if it is being kept, it ends. */
export const KeepOpen = z.object({
  t: z.literal("keep_open"),
  id,
  ...lease,
  ms: z.number().int().min(1).nullable(),
});
export const Revoke = z.object({ t: z.literal("revoke"), id, ...lease });
export const DrainCommand = z.object({
  t: z.literal("drain"),
  id,
  draining: z.boolean(),
  deadlineMs: z.number().int().nullable(),
});
export const Bye = z.object({ t: z.literal("bye"), id, reconnectAfterMs: z.number().int() });

export const ServerMessage = z.discriminatedUnion("t", [
  Welcome,
  HeartbeatAnswer,
  Offer,
  LeaseMessage,
  LogAck,
  LogNack,
  Window,
  Cancel,
  OpenShell,
  KeepOpen,
  Revoke,
  DrainCommand,
  Bye,
  Ack,
  Nack,
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
