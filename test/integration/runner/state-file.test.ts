import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";
import { StateFile } from "@forgeline/runner/state/state-file.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-state-"));
});
afterEach(() => rm(directory, { recursive: true }));

const record = (attemptId: string): JobRecord => ({
  attemptId,
  epoch: 1,
  state: "running",
  startedAtMs: 1,
  handle: null,
  prepared: false,
  steps: [],
  stepOutputs: {},
  runningSteps: [],
  streams: {},
  warnings: [],
  result: null,
});

describe("the state file", () => {
  it("is there after a save, readable by its owner alone, and keeps the runner's identity", async () => {
    const path = join(directory, "state.json");
    const file = await StateFile.open(path);
    file.put(record("a"));
    file.put(record("b"));
    await Promise.all([file.save(), file.save(), file.save()]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const again = await StateFile.open(path);
    expect(again.instanceId).toBe(file.instanceId);
    expect(again.jobs().map((job) => job.attemptId)).toEqual(["a", "b"]);
    await again.remove({ attemptId: "a", epoch: 1 });
    expect(JSON.parse(await readFile(path, "utf8")).jobs).toHaveLength(1);
  });

  it("holds what was changed before the last save was asked for, also while one was under way", async () => {
    const path = join(directory, "state.json");
    const file = await StateFile.open(path);
    for (let i = 0; i < 20; i++) {
      file.put(record(`a${i}`));
      const saved = file.save();
      if (i % 7 === 0) await saved;
    }
    await file.save();
    expect((await StateFile.open(path)).jobs()).toHaveLength(20);
  });

  it.each([
    [{ position: 3, startedAtMs: 5 }, [{ position: 3, startedAtMs: 5 }]],
    [null, []],
  ])("of a runner that ran one step at a time is understood: %j", async (runningStep, runningSteps) => {
    const path = join(directory, "state.json");
    const { runningSteps: _, ...older } = record("a");
    const jobs = [{ ...older, runningStep }];
    await writeFile(path, JSON.stringify({ version: 1, instanceId: "i", jobs }));
    expect((await StateFile.open(path)).jobs()).toEqual([{ ...record("a"), runningSteps }]);
  });

  it("is refused, not overwritten, when it cannot be understood", async () => {
    const path = join(directory, "state.json");
    await writeFile(path, "{");
    await expect(StateFile.open(path)).rejects.toThrow(/JSON/);
    expect(await readFile(path, "utf8")).toBe("{");
  });
});
