/** Mirrors from a source to the repository: a server, a worker, Temporal, Git, and a source over HTTPS. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lfsBatch } from "../../../support/lfs-server.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirrors" });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

/** What the client says. */
async function push(mirror: Mirrored, ref: string): Promise<string> {
  const tree = await bed.git.workTree({ "mine.txt": ref });
  const { stderr } = await bed.git.run(["push", bed.address(mirror), `HEAD:${ref}`], { cwd: tree });
  return stderr;
}

const changesOf = ({ refs }: { refs: { ref: string; change: string }[] }) =>
  refs.map(({ ref, change }) => `${change} ${ref}`);

test("a repository gets every branch and tag of its source, and what changes there", async () => {
  const source = await bed.source.create("plain");
  await source.commit("main", { "a.txt": "a" });
  await source.commit("other", { "b.txt": "b" });
  await source.git("tag", "-a", "-m", "first", "v1", "main");
  const mirror = await bed.mirror(source);
  expect(await mirror.ended()).toMatchObject({
    status: "succeeded",
    cause: "first",
    changed_refs: 3,
    error: null,
    notes: [],
  });
  expect(await mirror.refs()).toEqual(await source.refs());
  await source.commit("main", { "a.txt": "a2" });
  await source.git("update-ref", "-d", "refs/heads/other");
  const second = await mirror.sync();
  expect(second).toMatchObject({ status: "succeeded", cause: "manual" });
  expect(changesOf(second)).toEqual(["updated refs/heads/main", "deleted refs/heads/other"]);
  expect(await mirror.refs()).toEqual(await source.refs());
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 0, bytes: 0 });
  expect(await mirror.get()).toMatchObject({
    status: "up_to_date",
    failures: 0,
    prune: true,
    interval_minutes: 60,
  });
  const { stdout } = await bed.git.run(["clone", "-q", bed.address(mirror), "cloned"]);
  expect(stdout).toBe("");
});

test("nobody changes what a mirror has, over any door; afterwards everybody may", async () => {
  const source = await bed.source.create("guarded");
  await source.commit("main", { "a.txt": "a" });
  const mirror = await bed.mirror(source);
  expect((await bed.send("GET", mirror.at)).json).toMatchObject({ mirror: true, default_branch: "main" });
  const before = await mirror.refs();
  const content = Buffer.from("b").toString("base64");
  const doors: [string, string, object][] = [
    ["PUT", "/contents/b.txt", { message: "b", content, branch: "main" }],
    ["POST", "/branches", { name: "mine", ref: "main" }],
    ["POST", "/tags", { name: "v1", ref: "main" }],
  ];
  for (const [method, path, body] of doors) {
    const answer = await bed.send(method, mirror.at + path, body);
    expect([method, path, answer.json.error]).toEqual([method, path, "repository_mirrored"]);
  }
  const put = await bed.send("PUT", `${mirror.at}/contents/b.txt`, { message: "b", content, branch: "main" });
  expect(put.json).toMatchObject({ error: "repository_mirrored" });
  expect(await push(mirror, "refs/heads/mine")).toMatch(/is a mirror and read-only/);
  const object = { oid: "1".repeat(64), size: 1 };
  const lfs = await lfsBatch(bed.server, `ada/${mirror.name}`, "upload", [object], bed.ada.token);
  expect([lfs.status, lfs.bytes.toString()]).toEqual([403, expect.stringContaining("read-only")]);
  expect(await mirror.refs()).toEqual(before);
  expect((await bed.send("DELETE", `${mirror.at}/mirror`)).status).toBe(204);
  expect((await bed.send("GET", `${mirror.at}/mirror`)).status).toBe(404);
  expect((await bed.send("GET", mirror.at)).json).toMatchObject({ mirror: false });
  expect(await push(mirror, "refs/heads/mine")).toMatch(/new branch/);
});

