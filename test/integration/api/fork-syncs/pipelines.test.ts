/** Runs after syncs of a fork: only where the file and the repository allow them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startForkBed, type ForkBed } from "../../../support/fork-bed.ts";

let bed: ForkBed;
beforeAll(async () => {
  bed = await startForkBed("fork-pipelines");
});
afterAll(() => bed?.close());

const file = (on: string) => `on: ${on}\nimage: busybox\nsteps: ['true']\n`;

test("a sync of a fork starts what lists fork_sync, once the repository allows it, for who synced", async () => {
  const pair = await bed.pair();
  const runs = async () => (await bed.send(bed.bob, "GET", `${pair.fork}/pipelines`)).json;
  const commitAndSync = async (on: string) => {
    await bed.commit(bed.ada, pair.upstream, { file: ".forgeline.yml", text: file(on) });
    expect((await bed.sync(pair.fork)).status).toBe(200);
  };
  await commitAndSync("[push, fork_sync]");
  expect(await runs()).toEqual([]);
  const set = (person: typeof bed.ada) =>
    bed.send(person, "PATCH", pair.fork, { fork_sync_pipelines: true, description: "mine" });
  await bed.send(bed.bob, "PUT", `${pair.fork}/collaborators/ada`, { permission: "maintain" });
  const eve = await bed.server.person("eve");
  await bed.send(bed.bob, "PUT", `${pair.fork}/collaborators/eve`, { permission: "maintain" });
  expect((await set(eve)).status).toBe(403);
  expect((await set(bed.bob)).json).toMatchObject({
    fork_sync_pipelines: true,
    mirror_sync_pipelines: false,
  });
  await commitAndSync("[push, fork_sync, tag]");
  expect(await runs()).toMatchObject([
    {
      source: "fork_sync",
      ref: "refs/heads/main",
      triggered_by: { type: "user", username: "bob" },
      schedule: null,
    },
  ]);
  // The file does not want it any more; neither is one told that has errors.
  await commitAndSync("[push]");
  await commitAndSync("[nothing]");
  expect(await runs()).toHaveLength(1);
});
