/**
 * An engine for tests of the runner that needs no Docker: steps are shell processes of their own, whose output and exit
 * code go to files, so they outlive the runner's process as containers do. No isolation whatever.
 */
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { diskUsage } from "@forgeline/runner/engine/disk-usage.ts";
import type {
  Engine,
  JobEnvironment,
  JobHandle,
  RunningStep,
  StepCommand,
  StepExit,
} from "@forgeline/runner/engine/engine.ts";

export function createShellEngine(workDir: string): Engine {
  return {
    async prepare(job) {
      const jobDir = join(workDir, job.leaseKey);
      await mkdir(join(jobDir, "workspace"), { recursive: true });
      job.onProgress("shell environment");
      return environmentOf({
        leaseKey: job.leaseKey,
        repositoryId: job.repositoryId,
        jobDir,
        containerId: job.leaseKey,
        networkId: null,
        volume: null,
      });
    },
    async reattach(handle) {
      return (await readdir(handle.jobDir).catch(() => null)) ? environmentOf(handle) : null;
    },
    discard: (handle) => destroy(handle.jobDir),
    async sweep(keep) {
      let containers = 0;
      for (const name of await readdir(workDir).catch(() => []))
        if (!keep.has(name)) {
          await destroy(join(workDir, name));
          containers++;
        }
      return { containers, networks: 0, volumes: 0 };
    },
    images: async () => [],
    warnings: async () => [],
    warm: async () => undefined,
    close: async () => undefined,
  };
}

function environmentOf(handle: JobHandle): JobEnvironment {
  const { jobDir } = handle;
  return {
    handle,
    workspaceDir: join(jobDir, "workspace"),
    ready: async () => undefined,
    startServices: async () => undefined,
    services: () => [],
    async runStep(command) {
      await begin(jobDir, command);
      return stepOf(jobDir, command.position);
    },
    async reattachStep(position) {
      return (await pidOf(jobDir, position)) === null ? null : stepOf(jobDir, position);
    },
    diskBytes: () => diskUsage(jobDir),
    destroy: () => destroy(jobDir),
  };
}

const file = (jobDir: string, position: number, name: string) => join(jobDir, `${position}.${name}`);

async function begin(jobDir: string, command: StepCommand): Promise<void> {
  const at = (name: string) => file(jobDir, command.position, name);
  await writeFile(at("sh"), command.script);
  await writeFile(at("ci"), "");
  const output = openSync(at("out"), "a");
  // TERM is for the step; what tells how it ended lives on.
  const wrapper = `trap : TERM; sh -e "$1" 2>&1; echo $? > "$2.new"; mv "$2.new" "$2"`;
  const child = spawn("sh", ["-c", wrapper, "step", at("sh"), at("exit")], {
    cwd: join(jobDir, "workspace"),
    env: { PATH: "/usr/bin:/bin", ...command.env, CI_OUTPUT: at("ci") },
    stdio: ["ignore", output, output],
    detached: true,
  });
  // At once: whoever does not know it cannot end the step when this process is killed.
  writeFileSync(at("pid"), `${child.pid}`);
  closeSync(output);
  child.unref();
}

async function pidOf(jobDir: string, position: number): Promise<number | null> {
  const text = await readFile(file(jobDir, position, "pid"), "utf8").catch(() => null);
  // A file that is only being written must not be taken for group 0, which is our own.
  return text ? Number(text) : null;
}

function stepOf(jobDir: string, position: number): RunningStep {
  const signalled = new Set<number>();
  return {
    position,
    outputFile: file(jobDir, position, "out"),
    ciOutputFile: file(jobDir, position, "ci"),
    async wait(signal): Promise<StepExit> {
      for (;;) {
        const text = await readFile(file(jobDir, position, "exit"), "utf8").catch(() => null);
        if (text !== null) return { kind: "exited", code: Number(text) };
        const pid = await pidOf(jobDir, position);
        if (pid !== null && !alive(pid) && signalled.has(pid)) return { kind: "exited", code: 143 };
        await delay(5, undefined, { signal });
      }
    },
    async kill(name) {
      const pid = await pidOf(jobDir, position);
      if (pid === null) return;
      signalled.add(pid);
      killGroup(pid, name);
    },
  };
}

function alive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killGroup(pid: number, name: "TERM" | "KILL"): void {
  try {
    process.kill(-pid, `SIG${name}`);
  } catch {
    // Ended already.
  }
}

async function destroy(jobDir: string): Promise<void> {
  for (const name of await readdir(jobDir).catch(() => []))
    if (name.endsWith(".pid")) {
      const pid = await pidOf(jobDir, Number.parseInt(name, 10));
      if (pid !== null) killGroup(pid, "KILL");
    }
  await rm(jobDir, { recursive: true, force: true });
}
