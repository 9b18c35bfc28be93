/** Forks that are synced by themselves: for whom, how they fail, and when they rest. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ForkSync } from "@forgeline/schemas/fork-syncs/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { startForkBed, type ForkBed, type Pair } from "../../../support/fork-bed.ts";

let bed: ForkBed;
beforeAll(async () => {
  bed = await startForkBed("fork-schedules");
});
afterAll(() => bed?.close());

const put = ({ fork }: Pair, body: object) => bed.send(bed.bob, "PUT", `${fork}/sync/schedule`, body);
/** What the schedule's workflow does, without waiting for its time. */
const due = ({ id }: Pair) =>
  bed.server.container.automation.forkSyncs.sync({
    repositoryId: id,
    syncId: null,
    signal: new AbortController().signal,
  });
const last = async ({ fork }: Pair): Promise<ForkSync | null> => (await bed.standing(fork)).last_sync;

test("a schedule syncs for whoever set it up, at its times and in Temporal", async () => {
  const pair = await bed.pair();
  const set = await put(pair, { branch: "main", cron: "15 3 * * 1", timezone: "Europe/Berlin" });
  expect(set.json).toMatchObject({
    branch: "main",
    cron: "15 3 * * 1",
    timezone: "Europe/Berlin",
    interval_minutes: null,
    enabled: true,
    owner: "bob",
    failures: 0,
  });
  await eventually(async () => (await bed.standing(pair.fork)).schedule?.next_sync_at !== null);
  const next = (await bed.standing(pair.fork)).schedule?.next_sync_at ?? "";
  expect(new Date(next).getUTCDay()).toBe(1);
  const after = await bed.commit(bed.ada, pair.upstream, { file: "a.txt", text: "a" });
  const { temporal } = bed.server.container.platform;
  const { taskQueue } = bed.server.config.temporal;
  await temporal.call((client) =>
    client.schedule.getHandle(`fork-schedule:${taskQueue}:${pair.id}`).trigger(),
  );
  await eventually(async () => (await last(pair))?.status === "fast_forwarded", { timeoutMs: 30_000 });
  expect(await last(pair)).toMatchObject({ cause: "schedule", user: "bob", branches: [{ after }] });
  expect((await bed.send(bed.bob, "DELETE", `${pair.fork}/sync/schedule`)).status).toBe(204);
  expect((await bed.send(bed.bob, "DELETE", `${pair.fork}/sync/schedule`)).status).toBe(404);
  await eventually(
    async () => (await temporal.call((client) => describes(client, taskQueue, pair.id))) === false,
  );
});

async function describes(
  client: Parameters<Parameters<ForkBed["server"]["container"]["platform"]["temporal"]["call"]>[0]>[0],
  taskQueue: string,
  id: string,
): Promise<boolean> {
  return client.schedule
    .getHandle(`fork-schedule:${taskQueue}:${id}`)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

test("conflicts are told once after three of them, scheduled syncs come later, and it works again", async () => {
  const pair = await bed.pair();
  await bed.server.container.platform.db.query("update users set email = 'bob@example.com' where id = $1", [
    bed.bob.id,
  ]);
  const mails = async () =>
    (
      (await bed.send(bed.ada, "GET", "/admin/mails?per_page=100")).json as {
        kind: string;
        subject: string;
      }[]
    )
      .filter(({ subject }) => subject.includes(`The fork bob/${pair.name}`))
      .map(({ kind }) => kind);
  await put(pair, { interval_minutes: 30 });
  await bed.commit(bed.ada, pair.upstream, { file: "a.txt", text: "theirs" });
  await bed.commit(bed.bob, pair.fork, { file: "a.txt", text: "mine" });
  const again = async () => {
    await bed.server.container.platform.db.query(
      "update fork_schedules set not_before = null where repository_id = $1",
      [pair.id],
    );
    await due(pair);
  };
  for (let count = 0; count < 4; count += 1) await again();
  expect(await last(pair)).toMatchObject({
    status: "conflict",
    conflicts: [{ branch: "main", paths: ["a.txt"] }],
  });
  expect(await mails()).toEqual(["mirror_failing"]);
  const { schedule } = await bed.standing(pair.fork);
  expect(schedule).toMatchObject({ failures: 4 });
  // After four: four intervals, within a minute.
  const waitMinutes = (new Date(schedule?.next_sync_at ?? 0).getTime() - Date.now()) / 60_000;
  expect(waitMinutes).toBeGreaterThan(118);
  const count = async () => (await bed.send(bed.bob, "GET", `${pair.fork}/sync/history`)).json.length;
  const before = await count();
  await due(pair);
  expect(await count()).toBe(before);
  await bed.commit(bed.bob, pair.fork, { file: "a.txt", text: "theirs" });
  await again();
  expect(await last(pair)).toMatchObject({ status: "merged" });
  expect((await mails()).toSorted()).toEqual(["mirror_failing", "mirror_works_again"]);
  expect((await bed.standing(pair.fork)).schedule).toMatchObject({ failures: 0, failing_since: null });
});

test("a schedule whose owner may not write any more, or not read the upstream, rests and says so", async () => {
  const [written, read] = [await bed.pair(), await bed.pair()];
  const eve = await bed.server.person("eve");
  await bed.send(bed.bob, "PUT", `${written.fork}/collaborators/eve`, { permission: "maintain" });
  const set = await bed.send(eve, "PUT", `${written.fork}/sync/schedule`, { interval_minutes: 30 });
  expect(set.json).toMatchObject({ owner: "eve" });
  await bed.commit(bed.ada, written.upstream, { file: "a.txt", text: "a" });
  await bed.send(bed.bob, "PUT", `${written.fork}/collaborators/eve`, { permission: "read" });
  const before = await bed.tipOf(written.fork);
  await due(written);
  expect(await last(written)).toMatchObject({
    status: "failed",
    error: "Who wants this sync may not write to the fork any more.",
  });
  expect((await bed.standing(written.fork)).schedule).toMatchObject({
    enabled: false,
    disabled_reason: "owner",
  });
  expect(await bed.tipOf(written.fork)).toBe(before);
  await put(read, { interval_minutes: 30 });
  await bed.send(bed.ada, "PATCH", read.upstream, { visibility: "private" });
  await due(read);
  expect((await bed.standing(read.fork)).schedule).toMatchObject({
    enabled: false,
    disabled_reason: "upstream",
  });
});

test("a fork that gets another owner is not synced by itself any more, and one that is none never", async () => {
  const pair = await bed.pair();
  await put(pair, { interval_minutes: 30 });
  await bed.send(bed.bob, "POST", "/orgs", { name: "bobs" });
  await bed.send(bed.bob, "POST", `${pair.fork}/transfer`, { new_owner: "bobs" });
  const moved = await bed.standing(`/repos/bobs/${pair.name}`);
  expect(moved.schedule).toMatchObject({ enabled: false, disabled_reason: "transferred" });
  const plain = await bed.send(bed.ada, "PUT", `${pair.upstream}/sync/schedule`, { interval_minutes: 30 });
  expect([plain.status, plain.json.message]).toEqual([409, expect.stringContaining("not a fork")]);
  const bad = await put(await bed.pair(), { cron: "* * * * *" });
  expect(bad.json.errors).toMatchObject([{ field: "cron", code: "too_often" }]);
});