test("what is replaced or deleted at the source is kept for 30 days, out of sight", async () => {
  const source = await bed.source.create("forced");
  const old = await source.commit("main", { "a.txt": "a" });
  const gone = await source.commit("gone", { "g.txt": "g" });
  const mirror = await bed.mirror(source);
  await source.git("update-ref", "-d", "refs/heads/main");
  await source.git("update-ref", "-d", "refs/heads/gone");
  await source.commit("main", { "b.txt": "b" });
  const sync = await mirror.sync();
  expect(changesOf(sync)).toEqual(["deleted refs/heads/gone", "forced refs/heads/main"]);
  expect(sync.refs.map(({ before }) => before)).toEqual([gone, old]);
  const rows = await bed.database.query<{ oid: string; days: number }>(
    "select oid, extract(day from until - now())::int as days from kept_objects where repository_id = $1 order by oid",
    [mirror.id],
  );
  expect(rows).toEqual([gone, old].toSorted().map((oid) => ({ oid, days: 29 })));
  await bed.git.run(["init", "-q", "hidden"]);
  const fetched = await bed.git.run(["fetch", bed.address(mirror), old], { cwd: `${bed.git.home}/hidden` });
  expect(fetched.code).not.toBe(0);
  const kept = async () =>
    (
      await bed.server.container.platform.git.run({
        directory: mirror.directory,
        args: ["for-each-ref", "--format=%(objectname)", "refs/internal/kept"],
      })
    ).stdout
      .toString("utf8")
      .trim();
  expect((await kept()).split("\n").toSorted()).toEqual([gone, old].toSorted());
  await bed.database.query(
    "update kept_objects set until = now() - interval '1 minute' where repository_id = $1",
    [mirror.id],
  );
  await bed.server.container.upkeep.upkeepSchedules.runTask("remove_old_syncs", new AbortController().signal);
  expect(await kept()).toBe("");
});

test("an ordinary repository becomes a mirror once somebody has agreed, and loses nothing", async () => {
  const source = await bed.source.create("adopted");
  await source.commit("main", { "a.txt": "a" });
  const mirror = await bed.repository({ readme: true });
  const own = (await mirror.refs())[0]?.slice(0, 40);
  const refused = await bed.send("PUT", `${mirror.at}/mirror`, { url: source.url });
  expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining("1 branch or tag")]);
  const preview = await bed.send("POST", `${mirror.at}/mirror/preview`, { url: source.url });
  expect(preview.json).toMatchObject({
    total: 1,
    created: 0,
    updated: 1,
    deleted: 0,
    default_branch: "main",
  });
  expect(preview.json.refs).toMatchObject([{ ref: "refs/heads/main", change: "updated", before: own }]);
  expect((await bed.send("GET", mirror.at)).json).toMatchObject({ mirror: false });
  await bed.mirror(source, { replace: true }, mirror);
  expect(changesOf(await mirror.ended())).toEqual(["forced refs/heads/main"]);
  expect(await mirror.refs()).toEqual(await source.refs());
  const kept = () =>
    bed.database.query("select oid, until is null as always from kept_objects where repository_id = $1", [
      mirror.id,
    ]);
  expect(await kept()).toEqual([{ oid: own, always: true }]);
  await bed.send("DELETE", `${mirror.at}/mirror`);
  expect(await kept()).toEqual([{ oid: own, always: false }]);
  const back = await bed.send("POST", `${mirror.at}/branches`, { name: "back", ref: own });
  expect(back.json).toMatchObject({ name: "back", commit: { sha: own } });
});

test("only what the patterns name is followed, and nothing is deleted without prune", async () => {
  const source = await bed.source.create("patterns");
  await source.commit("main", { "a.txt": "a" });
  await source.commit("release/1", { "r.txt": "r" });
  await source.commit("wip/1", { "w.txt": "w" });
  await source.git("update-ref", "refs/pull/1/head", "main");
  const refs = ["main", "release/*", "wip/*", "^wip/*"];
  const mirror = await bed.mirror(source, { refs, prune: false });
  const names = async () => (await mirror.refs()).map((line) => line.slice(41));
  expect(await names()).toEqual(["refs/heads/main", "refs/heads/release/1"]);
  expect((await mirror.get()).refs).toEqual([
    "refs/heads/main",
    "refs/heads/release/*",
    "refs/heads/wip/*",
    "^refs/heads/wip/*",
  ]);
  await source.git("update-ref", "-d", "refs/heads/release/1");
  await mirror.sync();
  expect(await names()).toEqual(["refs/heads/main", "refs/heads/release/1"]);
  await bed.send("PUT", `${mirror.at}/mirror`, { url: source.url, refs: ["refs/*"] });
  await mirror.sync();
  expect(await names()).toEqual(["refs/heads/main", "refs/heads/wip/1", "refs/pull/1/head"]);
});

