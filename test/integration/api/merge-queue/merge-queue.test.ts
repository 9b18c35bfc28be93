/** Merge queues: what is tested, in which order it lands, what leaves, and that no branch gets what was not tested as it lands. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { M, Q, R, startQueueBed, type QueueBed } from "./fixture.ts";

let bed: QueueBed;
beforeAll(async () => {
  bed = await startQueueBed();
});
afterAll(() => bed?.server.stop());

const as: QueueBed["as"] = (person) => bed.as(person);
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
const tipOf: QueueBed["tipOf"] = (name) => bed.tipOf(name);

it("is the way into a branch: nothing else merges or pushes, and what is missing is said", async () => {
  const { target } = await queued({}, { required_approvals: 1, push_level: "write" });
  const number = await propose(target, "one", { "one.txt": "1" });
  const direct = await api("PUT", `${M}/${number}/merge`, {});
  expect([direct.status, direct.json.blocked_by]).toEqual([
    409,
    [
      "Merge requests go into this branch by its merge queue: add it there.",
      expect.stringContaining("1 approval"),
    ],
  ]);
  const pushed = await api("PUT", `${R}/contents/x.txt`, {
    branch: target,
    message: "x",
    content: Buffer.from("x").toString("base64"),
  });
  expect([pushed.status, pushed.json.message]).toEqual([403, expect.stringContaining("has a merge queue")]);
  const refused = await api("POST", Q, { number });
  expect([refused.status, refused.json.blocked_by]).toEqual([409, [expect.stringContaining("1 approval")]]);
  const { head_sha: sha } = await record(number);
  await as(bed.bob)("POST", `${M}/${number}/reviews`, { event: "approve", commit_sha: sha, body: "So." });
  expect((await api("POST", Q, { number, sha: "0".repeat(40) })).status).toBe(409);
  const token = await bed.server.tokenFor(bed.ada, ["mr:write", "repo:read"]);
  expect((await as({ ...bed.ada, token })("POST", Q, { number })).json.error).toBe("insufficient_scope");
  await add(number, { sha });
  expect((await api("POST", Q, { number })).json.message).toContain("already");
  expect(await record(number)).toMatchObject({
    mergeable: expect.stringMatching(/clean|checking/),
    merge_queue: { position: 1, state: "queued", queued_by: { username: "ada" } },
  });
  expect((await api("GET", `${M}/${number}/approvals`)).json).toMatchObject({
    merge_queue: true,
    blocked_by: [],
  });
  expect(await playAll(target)).toEqual([[number]]);
  expect(await record(number)).toMatchObject({
    state: "merged",
    merge_queue: null,
    merged_by: { username: "ada" },
  });
  expect((await api("POST", Q, { number: 999_999 })).status).toBe(404);
});

it("queues nothing for a wait that is cancelled in the moment when it would be queued", async () => {
  const { target } = await queued();
  const number = await propose(target, "cancelled", { "cancelled.txt": "1" });
  await api("PATCH", `${M}/${number}`, { draft: true });
  expect((await api("PUT", `${M}/${number}/auto-merge`, {})).json.auto_merge).not.toBe(null);
  await eventually(async () => !["checking", "unknown"].includes((await record(number)).mergeable));
  const { id, head_sha: head } = await record(number);
  const passed = "update pipelines set status = 'success', finished_at = now() where sha = $1 returning id";
  await eventually(async () => (await query(passed, [head])).length > 0);
  const waiters =
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const blocked = (wanted: number) => eventually(async () => (await query(waiters)).length >= wanted);
  const tries = bed.server.container.collaboration.autoMergeTries;
  let cancelled: Promise<unknown> | undefined;
  let tried: Promise<unknown> | undefined;
  // Whoever cancels comes first to the lock; the try, which has begun before that is known, comes after it.
  await bed.server.container.platform.db.transaction(async (tx) => {
    await tx.query("select id from work_items where id = $1 for update", [id]);
    cancelled = api("DELETE", `${M}/${number}/auto-merge`);
    await blocked(1);
    await query("update merge_requests set draft = false where id = $1", [id]);
    await query("update merge_request_auto_merges set due_at = now() where merge_request_id = $1", [id]);
    tried = tries.tryDue(new AbortController().signal);
    await blocked(2);
  });
  await Promise.all([cancelled, tried]);
  expect(await record(number)).toMatchObject({ auto_merge: null, merge_queue: null });
});

it("lands in order, in batches, each merged in its own way by whoever added it", async () => {
  const { target } = await queued({ max_batch: 2 });
  const numbers: number[] = [];
  for (const name of ["a", "b", "c"])
    numbers.push(await propose(target, `in-${name}`, { [`${name}.txt`]: name }));
  const [one = 0, two = 0, three = 0] = numbers;
  await bed.together(target, async () => {
    await add(one, { strategy: "squash" });
    await add(two, { delete_source_branch: true }, bed.bob);
    await add(three, { strategy: "rebase" });
  });
  const tested = {
    settings: { max_batch: 2, max_wait_minutes: 60, parallel_batches: 1 },
    branches: [target],
    entries: [
      { number: one, position: 1, state: "testing" },
      { number: two, position: 2, state: "testing", queued_by: { username: "bob" } },
      { number: three, position: 3, state: "queued" },
    ],
    batch: {
      state: "testing",
      size: 2,
      base_sha: await tipOf(target),
      runs: [{ pipeline: ".forgeline.yml" }],
    },
  };
  // The server of the test looks by itself as well, and may be at it.
  await eventually(async () => {
    await look();
    expect(await show(target)).toMatchObject(tested);
    return true;
  });
  expect(await playAll(target)).toEqual([[one, two], [three]]);
  const [first, second] = [await record(one), await record(two)];
  expect(
    [first, second].map(({ state, merged_by: by, merge_strategy: way }) => [state, by.username, way]),
  ).toEqual([
    ["merged", "ada", "squash"],
    ["merged", "bob", "merge"],
  ]);
  expect(first.merge_sha).not.toBe(second.merge_sha);
  expect(await tipOf(target)).toBe((await record(three)).merge_sha);
  // What each has brought is its own, so reverting it takes no other one along.
  expect(second.base_sha).toBe(first.merge_sha);
  expect((await api("GET", `${R}/branches/in-b`)).status).toBe(404);
  expect((await api("GET", `${R}/branches/in-a`)).status).toBe(200);
  const [left] = await query("select count(*)::int as count from merge_queue_batches where branch = $1", [
    target,
  ]);
  expect(left).toEqual({ count: 0 });
});

it("finds the one of a batch that fails: it leaves with its run, and the others land", async () => {
  const { target } = await queued();
  const good = await propose(target, "good", { "good.txt": "1" });
  const bad = await propose(target, "bad", { "bad.txt": "1" });
  const late = await propose(target, "late", { "late.txt": "1" });
  await bed.addAll(target, [good, bad, late]);
  expect(await playAll(target)).toEqual([[good, bad, late], [good], [bad], [late]]);
  const states = await Promise.all([good, bad, late].map(async (number) => (await record(number)).state));
  expect(states).toEqual(["merged", "open", "merged"]);
  expect(await leftBecause(bad)).toMatch(/^\.forgeline\.yml has not passed .* \(run #\d+\)\.$/);
});

it("lets one go that conflicts with what is before it, and waits no longer than the rule says", async () => {
  const { target, rule } = await queued({ max_batch: 3, max_wait_minutes: 1 });
  const first = await propose(target, "left-side", { "same.txt": "left" });
  const second = await propose(target, "right-side", { "same.txt": "right" });
  await bed.addAll(target, [first, second]);
  await look();
  expect(await bed.numbersOf(target)).toEqual([first]);
  expect(await leftBecause(second)).toContain("Both branches changed the same lines");
  await query("update merge_queue_batches set created_at = now() - interval '2 minutes' where branch = $1", [
    target,
  ]);
  await look();
  expect(await leftBecause(first)).toContain("took longer than 1 minute (run #");
  await add(first);
  await api("PATCH", rule, { merge_queue: null });
  await look();
  expect(await leftBecause(first)).toBe("Its target branch has no merge queue any more.");
  expect((await api("PUT", `${M}/${first}/merge`, {})).json.state).toBe("merged");
});

it("tests anew where the branch, or one of what is tested, has moved", async () => {
  const { target, rule } = await queued({ max_batch: 3 });
  const one = await propose(target, "move-one", { "m1.txt": "1" });
  const two = await propose(target, "move-two", { "m2.txt": "1" });
  await bed.addAll(target, [one, two]);
  await look();
  const { batch: before } = await bed.end(target);
  // Somebody who may goes around the queue.
  await api("PATCH", rule, { merge_queue: null });
  bed.pushedByHand.add(await bed.put(target, "by-hand.txt", "1"));
  await api("PATCH", rule, { merge_queue: { max_batch: 3 } });
  await look();
  const { batch: anew } = await show(target);
  expect(anew?.base_sha).toBe(await tipOf(target));
  expect(anew?.sha).not.toBe(before?.sha);
  await bed.put("move-one", "m1.txt", "2");
  expect(await leftBecause(one)).toContain("Its source branch has moved");
  await look();
  expect(await bed.numbersOf(target)).toEqual([two]);
  const cancelled = await query("select cancel_reason from pipelines where sha = $1", [anew?.sha]);
  expect(cancelled).toEqual([{ cancel_reason: "merge_queue" }]);
  await api("PUT", `${M}/${two}/draft`, { draft: true });
  expect(await leftBecause(two)).toBe("It became a draft.");
  await api("PUT", `${M}/${two}/draft`, { draft: false });
  await bed.addAll(target, [two, one]);
  await playAll(target);
  expect([(await record(one)).state, (await record(two)).state]).toEqual(["merged", "merged"]);
});

it("goes on where a server died while it landed, before and after the branch had moved", async () => {
  const { target } = await queued();
  const one = await propose(target, "die-one", { "d1.txt": "1" });
  await add(one);
  await look();
  const { batch } = await bed.end(target);
  const [entry] = await query(
    "select merge_request_id, merge_sha from merge_queue_entries where number = $1",
    [one],
  );
  // As `begin` leaves it.
  await query("update merge_queue_batches set state = 'landing' where branch = $1", [target]);
  await query(
    `update merge_requests set merging_sha = $2, merging_tip = $3, merging_head_sha = head_sha, merging_strategy = 'merge',
       merging_by = $4, merging_at = now() where id = $1`,
    [entry?.["merge_request_id"], entry?.["merge_sha"], batch?.sha, bed.ada.id],
  );
  await look();
  expect((await show(target)).entries).toMatchObject([{ number: one, state: "landing" }]);
  expect((await api("DELETE", `${Q}/${one}`)).status).toBe(409);
  await query(
    "update merge_requests set merging_at = now() - interval '3 minutes' where merging_at is not null",
  );
  // It had not: it is tested again, and lands.
  expect(await playAll(target)).toEqual([[one]]);
  expect((await record(one)).state).toBe("merged");
});

it("is changed by those who may: who added it, the author, and Maintain", async () => {
  const { target } = await queued();
  const one = await propose(target, "may-one", { "o1.txt": "1" });
  const two = await propose(target, "may-two", { "o2.txt": "1" });
  // Before the server's own look.
  await api("PATCH", Q, { branch: target, paused: true });
  for (const number of [one, two]) await add(number);
  expect((await as(bed.bob)("DELETE", `${Q}/${one}`)).status).toBe(403);
  expect((await as(bed.bob)("PATCH", `${Q}/${two}`, { position: "first" })).status).toBe(403);
  expect((await as(bed.bob)("PATCH", Q, { branch: target, paused: true })).status).toBe(403);
  await look();
  expect(await show(target)).toMatchObject({ batch: null, paused_by: { username: "ada" } });
  expect((await api("PATCH", `${Q}/${two}`, { position: "first" })).json).toMatchObject({
    number: two,
    position: 1,
  });
  expect((await api("PATCH", Q, { branch: target, paused: false })).json.paused_at).toBeNull();
  expect(await bed.numbersOf(target)).toEqual([two, one]);
  expect((await api("DELETE", `${Q}/${one}`)).status).toBe(204);
  expect(await leftBecause(one)).toBe("@ada took it out.");
  expect((await api("DELETE", `${Q}/${one}`)).status).toBe(404);
  await api("POST", `${M}/${two}/close`);
  expect(await leftBecause(two)).toBe("It was closed.");
  expect((await api("PATCH", Q, { branch: "no-such", paused: true })).status).toBe(422);
});

it("lets nobody land who may not merge any more", async () => {
  const { target } = await queued();
  const one = await propose(target, "lost-one", { "l1.txt": "1" });
  await add(one, {}, bed.bob);
  await look();
  await bed.end(target);
  await api("PUT", `${R}/collaborators/bob`, { permission: "read" });
  await look();
  expect(await leftBecause(one)).toBe("Whoever added it may not merge here any more.");
  expect((await record(one)).state).toBe("open");
});
