/**
 * An engine for tests of the runner that needs no Docker: steps and services are shell processes of their own, whose output and exit
 * code go to files, so they outlive the runner's process as containers do. No isolation whatever.
 */
import { openFakeShell } from "@forgeline/runner/engine/fake/fake-shell.ts";
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { diskUsage } from "@forgeline/runner/engine/disk-usage.ts";
import type {
  Engine,
  JobEnvironment,
  JobHandle,
  RunningStep,
  StepExit,
} from "@forgeline/runner/engine/engine.ts";

export function createShellEngine(workDir: string): Engine {
  return {
    async prepare(job) {
      const jobDir = join(workDir, job.leaseKey);
      await mkdir(jobDir, { recursive: true });
      const workspace = join(
        job.sharedWorkspace === null ? jobDir : join(workDir, job.sharedWorkspace),
        "workspace",
      );
      await mkdir(workspace, { recursive: true });
      // A link, since the job's directory is all that is known of it after a restart.
      if (job.sharedWorkspace !== null) await symlink(workspace, join(jobDir, "workspace"));
      job.onProgress("shell environment");
      const { leaseKey, repositoryId } = job;
      const handle = { leaseKey, repositoryId, jobDir, containerId: leaseKey, networkId: null, volume: null };
      return environmentOf(handle, []);
    },
    async reattach(handle) {
      const names = await readdir(handle.jobDir).catch(() => null);
      if (names === null) return null;
      const outputs = names.filter((name) => name.startsWith("service-") && name.endsWith(".out"));
      return environmentOf(
        handle,
        outputs.map((name) => name.slice("service-".length, -".out".length)),
      );
    },
    removeWorkspace: (name) => destroy(join(workDir, name)),
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
    obstacle: async () => null,
    kind: () => Promise.resolve(null),
    features: () => [],
    filterEgress: () => Promise.resolve({ state: "open", reason: null, allow: [] }),
    serverAt: () => undefined,
    storageDirectory: () => Promise.resolve(null),
    stopPulls: () => undefined,
    warm: async () => undefined,
    close: async () => undefined,
  };
}

function environmentOf(handle: JobHandle, services: string[]): JobEnvironment {
  const { jobDir } = handle;
  const serviceOf = (key: string) => ({ key, outputFile: file(jobDir, `service-${key}`, "out") });
  return {
    handle,
    workspaceDir: join(jobDir, "workspace"),
    ready: async () => undefined,
    openWorkspace: async () => undefined,
    files: () => Promise.reject(new Error("there is no container")),
    async startServices(wanted, onService) {
      for (const { key, command, env } of wanted) {
        await begin(jobDir, `service-${key}`, command?.at(-1) ?? "", env);
        services.push(key);
        onService(serviceOf(key));
      }
    },
    services: () => services.map(serviceOf),
    async endServices() {
      for (const key of services) {
        const pid = (await pidOf(jobDir, `service-${key}`)) ?? 0;
        killGroup(pid, "TERM");
        // Who is ended before it knows what to do with the signal leaves no exit code.
        while ((await exitOf(jobDir, `service-${key}`)) === null && alive(pid)) await delay(5);
      }
      return [];
    },
    async runStep({ position, script, env }) {
      await begin(jobDir, position, script, {
        ...env,
        CI_OUTPUT: file(jobDir, position, "ci"),
        CI_SUMMARY: file(jobDir, position, "summary"),
        CI_ANNOTATIONS: file(jobDir, position, "annotations"),
      });
      return stepOf(jobDir, position);
    },
    async reattachStep(position) {
      return (await pidOf(jobDir, position)) === null ? null : stepOf(jobDir, position);
    },
    openShell: async () => openFakeShell(),
    endShells: async () => undefined,
    fence: async () => undefined,
    diskUsage: () => diskUsage(jobDir),
    unlinkedBytes: () => Promise.resolve({ bytes: 0 }),
    destroy: () => destroy(jobDir),
  };
}

/** The position of a step, or `service-KEY`. */
type Part = number | string;

const file = (jobDir: string, part: Part, name: string) => join(jobDir, `${part}.${name}`);

async function begin(jobDir: string, part: Part, script: string, env: Record<string, string>): Promise<void> {
  const at = (name: string) => file(jobDir, part, name);
  await writeFile(at("sh"), script);
  await writeFile(at("ci"), "");
  const output = openSync(at("out"), "a");
  // TERM is for the script; what tells how it ended lives on.
  const wrapper = `trap : TERM; sh -e "$1" 2>&1; echo $? > "$2.new"; mv "$2.new" "$2"`;
  const child = spawn("sh", ["-c", wrapper, "part", at("sh"), at("exit")], {
    cwd: join(jobDir, "workspace"),
    env: { PATH: "/usr/bin:/bin", ...env },
    stdio: ["ignore", output, output],
    detached: true,
  });
  // At once: whoever does not know it cannot end the step when this process is killed.
  writeFileSync(at("pid"), `${child.pid}`);
  closeSync(output);
  child.unref();
}

async function pidOf(jobDir: string, part: Part): Promise<number | null> {
  const text = await readFile(file(jobDir, part, "pid"), "utf8").catch(() => null);
  // A file that is only being written must not be taken for group 0, which is our own.
  return text ? Number(text) : null;
}

async function exitOf(jobDir: string, part: Part): Promise<number | null> {
  const text = await readFile(file(jobDir, part, "exit"), "utf8").catch(() => null);
  return text === null ? null : Number(text);
}

function stepOf(jobDir: string, position: number): RunningStep {
  const signalled = new Set<number>();
  return {
    position,
    outputFile: file(jobDir, position, "out"),
    ciOutputFile: file(jobDir, position, "ci"),
    summaryFile: file(jobDir, position, "summary"),
    annotationsFile: file(jobDir, position, "annotations"),
    planted: [],
    async wait(signal): Promise<StepExit> {
      for (;;) {
        const code = await exitOf(jobDir, position);
        if (code !== null) return { kind: "exited", code };
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
      const pid = await pidOf(jobDir, name.slice(0, -".pid".length));
      if (pid !== null) killGroup(pid, "KILL");
    }
  // As with ten million files: while this is there, removal does not come to its end.
  while (existsSync(join(jobDir, "..", "..", "endless-removal"))) await delay(20);
  await rm(jobDir, { recursive: true, force: true });
}
