/** An agent is killed in the middle of a job; the next one takes the job up, and nothing is lost, doubled or left. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import type { JobHandle } from "@forgeline/runner/engine/engine.ts";
import { eventually } from "../../support/eventually.ts";
import { docker, engineBed, leftOver, never, textOf, type EngineBed } from "./docker-job.ts";

const program = join(import.meta.dirname, "dying-agent.ts");
const expected = Array.from({ length: 1000 }, (_, index) => `line ${String(index + 1)}\n`).join("");

describe("re-attach", () => {
  let bed: EngineBed;
  let agent: ChildProcess | null = null;
  beforeAll(() => ensureBaseImage(docker));
  beforeEach(async () => {
    bed = await engineBed();
  });
  afterEach(async () => {
    agent?.kill("SIGKILL");
    await bed.close();
  });

  async function startAgent(poolSize: number): Promise<JobHandle> {
    const child = spawn(process.execPath, [program, bed.runnerId, bed.workDir, String(poolSize)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    agent = child;
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as JobHandle;
    throw new Error("the agent said nothing");
  }

  it("takes up the step and the service of an agent that was killed", async () => {
    const handle = await startAgent(0);
    await eventually(async () =>
      (await textOf(join(handle.jobDir, "own", "services", "web.out"))).includes("line 100\n"),
    );
    agent?.kill("SIGKILL");
    const environment = await bed.engine.reattach(handle);
    if (environment === null) throw new Error("the environment was not found");
    expect(await bed.engine.sweep(new Set([handle.leaseKey]))).toEqual({
      containers: 0,
      networks: 0,
      volumes: 0,
    });
    const running = await environment.reattachStep(0);
    expect(await running?.wait(never)).toEqual({ kind: "exited", code: 5 });
    expect(await textOf(running?.outputFile ?? "")).toBe(expected);
    expect(await readFile(join(environment.workspaceDir, "effects"), "utf8")).toBe("begun\n");
    const [service] = environment.services();
    await eventually(async () => (await textOf(service?.outputFile ?? "")) === expected);
    await environment.destroy();
    expect(await leftOver(bed.runnerId)).toEqual([]);
  });

  it("discards network and volume of a job whose container is gone", async () => {
    const handle = await startAgent(0);
    agent?.kill("SIGKILL");
    await docker.getContainer(handle.containerId).remove({ force: true });
    await bed.engine.discard(handle);
    expect(await leftOver(bed.runnerId)).toEqual([]);
    await bed.engine.discard(handle);
  });

  it("removes what a dead agent left, its waiting containers too", async () => {
    await startAgent(1);
    const filters = { label: [`forgeline.runner=${bed.runnerId}`], name: ["forgeline-warm-"] };
    await eventually(async () => (await docker.listContainers({ all: true, filters })).length > 0);
    agent?.kill("SIGKILL");
    await eventually(() => agent?.signalCode === "SIGKILL");
    const next = bed.another({ secondSweepMs: 1000 });
    expect((await next.sweep(new Set())).containers).toBeGreaterThanOrEqual(2);
    // What the daemon was still making for the dead one goes with the second look.
    await eventually(async () => (await leftOver(bed.runnerId)).length === 0);
    await next.close();
  });
});
