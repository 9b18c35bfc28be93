/** Hostile jobs on a runner as root, and on one as an ordinary user who may use Docker. */
import { execFile } from "node:child_process";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import type { AgentJob, AgentReport } from "./job.ts";
import { testLimits } from "../../support/runner-limits.ts";

const run = promisify(execFile);
export const docker = new Dockerode();
export const isRoot = process.getuid?.() === 0;

/** Kinds of runner that can be tried on this machine. */
export const kindsOfRunner = isRoot ? (["root", "docker group"] as const) : (["docker group"] as const);
export type KindOfRunner = (typeof kindsOfRunner)[number];

let count = 0;

async function identity(kind: KindOfRunner): Promise<{ uid?: number; gid?: number }> {
  if (kind === "root" || !isRoot) return {};
  return { uid: 65_534, gid: (await stat("/var/run/docker.sock")).gid };
}

/** What a runner that failed left in Docker, and its filter. */
async function removeLeft(runnerId: string, workDir: string): Promise<void> {
  const engine = createDockerEngine({
    limits: testLimits,
    runnerId,
    workDir,
    docker,
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
  const who = await identity(kind);
  if (who.uid !== undefined) await chown(workDir, who.uid, who.gid ?? 0);
  try {
    const plain = { service: null, stepTimeoutMs: 60_000, egress: null, extraHosts: [], ipv6: null };
    const whole: AgentJob = { ...plain, ...job, runnerId, workDir };
    const program = join(import.meta.dirname, "agent.ts");
    const env = { ...process.env, HOME: workDir };
    const { stdout } = await run(process.execPath, [program, JSON.stringify(whole)], {
      ...who,
      cwd: "/",
      env,
    });
    return JSON.parse(stdout) as AgentReport;
  } catch (error) {
    await removeLeft(runnerId, workDir);
    throw error;
  } finally {
    for (const path of [workDir, `${workDir}-in`]) await rm(path, { recursive: true, force: true });
  }
}