test("refs that are not allowed here are left out, and the rest is taken", async () => {
  const source = await bed.source.create("odd");
  const tip = await source.commit("main", { "a.txt": "a" });
  await source.git("update-ref", `refs/heads/${"a".repeat(40)}`, tip);
  await source.git("update-ref", "refs/internal/kept/x", tip);
  const mirror = await bed.mirror(source, { refs: ["refs/*"] });
  const sync = await mirror.ended();
  expect(sync.notes).toEqual([
    expect.stringMatching(/^refs\/heads\/a{40} was left out: this name is ambiguous\.$/),
  ]);
  expect((await mirror.refs()).map((line) => line.slice(41))).toEqual(["refs/heads/main"]);
});

test("a branch that becomes a folder of branches, and back, and another default branch, are followed", async () => {
  const source = await bed.source.create("folders");
  await source.commit("main", { "a.txt": "a" });
  await source.commit("topic", { "t.txt": "t" });
  const mirror = await bed.mirror(source);
  await source.git("branch", "-m", "topic", "topic2");
  await source.git("branch", "-m", "topic2", "topic/one");
  await source.git("branch", "-m", "main", "trunk");
  await source.git("symbolic-ref", "HEAD", "refs/heads/trunk");
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", notes: [] });
  expect(await mirror.refs()).toEqual(await source.refs());
  expect((await bed.send("GET", mirror.at)).json).toMatchObject({ default_branch: "trunk" });
  await source.git("branch", "-m", "topic/one", "topic2");
  await source.git("branch", "-m", "topic2", "topic");
  await mirror.sync();
  expect(await mirror.refs()).toEqual(await source.refs());
});

test("an empty source is no failure; one that has lost everything is, and nothing is lost here", async () => {
  const source = await bed.source.create("empty");
  const mirror = await bed.mirror(source);
  expect(await mirror.ended()).toMatchObject({
    status: "succeeded",
    notes: ["The source is empty, or has nothing that this mirror follows."],
  });
  await source.commit("main", { "a.txt": "a" });
  await mirror.sync();
  const before = await mirror.refs();
  await source.git("update-ref", "-d", "refs/heads/main");
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("Nothing was changed here"),
  });
  expect(await mirror.refs()).toEqual(before);
});

test("each changed ref is one event, and nothing that was fetched runs", async () => {
  const source = await bed.source.create("events");
  const file = "on: [push]\njobs:\n  one:\n    image: alpine\n    steps: [{ run: 'true' }]\n";
  await source.commit("main", { ".forgeline.yml": file });
  await source.git("tag", "v1", "main");
  const mirror = await bed.mirror(source);
  await source.commit("main", { ".forgeline.yml": `${file}\n` });
  await mirror.sync();
  await mirror.sync();
  const events = await bed.database.query(
    "select kind, action, sender from events where repository_id = $1 and kind in ('push', 'tag') order by position",
    [mirror.id],
  );
  expect(events).toEqual([
    { kind: "push", action: "created", sender: null },
    { kind: "tag", action: "created", sender: null },
    { kind: "push", action: "updated", sender: null },
  ]);
  const runs = await bed.send("GET", `${mirror.at}/pipelines`);
  expect(runs.json).toEqual([]);
});

test("a mirror can be paused, synced by hand meanwhile, and resumed; an archived one rests", async () => {
  const source = await bed.source.create("paused");
  await source.commit("main", { "a.txt": "a" });
  const mirror = await bed.mirror(source, { cron: "15 3 * * 1", timezone: "Europe/Berlin" });
  const active = await mirror.get();
  expect(active).toMatchObject({ cron: "15 3 * * 1", timezone: "Europe/Berlin", interval_minutes: null });
  expect(new Date(active.next_sync_at ?? 0).getUTCDay()).toBe(1);
  await bed.send("PUT", `${mirror.at}/mirror`, { url: source.url, enabled: false });
  expect(await mirror.get()).toMatchObject({ status: "paused", next_sync_at: null });
  await source.commit("main", { "a.txt": "a2" });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  await bed.send("PUT", `${mirror.at}/mirror`, { url: source.url, enabled: true });
  expect(await mirror.get()).toMatchObject({ enabled: true });
  await bed.send("POST", `${mirror.at}/archive`);
  expect((await bed.send("POST", `${mirror.at}/mirror/sync`)).json).toMatchObject({
    error: "repository_archived",
  });
  expect(await mirror.get()).toMatchObject({ next_sync_at: null });
  const before = await mirror.refs();
  await source.commit("main", { "a.txt": "a3" });
  const signal = new AbortController().signal;
  await bed.server.container.automation.mirrorSyncs.sync(mirror.id, { work: "scheduled", signal });
  expect(await mirror.refs()).toEqual(before);
});
