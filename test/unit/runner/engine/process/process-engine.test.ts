/** What the executor without containers does beside the conformance of all engines: workspaces of stages, disk, refusals, the filter. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Engine, StepCommand } from "@forgeline/runner/engine/engine.ts";
import { createProcessEngine } from "@forgeline/runner/engine/process/process-engine.ts";
import { processEngine, processJob } from "../../../../support/engine-subjects.ts";
import { testLimits } from "../../../../support/runner-limits.ts";

const never = new AbortController().signal;
let workDir: string;
let engine: Engine;
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), "forgeline-processes-"));
  engine = processEngine(workDir);
});
afterAll(async () => {
  await engine.sweep(new Set());
  await rm(workDir, { recursive: true, force: true });
});

const step = (position: number, script: string, env: Record<string, string> = {}): StepCommand => ({
  position,
  script,
  shell: "sh",
  env,
  workdir: null,
  image: null,
});

it("keeps the workspace of a stage for its next job, and until it is told otherwise", async () => {
  const stage = { sharedWorkspace: "pl/1" };
  const first = await engine.prepare({ ...processJob("att_1-1"), ...stage });
  await (await first.runStep(step(0, "echo kept >file"), never)).wait(never);
  expect((await first.diskUsage()).files).toBeGreaterThan(5);
  await first.destroy();
  const second = await engine.prepare({ ...processJob("att_2-1"), ...stage });
  expect(second.workspaceDir).toBe(first.workspaceDir);
  expect(await readdir(second.workspaceDir)).toEqual(["file"]);
  await second.destroy();
  const next = processEngine(workDir);
  await next.sweep(new Set(["pl/1"]));
  expect(await readdir(workDir)).toHaveLength(1);
  await next.removeWorkspace("pl/1");
  await next.removeWorkspace("pl/1");
  expect(await readdir(workDir)).toEqual([]);
});

it("forgets a start that came to nothing when its agent died, and starts the step once", async () => {
  const environment = await engine.prepare(processJob("att_3-1"));
  const steps = join(environment.handle.jobDir, "steps");
  await writeFile(join(steps, "step-0.start"), "0000000000000000");
  expect(await environment.reattachStep(0)).toBeNull();
  expect(await environment.reattachStep(0)).toBeNull();
  const running = await environment.runStep(step(0, "echo x >>count; exit 7"), never);
  expect(await running.wait(never)).toEqual({ kind: "exited", code: 7 });
  expect(await environment.reattachStep(1)).toBeNull();
  await environment.destroy();
});

it("says what it has not got", async () => {
  const environment = await engine.prepare(processJob("att_4-1"));
  const image = { name: "a:1", user: null };
  await expect(environment.runStep({ ...step(0, "true"), image }, never)).rejects.toMatchObject({
    code: "unsupported",
  });
  await expect(environment.openShell({ env: {}, columns: 80, rows: 24 }, never)).rejects.toMatchObject({
    code: "unsupported",
  });
  await expect(environment.runStep(step(0, "true", { A: "a\0b" }), never)).rejects.toThrow("NUL");
  await environment.destroy();
  expect(await engine.warnings()).toEqual([expect.stringContaining("isolates nothing")]);
});

it("does not start where a filter is required, and reports that there is none", async () => {
  const withMode = (mode: "filter" | "required" | "open") =>
    createProcessEngine({
      runnerId: "rnr_x",
      workDir,
      limits: testLimits,
      egress: { mode },
      path: "/usr/bin:/bin",
      onWarning: () => undefined,
    }).filterEgress();
  expect(await withMode("filter")).toMatchObject({
    state: "unfiltered",
    reason: expect.stringContaining("FORGELINE_RUNNER_EXECUTOR=process") as string,
  });
  expect(await withMode("open")).toEqual({ state: "open", reason: null, allow: [] });
  await expect(withMode("required")).rejects.toThrow("FORGELINE_RUNNER_EGRESS=required");
});
