/** A workspace that several jobs use one after another: what it keeps, whose its files are, and that nothing of it stays. */
import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineBed, leftOver, runToEnd, step, type EngineBed } from "./docker-job.ts";

let bed: EngineBed;
beforeAll(async () => {
  bed = await engineBed();
});
afterAll(() => bed.close());

const image = (user: string | null) => ({ name: "forgeline/base:1", user });

test("jobs of several users find and change what those before left, steps with images of their own too", async () => {
  const sharedWorkspace = "plc_users";
  await bed.inJob({ sharedWorkspace, image: image(null) }, async (environment) => {
    expect((await runToEnd(environment, step(0, "echo one > file && mkdir -m 700 own"))).exit).toMatchObject({
      code: 0,
    });
  });
  await bed.inJob({ sharedWorkspace, image: image("1000:1000") }, async (environment) => {
    const ran = await runToEnd(
      environment,
      step(0, "cat file && echo two >> file && touch own/mine && id -u"),
    );
    expect(ran).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "one\n1000\n" });
    const own = await runToEnd(environment, step(1, "cat file", { image: image(null) }));
    expect(own.output).toBe("one\ntwo\n");
    // Its own, which nobody else sees.
    await bed.inJob({}, async (alone) => {
      expect((await runToEnd(alone, step(0, "ls -A"))).output).toBe("");
    });
  });
  await bed.inJob({ sharedWorkspace, image: image(null) }, async (environment) => {
    expect((await runToEnd(environment, step(0, "stat -c %u own/mine"))).output).toBe("0\n");
    const { bytes } = await environment.diskUsage();
    await runToEnd(environment, step(1, "dd if=/dev/zero of=big bs=1048576 count=5 2>&1"));
    expect((await environment.diskUsage()).bytes - bytes).toBeGreaterThan(4 * 1024 ** 2);
  });
  await bed.engine.removeWorkspace(sharedWorkspace);
  await bed.engine.removeWorkspace(sharedWorkspace);
  expect(await leftOver(bed.runnerId)).toEqual([]);
  expect((await readdir(bed.workDir)).filter((name) => name.includes(sharedWorkspace))).toEqual([]);
});

test("a restarted agent keeps the workspaces that it knows, takes up their jobs, and sweeps all others", async () => {
  const kept = await bed.prepare({ sharedWorkspace: "plc_kept" });
  await kept.ready(new AbortController().signal);
  await runToEnd(kept, step(0, "echo here > file"));
  const killed = await bed.prepare({ sharedWorkspace: "plc_killed" });
  const agent = bed.another();
  await agent.sweep(new Set([kept.handle.leaseKey, "plc_kept"]));
  const again = await agent.reattach(kept.handle);
  if (!again) throw new Error("the job is gone");
  expect(await runToEnd(again, step(1, "cat file"))).toMatchObject({ output: "here\n" });
  await expect(access(killed.workspaceDir)).rejects.toThrow("ENOENT");
  await again.destroy();
  await access(join(kept.workspaceDir, "file"));
  await agent.removeWorkspace("plc_kept");
  await agent.close();
  expect(await leftOver(bed.runnerId)).toEqual([]);
});
