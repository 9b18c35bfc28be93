import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JobMemory } from "@forgeline/runner/signed-jobs/job-memory.ts";

let path: string;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-memory-"));
  path = join(directory, "signed-jobs");
});
afterEach(() => rm(directory, { recursive: true }));

const job = (n: number, validUntilMs = Date.now() + 60_000) => ({
  attemptId: `att_${n}`,
  signedAtMs: n,
  validUntilMs,
});

async function remember(memory: JobMemory, one: ReturnType<typeof job>): Promise<void> {
  memory.add(one);
  await memory.save(one);
}

test("what was begun is known after a restart, and what a crash cut off is not read", async () => {
  const memory = await JobMemory.open(path);
  await remember(memory, job(1));
  await appendFile(path, "att_2 2 99");
  const again = await JobMemory.open(path);
  expect([again.knows(job(1)), again.knows(job(2))]).toEqual([true, false]);
});

test("past the bound nothing that was signed earlier is taken, so a forgotten job does not run twice", async () => {
  const memory = await JobMemory.open(path, 3);
  for (let n = 1; n <= 10; n++) await remember(memory, job(n));
  const again = await JobMemory.open(path, 3);
  for (const each of [memory, again]) {
    expect([1, 7, 8, 10].map((n) => each.knows(job(n)))).toEqual([true, true, true, true]);
    expect([11, 99].map((n) => each.knows(job(n)))).toEqual([false, false]);
  }
  expect((await readFile(path, "utf8")).split("\n").length).toBeLessThan(10);
});

test("what has expired is forgotten first: its signature is worth nothing any more", async () => {
  const memory = await JobMemory.open(path, 3);
  for (let n = 1; n <= 10; n++) await remember(memory, job(n, 1));
  await remember(memory, job(11));
  expect([memory.knows(job(5)), memory.knows(job(11))]).toEqual([false, true]);
});
