/** Runners and the tokens that register them. Credentials are shown once, in the answer that creates them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { RunnerEngine } from "./engine.ts";
import { RunnerExecutor } from "./executor.ts";
import { GroupOfRunner } from "../runner-groups/resource.ts";
import { RunnerLabels } from "./label.ts";

const runnerName = z.string().trim().min(1).max(100);
const capacity = z.number().int().min(1).max(1000);

export const RunnerStatus = z
  .enum(["online", "offline", "paused", "draining", "unreachable", "not_ready"])
  .meta({ id: "RunnerStatus" });

const limited = (what: string) =>
  z
    .object({
      max: z.number().describe("The maximum that a file can request."),
      default: z.number().describe("The default for jobs whose file does not set it."),
    })
    .describe(what);

export const RunnerJobLimits = z
  .object({
    memory_bytes: limited("Memory of one job, with its services; there is no swap."),
    cpu: limited("Cores of one job's steps; its services together have as many again."),
    disk_bytes: z.number().int().describe("Disk of one job: workspace, what its containers write, logs."),
    files: z.number().int().nullable().describe("Files and directories of one job; null: as many as fit."),
    processes: z.number().int().describe("Processes and threads of one container."),
    open_files: z
      .number()
      .int()
      .nullable()
      .describe("Open files of one process; null: as its Docker or Podman says."),
    step_log_bytes: z.number().int().nullable().describe("Log of one step; null: the server's limit."),
    job_seconds: z.number().int().nullable().describe("How long a job may run; null: as its file says."),
  })
  .meta({ id: "RunnerJobLimits" });
export const RunnerEgress = z
  .object({
    state: z
      .enum(["filtered", "unfiltered", "open", "unknown"])
      .describe(
        "`filtered`: the Internet, this server and their own services. `unfiltered`: every network of the machine, although it was to filter. `open`: every network, as its operator wants it. `unknown`: an older runner that does not say.",
      ),
    reason: z.string().nullable().describe("Why it does not filter, where it was to; null otherwise."),
    allow: z.array(z.string()).describe("Additional networks opened by its operator."),
  })
  .meta({
    id: "RunnerEgress",
    examples: [{ state: "filtered", reason: null, allow: ["10.1.2.0/24", "10.9.8.7:5432"] }],
  });

export const Runner = z
  .object({
    id: idOf("rnr"),
    name: z.string(),
    status: RunnerStatus,
    repository: z
      .string()
      .nullable()
      .describe("Full name of the only repository it serves; null: it serves several."),
    organization: z
      .string()
      .nullable()
      .describe(
        "The organization whose repositories it serves; null with `repository` null: all of the instance.",
      ),
    group: GroupOfRunner.nullable().describe("The group that it is in; null: in none."),
    labels: z.array(z.string()),
    executor: RunnerExecutor.describe(
      "`docker`: jobs run in containers. `process`: jobs run as processes of the runner's user, without isolation; it only takes jobs that ask for `executor=process`.",
    ),
    engine: RunnerEngine.nullable().describe(
      "What runs its containers; null: it has none, or did not say, as older runners do not.",
    ),
    requires_signatures: z
      .boolean()
      .describe(
        "It trusts certain keys and only executes what they have signed, so only signed jobs get to it.",
      ),
    takes_privileged: z.boolean().describe("It takes privileged jobs, which are root on its machine."),
    image_cache_bytes: z
      .number()
      .int()
      .nullable()
      .describe(
        "How much of its disk images that jobs had pulled may take; null: none is removed, or it is an older runner that does not say.",
      ),
    capacity: z.number().int().describe("Maximum number of concurrent jobs."),
    running: z.number().int().describe("Jobs currently running or offered."),
    paused: z.boolean().describe("Gets no new jobs."),
    draining: z.boolean().describe("Finishes its current jobs, takes no new ones, and disconnects."),
    problem: z
      .string()
      .nullable()
      .describe(
        "Why no job can run on it, as it said when it last connected: it then gets none (`not_ready`) and looks again every minute; null: nothing is known against it.",
      ),
    drain_deadline: timestamp
      .nullable()
      .describe(
        "While it is draining: when jobs are stopped that it still has, and run again elsewhere where they may be; null: they take as long as they take.",
      ),
    one_job: z.boolean().describe("Ends after one job, and is removed then."),
    version: z.string(),
    outdated: z.boolean().describe("Whether it is older than this server."),
    os: z.string(),
    arch: z.string(),
    hostname: z.string(),
    load: z.number().nullable().describe("Load average of one minute at the last heartbeat."),
    free_disk_bytes: z.number().nullable(),
    limits: RunnerJobLimits.nullable().describe(
      "Limits of one job on it; null for an older runner that does not report them.",
    ),
    egress: RunnerEgress.describe("What its jobs can reach, as reported when it last connected."),
    connected_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    duplicate_seen_at: timestamp
      .nullable()
      .describe("When a second live runner last showed this runner's credential; null: never."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Runner" });
export type Runner = z.infer<typeof Runner>;

export const RunnerJob = z
  .object({
    repository: z.string().describe("Full name."),
    pipeline: z.number().int().describe("Number of its run in the repository."),
    job: z.string().describe("Its key, with the values of its matrix."),
    attempt: z.number().int(),
    started_at: timestamp.nullable().describe("Null: it is being prepared."),
    run_web_url: z.string().describe("Page of the run."),
  })
  .meta({ id: "RunnerJob" });

export const RunnerWithJobs = Runner.extend({
  jobs: z
    .array(RunnerJob)
    .max(1_000)
    .describe(
      "Those that it has now, oldest first, with `pipeline:read`. Empty for tokens limited to repositories.",
    ),
}).meta({ id: "RunnerWithJobs" });
export type RunnerWithJobs = z.infer<typeof RunnerWithJobs>;

export const RunnerUpdate = z
  .strictObject({
    name: runnerName.optional(),
    labels: RunnerLabels.nullable()
      .optional()
      .describe(
        "Replace what the runner says of itself; null: the runner's own labels count again, from when it connects next.",
      ),
    capacity: capacity
      .nullable()
      .optional()
      .describe(
        "At most what the runner offers; null: the runner's own capacity counts again, from when it connects next.",
      ),
    paused: z.boolean().optional(),
    group: idOf("rgrp")
      .nullable()
      .optional()
      .describe(
        "A group of the instance or of the organization, as the runner is; null: none. Jobs that it has go on.",
      ),
  })
  .meta({ id: "RunnerUpdate", examples: [{ name: "builder-1", labels: ["linux", "gpu"], paused: true }] });
export type RunnerUpdate = z.infer<typeof RunnerUpdate>;

export const RunnerDrain = z
  .strictObject({
    within_minutes: z
      .number()
      .int()
      .min(1)
      .max(10_080)
      .optional()
      .describe("Stop what it still runs after this time; without it, jobs take as long as they take."),
  })
  .meta({ id: "RunnerDrain", examples: [{ within_minutes: 30 }] });
export type RunnerDrain = z.infer<typeof RunnerDrain>;

export const RunnerRegister = z
  .strictObject({
    token: z.string().max(200).describe("A registration token, `svc_reg_…`."),
    name: runnerName,
    labels: RunnerLabels.default([]),
    capacity: capacity.default(1),
    one_job: z
      .boolean()
      .default(false)
      .describe(
        "The runner takes one job, ends after it, and is removed. It is also removed if it does not connect for ten minutes.",
      ),
  })
  .meta({
    id: "RunnerRegister",
    examples: [
      { token: "svc_reg_3q2-7wAAfR0kZlQyVb8nXcJm5sT1uHdGpE4iOaYrLxU", name: "builder-1", labels: ["linux"] },
    ],
  });
export type RunnerRegister = z.infer<typeof RunnerRegister>;

export const RegisteredRunner = z
  .object({
    id: idOf("rnr"),
    name: z.string(),
    credential: z.string().describe("The runner's secret, `svc_runner_…`; it is never shown again."),
    connect_url: z.string().describe("Address of the runner socket."),
  })
  .meta({ id: "RegisteredRunner" });

export const RegistrationTokenCreate = z
  .strictObject({
    expires_in_minutes: z.number().int().min(1).max(60).default(60).describe("At most an hour."),
    uses: z.number().int().min(1).max(100).default(1).describe("How many runners it can register."),
    group: idOf("rgrp").optional().describe("The group that they will be in."),
  })
  .meta({ id: "RegistrationTokenCreate", examples: [{ expires_in_minutes: 60, uses: 1 }] });
export type RegistrationTokenCreate = z.infer<typeof RegistrationTokenCreate>;

export const RegistrationToken = z
  .object({
    id: idOf("reg"),
    token: z.string().describe("The secret value; it is never shown again."),
    repository: z.string().nullable(),
    organization: z.string().nullable(),
    group: idOf("rgrp").nullable(),
    uses: z.number().int(),
    expires_at: timestamp,
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "RegistrationToken" });
