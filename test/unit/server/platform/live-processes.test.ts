/** Who is there, of those that share a directory. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLiveProcesses, type LiveProcesses } from "@forgeline/server/platform/live-processes.ts";

let directory: string;
let own: LiveProcesses;
let child: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-presence-"));
  own = await openLiveProcesses(directory);
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await own.close();
  await rm(directory, { recursive: true });
});

it("a process itself, one beside it, and nobody else", async () => {
  const other = await openLiveProcesses(directory);
  expect(await own.isThere(own.id)).toBe(true);
  expect(await own.isThere(other.id)).toBe(true);
  expect(await other.isThere(own.id)).toBe(true);
  await other.close();
  expect(await own.isThere(other.id)).toBe(false);
  expect(await own.isThere("0".repeat(32))).toBe(false);
});

it("one that has ended, as long as a program lives that has its open file, even when it is stopped", async () => {
  const other = await openLiveProcesses(directory);
  child = spawn("sleep", ["60"], { stdio: ["ignore", "ignore", "ignore", other.fd] });
  await once(child, "spawn");
  await other.close();
  child.kill("SIGSTOP");
  expect(await own.isThere(other.id)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await own.isThere(other.id)).toBe(false);
});

it("what those left behind who have ended goes when the next one comes, and nobody else's", async () => {
  const other = await openLiveProcesses(directory);
  await other.close();
  const next = await openLiveProcesses(directory);
  expect((await readdir(join(directory, "present"))).toSorted()).toEqual([own.id, next.id].toSorted());
  await next.close();
});
