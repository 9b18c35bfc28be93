/** Wires one job to the link, the log sender and the state file. */
import { join } from "node:path";
import { mkdirSync } from "node:fs";
import type { Logger } from "pino";
import type { JobResult, LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { RunnerConfig } from "../config.ts";
import type { Link } from "../connection/link.ts";
import { crashPoint } from "../crash-point.ts";
import type { Outgoing } from "../connection/outbox.ts";
import type { KeptParts } from "../artifacts/kept-parts.ts";
import type { CacheUploads } from "../caches/cache-uploads.ts";
import type { Engine } from "../engine/engine.ts";
import type { LogSender } from "../logs/log-sender.ts";
import { SetupLog } from "../logs/setup-log.ts";
import { type JobRecord, leaseKey } from "../state/job-record.ts";
import type { StateFile } from "../state/state-file.ts";
import { checkOut } from "../workspace/checkout.ts";
import type { CommitFetcher } from "../workspace/fetch-commit.ts";
import type { ConnectShell } from "../shells/connect-shell.ts";
import { JobShells } from "../shells/job-shells.ts";
import { connectFiles } from "./connect-files.ts";
import type { CheckOut, JobReports, OpenFiles } from "./job-context.ts";
import { JobLogs } from "./job-logs.ts";
import { infraStop, JobStop } from "./job-stop.ts";
import type { SharedWorkspaces } from "./shared-workspaces.ts";
import { type DeliverResult, RunningJob } from "./running-job.ts";

export interface JobWiring {
  config: Pick<
    RunnerConfig,
    "home" | "extraHosts" | "caFile" | "hostEnv" | "serverUrl" | "limits" | "egress"
  >;
  engine: Engine;
  commits: CommitFetcher;
  /** Default: a clone of the server's repository. */
  checkOut?: CheckOut;
  /** Default: the server. */
  openFiles?: OpenFiles;
  /** Default: nothing is kept. */
  kept?: KeptParts;
  /** Default: jobs wait until their caches are sent. */
  uploads?: CacheUploads;
  /** Default: this runner opens no shells in jobs. */
  connectShell?: ConnectShell;
  state: Pick<StateFile, "put" | "save" | "remove">;
  sharedWorkspaces: SharedWorkspaces;
  logger: Logger;
  link: Pick<Link, "ask" | "deliver">;
  sender: LogSender;
}

const retryMs = 1000;

/** The server's limits of a log, or the runner's where they are lower: beginning and end have a quarter each. */
function logLimits(limits: LeaseSpec["limits"], max: number | null): LeaseSpec["limits"] {
  if (max === null || max >= limits.stepLogBytes) return limits;
  const kept = Math.floor(max / 4);
  return { ...limits, stepLogBytes: max, headBytes: kept, tailBytes: kept };
}

/** `record` is that of an earlier process, or null for a new lease. */
export function createJob(runner: JobWiring, spec: LeaseSpec, record: JobRecord | null): RunningJob {
  const { pipelineId, jobId, attemptId, epoch } = spec;
  const logger = runner.logger.child({
    pipeline_id: pipelineId,
    job_id: jobId,
    attempt_id: attemptId,
    epoch,
  });
  const wiring = { ...runner, logger };
  const { config, state } = wiring;
  const own = record ?? newRecord(spec);
  if (record === null) state.put(own);
  const save = () => state.save();
  const spoolDir = join(config.home, "spool", leaseKey(own));
  mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
  const lease = { attemptId: own.attemptId, epoch: own.epoch };
  const stop = new JobStop();
  const logs = openLogs(wiring, spec, { record: own, save, spoolDir, stop });
  const setup = setupLog(logs, spoolDir);
  const settings = settingsOf(config);
  const shells = new JobShells(spec, { settings, connect: wiring.connectShell ?? null, logger });
  const context = {
    spec,
    record: own,
    stop,
    logs,
    setup,
    engine: wiring.engine,
    commits: wiring.commits,
    checkOut: wiring.checkOut ?? checkOut,
    openFiles: openFilesOf(wiring),
    ...(wiring.uploads && { uploads: wiring.uploads }),
    settings,
    sharedWorkspaces: wiring.sharedWorkspaces,
    reports: reportsOf(wiring, lease),
    shells,
    logger,
    save,
  };
  const deliver = deliverer(wiring, lease, (missing) => logs.rewind(missing));
  return new RunningJob(context, deliver);
}

function openFilesOf({ openFiles, config, kept }: JobWiring): OpenFiles {
  return openFiles ?? ((given, kind) => connectFiles(given, kind, { ...config, kept }));
}

function setupLog(logs: JobLogs, spoolDir: string): SetupLog {
  const stream = logs.stream("setup");
  return new SetupLog(join(spoolDir, `${stream?.id ?? "setup"}.raw`), () => {
    if (stream) logs.wake(stream);
  });
}

function openLogs(
  { config, sender, link, logger }: JobWiring,
  spec: LeaseSpec,
  job: { record: JobRecord; save: () => Promise<void>; spoolDir: string; stop: JobStop },
): JobLogs {
  const { record, save, spoolDir, stop } = job;
  const lease = { attemptId: record.attemptId, epoch: record.epoch };
  return new JobLogs(
    { ...spec, limits: logLimits(spec.limits, config.limits.stepLogBytes) },
    {
      sender,
      record,
      save,
      spoolDir,
      ask: (streamId, totals) => link.ask({ t: "log_eof", ...lease, streamId, ...totals }),
      onProblem: (error) => logger.error({ err: error }, "a job's log could not be processed"),
      onCut: ({ id, kind }) => {
        logger.error({ stream_id: id }, "a log on the runner's disk was truncated");
        stop.ask(
          infraStop(
            0,
            `The log of a ${kind} was truncated on the runner's disk, so the job cannot continue.`,
          ),
        );
      },
    },
  );
}

function settingsOf({ home, extraHosts, caFile, hostEnv, serverUrl, limits, egress }: JobWiring["config"]) {
  const checkoutDir = join(home, "checkouts");
  return { extraHosts, caFile, hostEnv, serverUrl, checkoutDir, limits, egress };
}

function newRecord(spec: LeaseSpec): JobRecord {
  return {
    attemptId: spec.attemptId,
    epoch: spec.epoch,
    state: "accepted",
    startedAtMs: Date.now(),
    handle: null,
    prepared: false,
    steps: [],
    stepOutputs: {},
    runningSteps: [],
    streams: {},
    warnings: [],
    result: null,
  };
}

function reportsOf({ link, logger }: JobWiring, lease: { attemptId: string; epoch: number }): JobReports {
  const tell = (message: Outgoing) => {
    const send = () =>
      link.deliver(message, (answer) => {
        if (answer.t === "ack") return;
        logger.warn({ message: message.t, code: answer.code }, "the server refused a report");
        if (answer.code === "internal") setTimeout(send, retryMs).unref();
      });
    send();
  };
  return {
    started: (timeMs) => tell({ t: "started", ...lease, timeMs }),
    stepStarted: (step) => tell({ t: "step_started", ...lease, ...step }),
    stepEnded: (step) => tell({ t: "step_ended", ...lease, step }),
    kept: (forMs) => tell({ t: "kept", ...lease, forMs }),
  };
}

/** Sends `done` until the server has taken it, or says that the lease is not ours any more. */
function deliverer(
  { link, state, logger }: JobWiring,
  lease: { attemptId: string; epoch: number },
  rewind: (missing: Readonly<Record<string, number>>) => void,
): DeliverResult {
  return (result: JobResult) =>
    new Promise<void>((resolve) => {
      const settle = () =>
        void state
          .remove(lease)
          .catch(() => undefined)
          .then(resolve);
      const send = () =>
        link.deliver({ t: "done", ...lease, result }, (answer) => {
          if (answer.t === "ack") {
            crashPoint("result.taken-before-forgotten");
            return settle();
          }
          logger.warn({ code: answer.code, text: answer.message }, "the result was not accepted");
          if (answer.code === "logs_missing") rewind(answer.missing ?? {});
          else if (answer.code !== "internal") return settle();
          setTimeout(send, retryMs);
        });
      send();
    });
}
