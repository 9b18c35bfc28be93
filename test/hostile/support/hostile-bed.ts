/** Hostile jobs on a runner as root, on one as an ordinary user who may use Docker, and on one with a rootless daemon. */
import { once } from "node:events";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, describe } from "vitest";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { AgentJob, AgentReport } from "./job.ts";
import { type OtherUser, startAgent, type UsersAgent } from "./other-user.ts";
import { runJob } from "./run-job.ts";
import { startRootlessDocker, type RootlessDocker } from "../../support/rootless-docker.ts";
import { testLimits } from "../../support/runner-limits.ts";
import { hasRootless, isFull } from "../../support/size.ts";

export const docker = new Dockerode();
export const isRoot = process.getuid?.() === 0;

/** Kinds of runner that can be tried on this machine: the last not in `npm test`, since it needs a daemon of its own. */
const kindsOfRunner = [
  ...(isRoot ? (["root"] as const) : []),
  "docker group",
  ...(isRoot && hasRootless ? (["rootless Docker"] as const) : []),
] as const;
export type KindOfRunner = (typeof kindsOfRunner)[number];
/** As in a container that has the daemon's socket. It sees the machine's `/sys`, where networks have names that are not its own. */
type AnyRunner = KindOfRunner | "in a network of its own";

/** Of what is the same for every runner of one daemon, one kind tells it; at full size they all do. */
export const tellsOfDaemon = (kind: KindOfRunner): boolean => isFull || kind !== "docker group" || !isRoot;

let rootless: Promise<RootlessDocker> | null = null;

/**
 * The tests that `define` defines, for each kind; left out where they need what is not here. The kinds side by side, as each mostly
 * waits for the daemon; at full size one after the other, since each may fill a disk.
 */
export function onEachRunner(define: (kind: KindOfRunner) => void, canRun = true): void {
  describe.runIf(canRun).each(kindsOfRunner)("on a runner as %s", { concurrent: !isFull }, (kind) => {
    afterAll(() => endRunner(kind));
    describe("one job after the other", { concurrent: false }, () => {
      define(kind);
    });
  });
}

/** For tests that run jobs outside of `onEachRunner`. */
export async function endRunner(kind: AnyRunner): Promise<void> {
  const agent = agents.get(kind);
  agents.delete(kind);
  await agent?.close();
  if (kind !== "rootless Docker" || rootless === null) return;
  const { close } = await rootless;
  rootless = null;
  await close();
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
  /** The daemon that the runner uses. */
  docker: Dockerode;
  /** null: the tests' own. */
  user: OtherUser | null;
}

let count = 0;
const agents = new Map<AnyRunner, UsersAgent>();

async function identity(kind: AnyRunner, images: readonly string[]): Promise<Identity> {
  if (kind === "rootless Docker") {
    const { uid, gid, docker: theirs, host } = await rootlessWith(images);
    return { docker: theirs, user: { uid, gid, env: { DOCKER_HOST: host } } };
  }
  if (kind === "in a network of its own")
    return { docker, user: { uid: 0, gid: 0, env: {}, inside: ["unshare", "-n"] } };
  if (kind === "root" || !isRoot) return { docker, user: null };
  return { docker, user: { uid: 65_534, gid: (await stat("/var/run/docker.sock")).gid, env: {} } };
}

async function runAs(
  kind: AnyRunner,
  { docker: theirs, user }: Identity,
  job: AgentJob,
): Promise<AgentReport> {
  if (user === null) return runJob(job, theirs.modem);
  await chown(job.workDir, user.uid, user.gid);
  const agent = agents.get(kind) ?? startAgent(user);
  agents.set(kind, agent);
  return agent.run(job);
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
  kind: AnyRunner,
  job: Pick<AgentJob, "image" | "steps"> & Partial<AgentJob>,
): Promise<AgentReport> {
  const workDir = await mkdtemp(join(tmpdir(), "forgeline-hostile-"));
  const runnerId = `rnr_hostile${String(process.pid)}x${String((count += 1))}`;
  const images = [job.image, job.serviceImage, ...Object.values(job.stepImages ?? {})];
  const names = images.flatMap((image) => image?.name ?? []);
  const who = await identity(kind, names);
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
      network: null,
    };
    const whole: AgentJob = { ...plain, ...job, runnerId, workDir };
    return await runAs(kind, who, whole);
  } catch (error) {
    await removeLeft(who.docker, runnerId, workDir);
    throw error;
  } finally {
    for (const path of [workDir, `${workDir}-in`]) await rm(path, { recursive: true, force: true });
  }
}
