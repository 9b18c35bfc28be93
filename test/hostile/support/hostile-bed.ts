/** Hostile jobs on a runner as root, on one as an ordinary user who may use Docker, and on one with a rootless daemon. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import { afterAll, describe } from "vitest";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { AgentJob, AgentReport } from "./job.ts";
import { startRootlessDocker, type RootlessDocker } from "../../support/rootless-docker.ts";
import { programFile } from "../../support/program-bundles.ts";
import { testLimits } from "../../support/runner-limits.ts";
import { hasRootless } from "../../support/size.ts";

const run = promisify(execFile);
export const docker = new Dockerode();
export const isRoot = process.getuid?.() === 0;

/** Kinds of runner that can be tried on this machine: the last not in `npm test`, since it needs a daemon of its own. */
const kindsOfRunner = [
  ...(isRoot ? (["root"] as const) : []),
  "docker group",
  ...(isRoot && hasRootless ? (["rootless Docker"] as const) : []),
] as const;
export type KindOfRunner = (typeof kindsOfRunner)[number];

let rootless: Promise<RootlessDocker> | null = null;

/** The tests that `define` defines, for each kind; left out where they need what is not here. */
export function onEachRunner(define: (kind: KindOfRunner) => void, canRun = true): void {
  describe.runIf(canRun).each(kindsOfRunner)("on a runner as %s", (kind) => {
    afterAll(async () => {
      if (kind !== "rootless Docker" || rootless === null) return;
      const { close } = await rootless;
      rootless = null;
      await close();
    });
    define(kind);
  });
}

/** With the images that the machine's own daemon has. */
async function rootlessWith(images: readonly string[]): Promise<RootlessDocker> {
  const started = await (rootless ??= startRootlessDocker());
  for (const image of images) await loadImage(started.docker, image);
  return started;
}

async function loadImage(theirs: Dockerode, image: string): Promise<void> {
  const isThere = await theirs
    .getImage(image)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (isThere) return;
  const loading = await theirs.loadImage(await docker.getImage(image).get());
  loading.resume();
  await once(loading, "end");
}

interface Identity {
  uid?: number;
  gid?: number;
  /** The daemon that the runner uses. */
  docker: Dockerode;
  env: Record<string, string>;
}

let count = 0;

async function identity(kind: KindOfRunner, images: readonly string[]): Promise<Identity> {
  if (kind === "rootless Docker") {
    const { uid, gid, docker: theirs, host } = await rootlessWith(images);
    return { uid, gid, docker: theirs, env: { DOCKER_HOST: host } };
  }
  const ours = { docker, env: {} };
  if (kind === "root" || !isRoot) return ours;
  return { ...ours, uid: 65_534, gid: (await stat("/var/run/docker.sock")).gid };
}

/** What a runner that failed left in Docker, and its filter. */
async function removeLeft(theirs: Dockerode, runnerId: string, workDir: string): Promise<void> {
  const engine = createDockerEngine({
    limits: testLimits,
    runnerId,
    workDir,
    docker: theirs,
    scriptsDir: `${workDir}-in`,
    poolSize: 0,
  });
  await engine.sweep(new Set());
  await engine.filterEgress();
  await engine.close();
}

/** Runs one job to its end, removal included. */
export async function runHostile(
  kind: KindOfRunner,
  job: Pick<AgentJob, "image" | "steps"> & Partial<AgentJob>,
): Promise<AgentReport> {
  const workDir = await mkdtemp(join(tmpdir(), "forgeline-hostile-"));
  const runnerId = `rnr_hostile${String(process.pid)}x${String((count += 1))}`;
  const images = [job.image, job.serviceImage, ...Object.values(job.stepImages ?? {})];
  const names = images.flatMap((image) => image?.name ?? []);
  const { docker: theirs, env: more, ...who } = await identity(kind, names);
  if (who.uid !== undefined) await chown(workDir, who.uid, who.gid ?? 0);
  try {
    const plain = {
      stepImages: {},
      service: null,
      serviceImage: null,
      servicePort: null,
      stepTimeoutMs: 60_000,
      egress: null,
      extraHosts: [],
      caFile: null,
      openFiles: null,
      shmBytes: null,
      ipv6: null,
    };
    const whole: AgentJob = { ...plain, ...job, runnerId, workDir };
    const program = programFile("test/hostile/support/agent.ts");
    const env = { ...process.env, HOME: workDir, ...more };
    const { stdout } = await run(process.execPath, [program, JSON.stringify(whole)], {
      ...who,
      cwd: "/",
      env,
    });
    return JSON.parse(stdout) as AgentReport;
  } catch (error) {
    await removeLeft(theirs, runnerId, workDir);
    throw error;
  } finally {
    for (const path of [workDir, `${workDir}-in`]) await rm(path, { recursive: true, force: true });
  }
}
