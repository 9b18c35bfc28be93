/**
 * The runner's own program on daemons other than the machine's Docker: whole runs on Podman, and at full size on
 * rootless Podman and rootless Docker.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { Runner } from "@forgeline/schemas/runners/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance, type TestRunner } from "../../support/instance.ts";
import { leftovers, runnerId } from "../../support/instance-run.ts";
import { startPodman } from "../../support/podman.ts";
import { engineBed } from "./docker-job.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";
import { startRootlessDocker, type RootlessDocker } from "../../support/rootless-docker.ts";
import { hasRootless } from "../../support/size.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
});
afterAll(() => instance?.stop());

interface Kind {
  name: string;
  label: string;
  start(): Promise<RootlessDocker>;
  isRootless: boolean;
  engine: string;
  egress: string;
}

const podman: Kind = {
  name: "Podman",
  label: "podman",
  start: () => startPodman(),
  isRootless: false,
  engine: "podman",
  egress: "filtered",
};
const rootlessKinds: readonly Kind[] = [
  {
    name: "rootless Podman",
    label: "rootless-podman",
    start: () => startPodman({ isRootless: true }),
    isRootless: true,
    engine: "podman_rootless",
    egress: "unfiltered",
  },
  {
    name: "rootless Docker",
    label: "rootless-docker",
    start: startRootlessDocker,
    isRootless: true,
    engine: "docker_rootless",
    egress: "filtered",
  },
];

const image = "forgeline/base:1";
const asBuilder = { name: image, user: "1000:1000" };
const reach = "nc -w 3 web 8080 </dev/null";
const web = ["sh", "-c", "sleep 0.5; echo listening; exec nc -ll -p 8080 -e echo reached"];

/**
 * What a run needs of an engine: files of the commit, services by name, users, a step's own image, files of other jobs, limits. Those only
 * where the daemon can keep them: of rootless ones, with control groups version 2 that were given to them.
 */
const jobs = ({ label, isRootless }: Kind) => ({
  build: {
    runner: [label],
    image,
    services: { web: { image, command: web, ready: { tcp: 8080 } } },
    steps: [
      "cat greeting",
      reach,
      { image: asBuilder, run: `id -u; echo made > made; ${reach}` },
      "mkdir kept; mv made kept",
    ],
    cache: [{ key: "kept", paths: ["kept"] }],
    artifacts: [{ name: "kept", paths: ["kept"] }],
  },
  use: {
    runner: [label],
    image: asBuilder,
    needs: [{ job: "build", artifacts: true }],
    cache: [{ key: "kept", paths: ["kept"] }],
    resources: { memory: "64Mi" },
    steps: ["id -u; cat kept/made; echo more >> kept/made; cat kept/made"],
  },
  broken: { runner: [label], image, steps: ["exit 3"], allow_failure: true },
  ...(isRootless
    ? {}
    : {
        large: {
          runner: [label],
          image,
          resources: { memory: "32Mi" },
          steps: ["head -c 150000000 /dev/zero | tail -c 100000000 >/dev/null"],
          allow_failure: true,
        },
      }),
  endless: { runner: [label], image, steps: ["echo begun; sleep 1000"] },
});

const kinds = hasRootless ? [podman, ...rootlessKinds] : [podman];

describe.each(kinds)("a runner on $name", (kind) => {
  const { label, start, isRootless, engine, egress } = kind;
  let daemon: RootlessDocker;
  let runner: TestRunner;
  let project: Project;
  beforeAll(async () => {
    daemon = await start();
    await ensureBaseImage(daemon.docker);
    project = await createProject(instance, label);
    runner = await instance.addRunner(label, {
      labels: [label],
      ...(isRootless ? { user: daemon } : {}),
      env: {
        FORGELINE_RUNNER_DOCKER_HOST: daemon.host,
        FORGELINE_RUNNER_LOCAL_IMAGES: image,
        FORGELINE_RUNNER_POOL: "1",
        FORGELINE_RUNNER_EXTRA_HOSTS: `host.docker.internal:${instance.bed.dockerGateway}`,
      },
    });
  });
  afterAll(async () => {
    await runner?.program.end("SIGINT");
    await project?.remove();
    await daemon?.close();
  });

  const keys = Object.keys(jobs(kind));
  const statuses = (run: Pipeline) =>
    Object.fromEntries(
      keys.map((key) => {
        const { status, reason } = jobOf(run, key);
        return [key, reason === null ? status : `${status} ${reason}`];
      }),
    );

  it("says what it is, and what its jobs reach", async () => {
    const shown = await instance.api<Runner>("GET", `/runners/${await runnerId(runner)}`);
    expect([shown.engine, shown.egress.state]).toEqual([engine, egress]);
    if (isRootless) return;
    const bed = await engineBed({ docker: daemon.docker });
    expect(await bed.engine.obstacle()).toBeNull();
    await bed.engine.close();
  });

  it("runs jobs to their ends, cancels one, and leaves nothing", { timeout: 240_000 }, async () => {
    const { sha } = await project.push({
      ".forgeline.yml": JSON.stringify({ jobs: jobs(kind) }),
      greeting: "hello\n",
    });
    const isOver = (key: string, run: Pipeline) => jobOf(run, key).finished_at !== null;
    const running = await eventually(
      async () => {
        const run = await project.runOf(sha);
        const others = keys.every((key) => key === "endless" || isOver(key, run));
        return others && jobOf(run, "endless").status === "running" ? run : undefined;
      },
      { timeoutMs: 120_000 },
    );
    await instance.api("POST", `${project.path}/pipelines/${running.id}/cancel`);
    const run = await project.finished(sha, 60_000);
    expect(statuses(run)).toEqual({
      build: "success",
      use: "success",
      broken: "failed exit:3",
      ...(isRootless ? {} : { large: "failed oom" }),
      endless: "cancelled user:admin",
    });
    const log = async (key: string) => (await project.log(run, `job=${key}`)).toString();
    expect(await log("build")).toMatch(/^hello\nreached\n1000\nreached$/m);
    expect(await log("use")).toMatch(/^1000\nmade\nmade\nmore$/m);
    expect(jobOf(run, "build").attempts.flatMap(({ warnings }) => warnings)).toEqual([]);
    const left = async () =>
      (await leftovers(daemon.docker, await runnerId(runner))).filter((name) => name.includes("att_"));
    await eventually(async () => (await left()).length === 0, { timeoutMs: 60_000 });
  });
});

it("a runner on a Podman that refuses limits says at its start what its jobs would say", async () => {
  const refusing = await startPodman({ openFiles: 2_000_000_000 });
  const bed = await engineBed({ docker: refusing.docker });
  try {
    expect(await bed.engine.obstacle()).toMatch(/ may not raise limits of containers/);
  } finally {
    await bed.engine.close();
    await refusing.close();
  }
});
