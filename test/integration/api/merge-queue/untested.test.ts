/** Merge queues do not let land what was not tested, whatever authors write and whoever leaves or runs at the same time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { lfsObject, lfsUpload } from "../../../support/lfs-server.ts";
import { M, Q, R, startQueueBed, type QueueBed } from "./fixture.ts";

let bed: QueueBed;
beforeAll(async () => {
  bed = await startQueueBed();
});
afterAll(() => bed?.server.stop());

const api: QueueBed["api"] = (...request) => bed.api(...request);
const query: QueueBed["query"] = (...asked) => bed.query(...asked);
const queued: QueueBed["queued"] = (...wanted) => bed.queued(...wanted);
const propose: QueueBed["propose"] = (...wanted) => bed.propose(...wanted);
const add: QueueBed["add"] = (...wanted) => bed.add(...wanted);
const show: QueueBed["show"] = (target) => bed.show(target);
const record: QueueBed["record"] = (number) => bed.record(number);
const leftBecause: QueueBed["leftBecause"] = (number) => bed.leftBecause(number);
const look = () => bed.look();
const playAll: QueueBed["playAll"] = (target) => bed.playAll(target);

it("tests whatever the title says, since authors write it", async () => {
  const { target } = await queued();
  const one = await propose(target, "skip-one", { "bad.txt": "1" });
  await api("PATCH", `${M}/${one}`, { title: "Nothing to see [skip ci]" });
  await add(one, { strategy: "squash" });
  await look();
  const { batch } = await show(target);
  expect(batch?.runs).toMatchObject([{ status: expect.not.stringMatching("skipped") }]);
  expect(await playAll(target)).toEqual([[one]]);
  expect(await leftBecause(one)).toContain("has not passed");
});

it("lets go what Git cannot merge, and the others land", async () => {
  const { target } = await queued();
  const one = await propose(target, "alien-one", { "u1.txt": "1" });
  const two = await propose(target, "alien-two", { "u2.txt": "1" });
  const { git, storage } = bed.server.container.platform;
  const { id: repositoryId } = (await api("GET", R)).json;
  const run = async (...args: string[]) => {
    const people = ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "ada"],
      [`GIT_${who}_EMAIL`, "ada@example.com"],
    ]);
    const env = Object.fromEntries(people) as Record<string, string>;
    const { stdout } = await git.run({ directory: storage.directory(repositoryId), args, env });
    return stdout.toString("utf8").trim();
  };
  const alien = await run("commit-tree", "-m", "alien", await run("rev-parse", "main^{tree}"));
  // Again and again, since what is compared in the background may write what was there before.
  const ofOne = "where id = (select id from work_items where number = $2 and kind = 'merge_request')";
  const setHead = () => query(`update merge_requests set head_sha = $1 ${ofOne}`, [alien, one]);
  await bed.together(target, async () => {
    for (const number of [one, two]) await add(number);
    await run("update-ref", "refs/heads/alien-one", alien);
    await setHead();
    await query("update merge_queue_entries set head_sha = $1 where number = $2", [alien, one]);
  });
  expect(await playAll(target)).toEqual([[two]]);
  expect(await leftBecause(one)).toContain("share no history");
  await setHead();
  expect((await api("POST", Q, { number: one })).json.message).toContain("share no history");
});

it("lets nobody land who left in the moment before", async () => {
  const { target } = await queued();
  const one = await propose(target, "moment-one", { "t1.txt": "1" });
  const two = await propose(target, "moment-two", { "t2.txt": "1" });
  await bed.addAll(target, [one, two]);
  await look();
  await bed.end(target);
  let looked: Promise<void> | undefined;
  // All that is about to land waits for the first of them, and the other one leaves.
  await bed.server.container.platform.db.transaction(async (tx) => {
    await tx.query("select id from work_items where number = $1 for update", [one]);
    looked = look();
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%work_items%'`;
    await eventually(async () => (await query(waiting)).length > 0);
    expect((await api("DELETE", `${Q}/${two}`)).status).toBe(204);
  });
  await looked;
  expect(await playAll(target)).toEqual([[one]]);
  expect([(await record(one)).state, (await record(two)).state]).toEqual(["merged", "open"]);
});

it("gives up what it tests where the branch is gone, or nobody may move it", async () => {
  const { target } = await queued();
  const one = await propose(target, "gone-one", { "g1.txt": "1" });
  await add(one);
  await look();
  const isThere = () => query("select id from merge_queue_batches where branch = $1", [target]);
  // As a server leaves it that dies before the branch has moved.
  await query("update merge_queue_batches set state = 'landing' where branch = $1", [target]);
  await api("POST", `${R}/archive`);
  await look();
  expect(await isThere()).toEqual([]);
  await api("POST", `${R}/unarchive`);
  await look();
  expect(await isThere()).toHaveLength(1);
  const { git, storage } = bed.server.container.platform;
  const directory = storage.directory((await api("GET", R)).json.id);
  await git.run({ directory, args: ["update-ref", "-d", `refs/heads/${target}`] });
  await look();
  expect(await isThere()).toEqual([]);
});

it("judges what it tests by its own runs, not by others of the same commit", async () => {
  const checks = [{ pipeline: ".forgeline.yml" }];
  const { target } = await queued({}, { required_checks: checks });
  const one = await propose(target, "other-run", { "bad.txt": "1" });
  await add(one, { strategy: "fast_forward" });
  await look();
  const { sha } = await record(one).then(({ head_sha }) => ({ sha: head_sha }));
  expect((await show(target)).batch).toMatchObject({ sha });
  // Whoever may start runs makes one that succeeds.
  const started = await api("POST", `${R}/pipelines`, { ref: "other-run" });
  expect([started.status, started.json.sha]).toEqual([201, sha]);
  await query("update pipelines set status = 'success', finished_at = now() where id = $1", [
    started.json.id,
  ]);
  expect(await playAll(target)).toEqual([[one]]);
  expect(await leftBecause(one)).toContain("has not passed");
});

it("tests again where the runs that have tested it are gone, in a queue that was paused for long", async () => {
  const { target } = await queued();
  const one = await propose(target, "forgotten", { "bad.txt": "1" });
  await add(one);
  await look();
  await bed.together(target, async () => {
    const { batch } = await bed.end(target);
    const ids = batch?.runs.map(({ id }) => id);
    // As runs are that are older than those that are kept.
    await query("delete from pipelines where id = any ($1)", [ids]);
  });
  await look();
  expect((await show(target)).batch?.runs).toHaveLength(1);
  expect(await playAll(target)).toEqual([[one]]);
  expect(await leftBecause(one)).toContain("has not passed");
});

it("tests what comes from a fork with its large files, as a run of a fork", async () => {
  const { target } = await queued();
  const asBob = bed.as(bed.bob);
  const forked = await asBob("POST", `${R}/forks`, {});
  expect([forked.status, forked.json.message]).toEqual([201, undefined]);
  const mine = "bob/engine";
  const file = lfsObject("of a fork");
  await lfsUpload(bed.server, mine, file, bed.bob.token);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${file.oid}\nsize ${file.size}\n`;
  await branchesOver(asBob, `/repos/${mine}`).branch("from-fork", { "large.bin": pointer });
  const wanted = { source_repo: mine, source_branch: "from-fork", target_branch: target };
  const opened = await asBob("POST", M, { title: "From a fork", ...wanted });
  expect([opened.status, opened.json.message]).toEqual([201, undefined]);
  const own = await propose(target, "beside-fork", { "beside.txt": "1" });
  await bed.addAll(target, [opened.json.number, own]);
  await look();
  const stored = `select o.oid from lfs_objects o join repositories r on r.id = o.repository_id
    where o.oid = $1 and r.name = 'engine' and o.stored_at is not null`;
  expect(await query(stored, [file.oid])).toHaveLength(2);
  const { batch } = await show(target);
  const told = "select event #> '{mergeRequest,fork}' as fork from pipelines where sha = $1";
  expect(await query(told, [batch?.sha])).toEqual([{ fork: true }]);
  expect(await playAll(target)).toEqual([[opened.json.number, own]]);
  expect((await record(opened.json.number)).state).toBe("merged");
});
