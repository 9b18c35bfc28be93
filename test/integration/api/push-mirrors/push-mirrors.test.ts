/** Push mirrors from a push to the target: a server, a worker, Temporal, Git, and a target over HTTPS. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";
import { addPushMirror, caughtUp, commitHere, createTarget } from "../../../support/push-mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "push-mirrors" });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

const changesOf = ({ refs }: { refs: { ref: string; change: string }[] }) =>
  refs.map(({ ref, change }) => `${change} ${ref}`);

test("a target gets every branch and tag, and soon whatever is pushed, also by several pushes at once", async () => {
  const repository = await bed.repository({ readme: true });
  await bed.send("POST", `${repository.at}/tags`, { name: "v1", ref: "main" });
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url });
  // What was pushed before there was a mirror may be followed late, by a sync of its own that has nothing to do.
  const inHistory = (sync: object) =>
    eventually(
      async () => {
        expect(await mirror.history()).toContainEqual(expect.objectContaining(sync));
        return true;
      },
      { timeoutMs: 60_000 },
    );
  await inHistory({ status: "succeeded", cause: "first", changed_refs: 2, notes: [] });
  expect(await target.refs()).toEqual(await repository.refs());
  await commitHere(bed, repository);
  await caughtUp(repository, target);
  await inHistory({ cause: "push", status: "succeeded", changed_refs: 1 });
  await bed.send("POST", `${repository.at}/branches`, { name: "topic", ref: "main" });
  await commitHere(bed, repository, { branch: "topic" });
  await bed.send("DELETE", `${repository.at}/tags/v1`);
  await caughtUp(repository, target);
  expect((await target.git("fsck", "--strict")).includes("error")).toBe(false);
  await eventually(async () => (await mirror.get()).status === "up_to_date");
  // One that a push had asked for may still be on its way, and is then what a request by hand gets.
  const byHand = async () => {
    const done = await mirror.sync();
    return done.cause === "manual" && done;
  };
  expect(await eventually(byHand)).toMatchObject({
    status: "succeeded",
    cause: "manual",
    changed_refs: 0,
    bytes: 0,
  });
  expect(await mirror.get()).toMatchObject({
    url: target.url,
    failures: 0,
    diverged: [],
    interval_minutes: 60,
    force: false,
    on_push: true,
  });
});

test("what somebody else has done at the target is shown, and overwritten only with force", async () => {
  const repository = await bed.repository({ readme: true });
  for (const name of ["kept", "gone"])
    await bed.send("POST", `${repository.at}/branches`, { name, ref: "main" });
  await bed.send("POST", `${repository.at}/tags`, { name: "v1", ref: "main" });
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url, on_push: false });
  const theirs = await target.commit("main", { "theirs.txt": "theirs" });
  const gone = await target.commit("gone", { "theirs.txt": "gone" });
  await target.git("update-ref", "refs/tags/v1", theirs);
  await target.git("update-ref", "refs/heads/own", theirs);
  const mine = await commitHere(bed, repository);
  const kept = await commitHere(bed, repository, { branch: "kept" });
  await bed.send("DELETE", `${repository.at}/branches/gone`);
  const sync = await mirror.sync();
  expect(sync).toMatchObject({
    status: "failed",
    changed_refs: 1,
    error:
      "Somebody else has changed what is at the target, so it was left as it is: refs/heads/gone, refs/heads/main, refs/tags/v1.",
    notes: ["Left alone, since only the target has it: refs/heads/own."],
  });
  expect(changesOf(sync)).toEqual(["updated refs/heads/kept"]);
  const before = (await repository.refs()).find((line) => line.endsWith("refs/tags/v1"))?.slice(0, 40);
  expect(await mirror.get()).toMatchObject({
    status: "diverged",
    diverged_count: 3,
    diverged: [
      { ref: "refs/heads/gone", here: null, there: gone },
      { ref: "refs/heads/main", here: mine, there: theirs },
      { ref: "refs/tags/v1", here: before, there: theirs },
    ],
  });
  expect(await target.refs()).toEqual([
    `${gone} refs/heads/gone`,
    `${kept} refs/heads/kept`,
    `${theirs} refs/heads/main`,
    `${theirs} refs/heads/own`,
    `${theirs} refs/tags/v1`,
  ]);
  await mirror.change({ force: true });
  await caughtUp(repository, target);
  const forced = await mirror.ended();
  expect(changesOf(forced)).toEqual([
    "deleted refs/heads/gone",
    "forced refs/heads/main",
    "deleted refs/heads/own",
    "forced refs/tags/v1",
  ]);
  expect(forced.refs[1]).toMatchObject({ before: theirs, after: mine });
  expect(await mirror.get()).toMatchObject({ status: "up_to_date", diverged: [], diverged_count: 0 });
});

test("what was rewritten here is rewritten there, without force, as long as nobody else has touched it", async () => {
  const repository = await bed.repository({ readme: true });
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url, on_push: false });
  const old = await commitHere(bed, repository);
  await mirror.sync();
  const tree = await bed.git.workTree({ "new.txt": "new" });
  await bed.git.run(["push", "--force", bed.address(repository), "HEAD:refs/heads/main"], { cwd: tree });
  const sync = await mirror.sync();
  expect(changesOf(sync)).toEqual(["forced refs/heads/main"]);
  expect(sync.refs[0]?.before).toBe(old);
  expect(await target.refs()).toEqual(await repository.refs());
});

test("a target that has an older state of ours goes on from there, and one with another history does not", async () => {
  const repository = await bed.repository({ readme: true });
  const [older, other] = [await createTarget(bed), await createTarget(bed)];
  await bed.git.run(["clone", "-q", "--mirror", bed.address(repository), "copied.git"]);
  await bed.git.run(["push", "-q", "--mirror", older.directory], { cwd: `${bed.git.home}/copied.git` });
  const theirs = await other.commit("main", { "theirs.txt": "theirs" });
  await commitHere(bed, repository);
  const first = await addPushMirror(bed, repository, { url: older.url });
  expect(await first.ended()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  const second = await addPushMirror(bed, repository, { url: other.url });
  expect(await second.ended()).toMatchObject({ status: "failed", changed_refs: 0 });
  expect(await other.refs()).toEqual([`${theirs} refs/heads/main`]);
});

test("what was pushed to one target says nothing about another one", async () => {
  const repository = await bed.repository({ readme: true });
  const [first, second] = [await createTarget(bed), await createTarget(bed)];
  const mirror = await addPushMirror(bed, repository, { url: first.url, on_push: false });
  const refs = await repository.refs();
  await bed.git.run(["clone", "-q", "--mirror", bed.address(repository), "shared.git"]);
  await bed.git.run(["push", "-q", "--mirror", second.directory], { cwd: `${bed.git.home}/shared.git` });
  const tree = await bed.git.workTree({ "new.txt": "new" });
  await bed.git.run(["push", "--force", bed.address(repository), "HEAD:refs/heads/main"], { cwd: tree });
  const before = (await mirror.ended()).id;
  await mirror.change({ url: second.url });
  await eventually(async () => (await mirror.ended()).id !== before);
  expect(await mirror.ended()).toMatchObject({ status: "failed", changed_refs: 0 });
  expect(await second.refs()).toEqual(refs);
});

test("only what the patterns name is pushed, and nothing is deleted without prune", async () => {
  const repository = await bed.repository({ readme: true });
  for (const name of ["release/1", "wip/1"])
    await bed.send("POST", `${repository.at}/branches`, { name, ref: "main" });
  const target = await createTarget(bed);
  const refs = ["main", "release/*", "wip/*", "^wip/*"];
  const mirror = await addPushMirror(bed, repository, {
    url: target.url,
    refs,
    prune: false,
    on_push: false,
  });
  const names = async () => (await target.refs()).map((line) => line.slice(41));
  expect(await names()).toEqual(["refs/heads/main", "refs/heads/release/1"]);
  await bed.send("DELETE", `${repository.at}/branches/release/1`);
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 0 });
  expect(await names()).toEqual(["refs/heads/main", "refs/heads/release/1"]);
  await mirror.change({ refs: ["refs/*"], prune: true });
  await caughtUp(repository, target);
  expect(await mirror.get()).toMatchObject({ refs: ["refs/*"], prune: true });
});

test("a repository has several targets, each with a state of its own, and what is kept out of sight stays here", async () => {
  const source = await bed.source.create("upstream");
  await source.commit("main", { "a.txt": "a" });
  const repository = await bed.mirror(source);
  const [one, two] = [await createTarget(bed), await createTarget(bed)];
  const first = await addPushMirror(bed, repository, { url: one.url, refs: ["refs/*"] });
  const second = await addPushMirror(bed, repository, { url: two.url, cron: "15 3 * * 1", timezone: "UTC" });
  await source.git("update-ref", "-d", "refs/heads/main");
  await source.commit("main", { "b.txt": "b" });
  bed.source.answer = (request, response, usual) =>
    request.url?.startsWith(two.path) ? void response.writeHead(503).end() : usual();
  await repository.sync();
  await caughtUp(repository, one);
  await eventually(async () => (await second.get()).status === "failing");
  await eventually(async () => (await first.get()).status === "up_to_date");
  const failing = await second.get();
  expect(failing.last_sync?.error).toBe("The server of the target answered with status 503.");
  const waitMinutes = (new Date(failing.next_sync_at ?? 0).getTime() - Date.now()) / 60_000;
  expect(waitMinutes).toBeGreaterThan(4);
  expect(waitMinutes).toBeLessThanOrEqual(5);
  const listed = await bed.send("GET", `${repository.at}/push-mirrors`);
  expect((listed.json as { id: string }[]).map(({ id }) => id)).toEqual([first.id, second.id]);
  expect((await bed.send("DELETE", second.at)).status).toBe(204);
  expect((await bed.send("GET", second.at)).status).toBe(404);
  expect(await two.refs()).not.toEqual([]);
});

test("a push mirror can be paused, synced by hand meanwhile, and resumed; one of an archived repository rests", async () => {
  const repository = await bed.repository({ readme: true });
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url });
  expect(await mirror.change({ enabled: false })).toMatchObject({ status: "paused", next_sync_at: null });
  await commitHere(bed, repository);
  const syncs = bed.server.container.automation.pushMirrorSyncs;
  await syncs.sync(mirror.id, { work: "scheduled", signal: new AbortController().signal });
  expect(await target.refs()).not.toEqual(await repository.refs());
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  await commitHere(bed, repository);
  await mirror.change({ enabled: true });
  await caughtUp(repository, target);
  expect((await mirror.get()).next_sync_at).not.toBeNull();
  await bed.send("POST", `${repository.at}/archive`);
  expect((await bed.send("POST", `${mirror.at}/sync`)).json).toMatchObject({ error: "repository_archived" });
  expect(await mirror.get()).toMatchObject({ next_sync_at: null });
  await target.git("update-ref", "-d", "refs/heads/main");
  await syncs.sync(mirror.id, { work: "scheduled", signal: new AbortController().signal });
  expect(await target.refs()).toEqual([]);
});

test("an empty repository is no failure; one that has lost everything is, and nothing is lost at the target", async () => {
  const repository = await bed.repository();
  const target = await createTarget(bed);
  const mirror = await addPushMirror(bed, repository, { url: target.url });
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", notes: ["The repository is empty."] });
  await commitHere(bed, repository);
  await caughtUp(repository, target);
  await mirror.ended();
  await bed.server.container.platform.git.run({
    directory: repository.directory,
    args: ["update-ref", "-d", "refs/heads/main"],
  });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("Nothing was changed at the target"),
  });
  expect(await target.refs()).toHaveLength(1);
});
