/** Jobs of the fake engine that are led through every transition of the table, and what the table refuses. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunnerConfig } from "@forgeline/runner/config.ts";
import type { Link } from "@forgeline/runner/connection/link.ts";
import type { JobHandle } from "@forgeline/runner/engine/engine.ts";
import { createFakeEngine } from "@forgeline/runner/engine/fake/fake-engine.ts";
import { createSharedWorkspaces } from "@forgeline/runner/job/shared-workspaces.ts";
import { createJob } from "@forgeline/runner/job/create-job.ts";
import { jobStates, moveJob } from "@forgeline/runner/job/job-states.ts";
import type { RunningJob } from "@forgeline/runner/job/running-job.ts";
import { LogSender } from "@forgeline/runner/logs/log-sender.ts";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";
import { StateFile } from "@forgeline/runner/state/state-file.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

type State = JobRecord["state"];

let home: string;
const seen = new Set<string>();
let jobs = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "forgeline-job-states-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Story {
  /** What an earlier process of the runner left. */
  record?: Partial<JobRecord>;
  /** Its environment is still there. */
  environment?: boolean;
  image?: string;
  /** The lease says that the job must not run. */
  isRefused?: boolean;
  /** The lease is lost as soon as the job is in that state. */
  revokedWhen?: State;
}

const result = {
  status: "success" as const,
  reason: null,
  message: null,
  exitCode: 0,
  outputs: {},
  steps: [],
  warnings: [],
};

/** Runs one job to its end; the states that it was in after the first. */
async function tell({
  record,
  environment,
  image = "forgeline/base:1",
  isRefused = false,
  revokedWhen,
}: Story): Promise<State[]> {
  const attemptId = `att_${(jobs += 1)}`;
  const lease = buildLease({
    attemptId,
    steps: [buildStep(0, "fake: sleep 20")],
    job: { image: { name: image, user: null } },
  });
  const engine = createFakeEngine({ workDir: join(home, "engine") });
  const handle = await handleOf(engine, `${attemptId}-1`, environment ?? false);
  const kept = record && { ...emptyRecord(attemptId), handle, ...record };
  const state = await StateFile.open(join(home, attemptId, "state.json"));
  const states: State[] = [];
  let job: RunningJob | undefined;
  const watch = (own: JobRecord) => {
    let current = own.state;
    Object.defineProperty(own, "state", {
      enumerable: true,
      get: () => current,
      set(next: State) {
        seen.add(`${current} → ${next}`);
        states.push(next);
        current = next;
        if (next === revokedWhen) job?.revoke();
      },
    });
  };
  if (kept) watch(kept);
  else {
    const put = state.put.bind(state);
    state.put = (own) => (watch(own), put(own));
  }
  const link: Pick<Link, "ask" | "deliver"> = {
    ask: () => Promise.resolve("disconnected"),
    deliver: (_message, onAnswer) => setImmediate(() => onAnswer?.({ t: "ack", id: 1 })),
  };
  job = createJob(
    {
      config: { ...config, home: join(home, attemptId) },
      engine,
      commits: { fetch: () => Promise.reject(new Error("nothing is checked out")) } as never,
      state,
      sharedWorkspaces: createSharedWorkspaces({ engine, state, logger: pino({ level: "silent" }) }),
      logger: pino({ level: "silent" }),
      link: link as Link,
      sender: new LogSender({ up: false, bufferedBytes: () => 0, sendBinary: () => undefined }),
    },
    // Without streams, so that no log waits for a server.
    {
      ...lease,
      ...(isRefused ? { refusal: { reason: "not_signed", message: "It is not signed." } } : {}),
      streams: [],
    },
    kept ?? null,
  );
  await job.run();
  return states;
}

/** Only what a job reads of it. */
const config = {
  extraHosts: [],
  caFile: null,
  hostEnv: {},
  serverUrl: null,
  limits: { stepLogBytes: null, jobMs: null },
} as unknown as RunnerConfig;

async function handleOf(
  engine: ReturnType<typeof createFakeEngine>,
  leaseKey: string,
  isThere: boolean,
): Promise<JobHandle> {
  const { handle, destroy } = await engine.prepare({
    leaseKey,
    repositoryId: "repo_1",
    image: { name: "forgeline/base:1", user: null },
    resources: { cpu: null, memoryBytes: null, shmBytes: null },
    services: [],
    stepContainers: 0,
    sharedWorkspace: null,
    extraHosts: [],
    caFile: null,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  if (!isThere) await destroy();
  await mkdir(join(home, "engine"), { recursive: true });
  return handle;
}

function emptyRecord(attemptId: string): JobRecord {
  return {
    attemptId,
    epoch: 1,
    state: "accepted",
    startedAtMs: Date.now(),
    handle: null,
    prepared: true,
    steps: [],
    stepOutputs: {},
    runningSteps: [],
    streams: {},
    warnings: [],
    result: null,
  };
}

const begun = { runningSteps: [{ position: 0, startedAtMs: 1 }] };
const whole: State[] = ["preparing", "running", "collecting", "cleaning", "reported"];
const restarts = ["preparing", "running", "collecting", "cleaning"] as const;

test("a lease goes from its beginning to its end", async () => {
  expect(await tell({})).toEqual(whole);
  expect(await tell({ image: "fake/absent" })).toEqual(["preparing", "collecting", "cleaning", "reported"]);
});

test("a lease that must not be executed ends without an environment", async () => {
  expect(await tell({ isRefused: true })).toEqual(["preparing", "collecting", "cleaning", "reported"]);
  expect(await tell({ isRefused: true, record: { state: "preparing", prepared: false } })).toContain(
    "reported",
  );
});

test("a lease that is lost is cleaned up, and reported by nobody", async () => {
  expect(await tell({ revokedWhen: "running" })).toEqual(["preparing", "running", "cleaning", "reported"]);
  expect(await tell({ revokedWhen: "preparing" })).toEqual(["preparing", "cleaning", "reported"]);
  expect(await tell({ revokedWhen: "collecting" })).toEqual(whole);
});

test.each(restarts)("after a restart one that was %s goes on, begins anew, or is over", async (state) => {
  const [, ...later] = whole;
  expect(await tell({ record: { state }, environment: true })).toEqual(later);
  expect(await tell({ record: { state, prepared: false } })).toEqual(whole);
  expect(await tell({ record: { state, ...begun } })).toEqual(["collecting", "cleaning", "reported"]);
  const lost = await tell({ record: { state, ...begun }, environment: true, revokedWhen: "running" });
  expect(lost).toEqual(["running", "cleaning", "reported"]);
});

test("after a restart only what is left is done of one whose result was kept", async () => {
  for (const state of ["collecting", "cleaning"] as const)
    expect(await tell({ record: { state, result } })).toEqual(["cleaning", "reported"]);
});

const refused = jobStates.states.flatMap((state) =>
  jobStates.events.filter((event) => !jobStates.next(state, event)).map((event) => ({ state, event })),
);

test.each(refused)("$event is refused in $state", ({ state, event }) => {
  const record = { state };
  expect(() => moveJob(record, event)).toThrow(`a job that is ${state} cannot ${event}`);
  expect(record.state).toBe(state);
});

test("jobs have gone every way of the table, and no other", () => {
  const ways = jobStates.states.flatMap((from) =>
    jobStates.events.flatMap((event) => {
      const to = jobStates.next(from, event);
      return to === undefined ? [] : [`${from} → ${to}`];
    }),
  );
  expect([...seen].toSorted()).toEqual([...new Set(ways)].toSorted());
});
