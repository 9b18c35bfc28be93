/** A lease for tests of the runner: small, whole, and changed where a test needs it. */
import type { z } from "zod";
import type { PlanService as ServiceSchema, PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSpec, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";

type PlanService = z.infer<typeof ServiceSchema>;

let lastChannel = 0;

export function buildStep(position: number, run: string, over: Partial<PlanStep> = {}): PlanStep {
  return {
    position,
    id: null,
    name: `step ${position}`,
    run,
    image: null,
    shell: "auto",
    workdir: null,
    env: {},
    when: [],
    timeoutMs: null,
    idleTimeoutMs: null,
    allowFailure: false,
    parallel: null,
    ...over,
  };
}

/** One that runs `script`, of an image that is here. */
export function buildService(key: string, script: string): PlanService {
  return {
    key,
    image: { name: "forgeline/base:1", user: null },
    env: {},
    command: ["sh", "-c", script],
    ready: false,
    resources: { cpu: null, memoryBytes: null, shmBytes: null },
  };
}

export interface LeaseOptions {
  attemptId: string;
  epoch?: number;
  steps: PlanStep[];
  token?: string;
  job?: Partial<LeaseSpec["job"]>;
  limits?: Partial<LeaseSpec["limits"]>;
  clone?: LeaseSpec["clone"];
  holdsSlot?: boolean;
}

export function buildLease(options: LeaseOptions): LeaseSpec {
  const { attemptId, steps } = options;
  const stream = (id: string, kind: LeaseStream["kind"], over: Partial<LeaseStream>): LeaseStream => ({
    id: `${attemptId}.${id}`,
    channel: ++lastChannel,
    kind,
    step: null,
    service: null,
    nextOffset: 0,
    ...over,
  });
  return {
    attemptId,
    epoch: options.epoch ?? 1,
    jobId: "job_1",
    pipelineId: "pipe_1",
    matrix: null,
    debug: false,
    sharedWorkspace: null,
    pipelineNumber: 1,
    repositoryId: "repo_1",
    attempt: 1,
    job: buildJob(steps, options.job),
    env: {},
    event: {
      name: "push",
      ref: "refs/heads/main",
      branch: "main",
      tag: null,
      sha: "0".repeat(40),
      beforeSha: null,
      actor: "ada",
      commitMessage: "test",
      commitAuthor: "ada",
      changedPaths: null,
      repository: { owner: "ada", name: "demo", defaultBranch: "main" },
      inputs: {},
      variables: {},
    },
    needs: {},
    holdsSlot: options.holdsSlot ?? false,
    keepOpenMs: null,
    pipelineName: "main",
    ciEnv: { CI: "true" },
    clone: options.clone ?? {
      url: "https://localhost/ada/demo.git",
      ref: "refs/heads/main",
      sha: "0".repeat(40),
    },
    token: options.token ?? "svc_job_0123456789abcdef0123456789",
    streams: [
      stream("setup", "setup", {}),
      ...steps.map((step) => stream(`step${step.position}`, "step", { step: step.position })),
      ...(options.job?.services ?? []).map(({ key }) => stream(key, "service", { service: key })),
    ],
    limits: {
      lineBytes: 65_536,
      stepLogBytes: 256 * 1024 * 1024,
      headBytes: 64 * 1024 * 1024,
      tailBytes: 64 * 1024 * 1024,
      outputBytes: 1024 * 1024,
      ...options.limits,
    },
  };
}

function buildJob(steps: PlanStep[], over: Partial<LeaseSpec["job"]> = {}): LeaseSpec["job"] {
  return {
    key: "main",
    name: "main",
    stage: "main",
    image: { name: "forgeline/base:1", user: null },
    runnerLabels: [],
    needs: null,
    matrix: null,
    when: [],
    env: {},
    outputs: {},
    services: [],
    steps,
    retry: { max: 0, on: [], delayMs: 0, factor: 1, maxDelayMs: 0 },
    rerunIfLost: true,
    allowFailure: false,
    timeoutMs: 60_000,
    idleTimeoutMs: null,
    concurrency: null,
    queueTimeoutMs: 60_000,
    clone: null,
    resources: { cpu: null, memoryBytes: null, shmBytes: null },
    ...over,
  };
}
