/** Runs after syncs of a mirror: only where the file and the repository allow them, and by no user. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PipelineSummary } from "@forgeline/schemas/pipelines/resource.ts";
import type { Schedule } from "@forgeline/schemas/schedules/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirror-pipelines" });
});
afterAll(() => bed?.close());

const file = "on: { push: , mirror_sync: { branches: main, tags: 'v*' } }\nimage: busybox\nsteps: ['true']\n";
const runsOf = async ({ at }: Mirrored): Promise<PipelineSummary[]> =>
  (await bed.send("GET", `${at}/pipelines`)).json;

test("a sync starts what lists mirror_sync, once the repository allows it", async () => {
  const source = await bed.source.create("runs");
  await source.commit("main", { ".forgeline.yml": file });
  const mirrored = await bed.mirror(source);
  await source.commit("main", { ".forgeline.yml": file, "a.txt": "a" });
  await mirrored.sync();
  expect(await runsOf(mirrored)).toEqual([]);
  await bed.send("PATCH", mirrored.at, { mirror_sync_pipelines: true });
  await source.commit("main", { ".forgeline.yml": file, "a.txt": "b" });
  await source.commit("topic", { ".forgeline.yml": file, "a.txt": "topic" });
  await source.git("tag", "v1", "main");
  await source.git("tag", "other", "main");
  await mirrored.sync();
  const runs = await runsOf(mirrored);
  expect(runs.map(({ ref }) => ref).toSorted()).toEqual(["refs/heads/main", "refs/tags/v1"]);
  expect(runs[0]).toMatchObject({
    source: "mirror_sync",
    triggered_by: { type: "mirror", id: null, username: "mirror:sync" },
    schedule: null,
  });
  // Nothing moved, so nothing runs.
  await mirrored.sync();
  expect(await runsOf(mirrored)).toHaveLength(2);
});

test("a schedule in the source's file is off until somebody here turns it on", async () => {
  const source = await bed.source.create("nightly");
  await source.commit("main", {
    ".forgeline.yml":
      "on: { schedule: [{ name: nightly, cron: '0 3 * * *' }] }\nimage: busybox\nsteps: ['true']\n",
  });
  const mirrored = await bed.mirror(source);
  const [schedule] = await eventually(async () => {
    const found = (await bed.send("GET", `${mirrored.at}/schedules`)).json as Schedule[];
    return found.length > 0 && found;
  });
  expect(schedule).toMatchObject({ enabled: false, disabled_reason: "mirror", owner: null });
  const on = await bed.send("PATCH", `${mirrored.at}/schedules/${schedule?.id}`, { enabled: true });
  expect(on.json).toMatchObject({ enabled: true, owner: "ada", disabled_reason: null });
});
