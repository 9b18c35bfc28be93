/** Syncs of forks with their upstream: a server, a worker, Temporal and Git. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ForkSync } from "@forgeline/schemas/fork-syncs/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { startForkBed, type ForkBed } from "../../../support/fork-bed.ts";
import { lfsObject, lfsUpload } from "../../../support/lfs-server.ts";

let bed: ForkBed;
beforeAll(async () => {
  bed = await startForkBed("fork-syncs");
});
afterAll(() => bed?.close());

test("a fork goes on to the commits of its upstream, and says how far it is behind", async () => {
  const { upstream, fork } = await bed.pair();
  expect(await bed.standing(fork)).toMatchObject({
    upstream: { full_name: upstream.slice("/repos/".length) },
    branch: "main",
    behind: 0,
    ahead: 0,
    last_sync: null,
    schedule: null,
  });
  const before = await bed.tipOf(fork);
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  const after = await bed.commit(bed.ada, upstream, { file: "b.txt", text: "b" });
  expect(await bed.standing(fork)).toMatchObject({ behind: 2, ahead: 0 });
  const dry = await bed.sync(fork, { dry_run: true });
  expect([dry.status, dry.json]).toMatchObject([200, { id: null, status: "fast_forwarded" }]);
  expect(await bed.tipOf(fork)).toBe(before);
  const done = await bed.sync(fork);
  expect(done.status).toBe(200);
  expect(done.json).toMatchObject({
    status: "fast_forwarded",
    cause: "manual",
    branch: null,
    user: "bob",
    branches: [
      { name: "main", before, after, behind: 2, ahead: 0 },
      { name: "topic", behind: 0, ahead: 0 },
    ],
  });
  expect(await bed.tipOf(fork)).toBe(after);
  expect((await bed.sync(fork)).json).toMatchObject({ status: "up_to_date" });
  expect(await bed.standing(fork)).toMatchObject({ behind: 0, last_sync: { status: "up_to_date" } });
  const history = (await bed.send(bed.bob, "GET", `${fork}/sync/history`)).json as ForkSync[];
  expect(history.map(({ status }) => status)).toEqual(["up_to_date", "fast_forwarded"]);
});

test("a branch with commits of its own is merged by whoever asks for it, and told as one push", async () => {
  const { upstream, fork, id, name } = await bed.pair();
  const theirs = await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  const mine = await bed.commit(bed.bob, fork, { file: "b.txt", text: "b" });
  expect(await bed.standing(fork)).toMatchObject({ behind: 1, ahead: 1 });
  const dry = await bed.sync(fork, { dry_run: true, branch: "main" });
  expect(dry.json).toMatchObject({
    status: "merged",
    branches: [{ name: "main", before: mine, after: null, behind: 1, ahead: 1 }],
  });
  const done = await bed.sync(fork, { branch: "main" });
  expect(done.json).toMatchObject({ status: "merged", branches: [{ name: "main", before: mine }] });
  const merge = (await bed.send(bed.bob, "GET", `${fork}/commits/${done.json.branches[0].after}`)).json;
  expect(merge).toMatchObject({
    message: `Merge branch 'main' of ada/${name}\n`,
    author: { name: "bob", username: "bob" },
    committer: { username: "bob" },
  });
  expect(merge.parents.map(({ sha }: { sha: string }) => sha)).toEqual([mine, theirs]);
  for (const file of ["a.txt", "b.txt"])
    expect((await bed.send(bed.bob, "GET", `${fork}/contents/${file}`)).status).toBe(200);
  expect(await bed.standing(fork)).toMatchObject({ behind: 0, ahead: 2 });
  const events = await bed.server.container.platform.db.query(
    "select subject ->> 'after' as after, sender ->> 'username' as sender from events where repository_id = $1 and kind = 'push' order by position desc limit 1",
    [id],
  );
  expect(events).toEqual([{ after: done.json.branches[0].after, sender: "bob" }]);
});

test("files that both sides have changed are named, and nothing moves, neither that branch nor another one", async () => {
  const { upstream, fork } = await bed.pair();
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "theirs" });
  await bed.commit(bed.ada, upstream, { branch: "topic", file: "t.txt", text: "t" });
  await bed.commit(bed.bob, fork, { file: "a.txt", text: "mine" });
  const before = [await bed.tipOf(fork), await bed.tipOf(fork, "topic")];
  for (const dry_run of [true, false]) {
    const answer = await bed.sync(fork, { dry_run });
    expect([answer.status, answer.json]).toMatchObject([
      409,
      {
        error: "conflict",
        message: "Both sides have changed the same lines: main (a.txt).",
        conflicts: [{ branch: "main", paths: ["a.txt"] }],
      },
    ]);
  }
  expect([await bed.tipOf(fork), await bed.tipOf(fork, "topic")]).toEqual(before);
  expect(await bed.standing(fork)).toMatchObject({
    last_sync: { status: "conflict", conflicts: [{ branch: "main", paths: ["a.txt"] }] },
  });
  expect((await bed.sync(fork, { branch: "topic" })).json).toMatchObject({ status: "fast_forwarded" });
});

test("a branch that only the upstream has comes when it is named", async () => {
  const { upstream, fork } = await bed.pair();
  await bed.send(bed.ada, "POST", `${upstream}/branches`, { name: "new", ref: "main" });
  const after = await bed.commit(bed.ada, upstream, { branch: "new", file: "n.txt", text: "n" });
  expect((await bed.sync(fork)).json).toMatchObject({ status: "up_to_date" });
  expect((await bed.sync(fork, { branch: "new" })).json).toMatchObject({
    status: "fast_forwarded",
    branches: [{ name: "new", before: null, after, behind: 1, ahead: 0 }],
  });
  expect(await bed.tipOf(fork, "new")).toBe(after);
  const absent = await bed.sync(fork, { branch: "none" });
  expect([absent.status, absent.json.message]).toEqual([409, "The upstream has no branch none."]);
});

test("only forks are synced, by those who may write to them and read the upstream, and never a protected branch", async () => {
  const { upstream, fork } = await bed.pair();
  const plain = await bed.sync(upstream, {}, bed.ada);
  expect([plain.status, plain.json.message]).toEqual([409, expect.stringContaining("not a fork")]);
  const eve = await bed.server.person("eve");
  expect((await bed.sync(fork, {}, eve)).status).toBe(403);
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  await bed.send(bed.bob, "POST", `${fork}/branch-protections`, { pattern: "main", push_level: "none" });
  const rules = (await bed.send(bed.bob, "GET", `${fork}/branch-protections`)).json as unknown[];
  expect(rules).toHaveLength(1);
  const before = await bed.tipOf(fork);
  const refused = await bed.sync(fork);
  expect([refused.status, await bed.tipOf(fork)]).toEqual([409, before]);
  await bed.send(bed.bob, "POST", `${fork}/archive`);
  expect((await bed.sync(fork)).json).toMatchObject({ error: "repository_archived" });
});

test("Git LFS objects come along, and only those that are needed", async () => {
  const { upstream, fork, id, name } = await bed.pair();
  const [needed, other] = [lfsObject("needed"), lfsObject("of another branch")];
  for (const object of [needed, other]) await lfsUpload(bed.server, `ada/${name}`, object, bed.ada.token);
  const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${needed.oid}\nsize ${needed.size}\n`;
  await bed.commit(bed.ada, upstream, { file: "large.bin", text });
  expect((await bed.sync(fork)).json).toMatchObject({ status: "fast_forwarded" });
  const stored = await bed.server.container.platform.db.query(
    "select oid from lfs_objects where repository_id = $1 and stored_at is not null",
    [id],
  );
  expect(stored).toEqual([{ oid: needed.oid }]);
});

test("two who ask at once get the same sync, and one who wants another branch waits", async () => {
  const { upstream, fork } = await bed.pair();
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  const answers = await Promise.all([bed.sync(fork), bed.sync(fork), bed.sync(fork)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ json }) => json.status)).size).toBeLessThanOrEqual(2);
  const history = (await bed.send(bed.bob, "GET", `${fork}/sync/history`)).json as ForkSync[];
  expect(history.filter(({ status }) => status === "fast_forwarded")).toHaveLength(1);
});

test("a sync that is continued after the branches have moved says what it did", async () => {
  const { upstream, fork, id } = await bed.pair();
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  const done = (await bed.sync(fork)).json as ForkSync;
  const { db } = bed.server.container.platform;
  await db.query("update fork_syncs set status = 'running', finished_at = null where id = $1", [done.id]);
  const signal = new AbortController().signal;
  const again = { repositoryId: id, syncId: done.id, signal };
  await bed.server.container.automation.forkSyncs.sync(again);
  expect((await bed.standing(fork)).last_sync).toMatchObject({
    id: done.id,
    status: "fast_forwarded",
    branches: done.branches,
  });
});

test("what takes longer goes on, and is answered with 202", async () => {
  const { upstream, fork } = await bed.pair();
  await bed.commit(bed.ada, upstream, { file: "a.txt", text: "a" });
  await bed.stopWorker();
  const answer = await bed.sync(fork);
  expect([answer.status, answer.json]).toMatchObject([202, { status: "waiting", finished_at: null }]);
  const other = await bed.sync(fork, { branch: "topic" });
  expect([other.status, other.json.message]).toEqual([409, "Another sync of this fork is running."]);
  await bed.startWorker();
  await eventually(async () => (await bed.standing(fork)).last_sync?.status === "fast_forwarded", {
    timeoutMs: 60_000,
  });
  expect(await bed.standing(fork)).toMatchObject({ behind: 0, last_sync: { id: answer.json.id } });
});
