/** Who is told of what is wanted of them, and of how it ends: reviews, runs of forks that wait, merges that were asked for. Once, and by mail. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { bringFromFork, commitWithoutRef } from "../../../support/fork-merge-requests.ts";
import { mailServer, type MailServer } from "../../../support/mail-server.ts";

let smtp: MailServer;
let server: ApiServer;
let repositoryId: string;
const people: Record<string, TestPerson> = {};
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const R = "/repos/acme/app";
const M = `${R}/merge-requests`;
const ofFork = "on: { merge_request: { paths: [fork.txt] } }\nimage: busybox\nsteps: ['true']\n";
const team = "/orgs/acme/teams/core/members";

const as = (name: string) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: people[name]!.token, ...(body === undefined ? {} : { body }) });
const ok = async (name: string, method: string, path: string, body?: unknown) => {
  const answer = await as(name)(method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
};
const sql = (text: string, params: unknown[] = []) => server.container.platform.db.query(text, params);
const { branch } = branchesOver((...request) => as("ada")(...request), R);

beforeAll(async () => {
  smtp = await mailServer();
  server = await startApiServer({
    env: { FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, FORGELINE_MAIL_FROM: "forge@example.com" },
  });
  for (const name of ["ada", "ben", "cat", "dan", "eve", "fay"]) {
    const { id } = (people[name] = await server.person(name));
    const email = `${name}@example.com`;
    const row = [newId("eml"), id, email];
    await sql("insert into user_emails (id, user_id, email, verified_at) values ($1, $2, $3, now())", row);
    await sql("update users set email = $2 where id = $1", [id, email]);
  }
  await ok("ada", "POST", "/orgs", { name: "acme" });
  await ok("ada", "POST", "/orgs/acme/teams", { name: "core", parent: null, visibility: "secret" });
  for (const name of ["ben", "cat", "dan"]) {
    await ok("ada", "PUT", `/orgs/acme/members/${name}`, {});
    await ok("ada", "PUT", `${team}/${name}`, { role: "member" });
  }
  await ok("ada", "PATCH", "/user/notification-settings", { auto_watch: false });
  const made = await ok("ada", "POST", "/repos", { name: "app", owner: "acme", private: true, readme: true });
  repositoryId = made.id;
  await ok("ada", "PUT", "/orgs/acme/teams/core/repos/app", { permission: "write" });
  const levels = { ben: "write", cat: "write", dan: "write", eve: "read", fay: "read" };
  for (const [name, permission] of Object.entries(levels))
    await ok("ada", "PUT", `${R}/collaborators/${name}`, { permission });
  const { put } = branchesOver((...request) => as("ada")(...request), R);
  await put("main", "CODEOWNERS", "/owned/ @acme/core @dan @cat\n");
  await put("main", ".forgeline/one.yml", ofFork);
  await put("main", ".forgeline/two.yml", ofFork);
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await server?.stop();
  smtp?.server.close();
});
beforeEach(() => void smtp.taken.splice(0));

/** When all that happened is told, and its mails are sent. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const [left] = await sql(
      `select (select count(*) from tellings) + (select count(*) from events e, event_followers f where f.name = 'notifications'
          and e.position > f.position) + (select count(*) from notification_mails where mail_id is null)
          + (select count(*) from mails where kind = 'notification' and sent_at is null) as left`,
    );
    if (Number(left?.["left"]) > 0)
      await server.container.platform.db.transaction((tx) => tx.notify("mail", ""));
    return Number(left?.["left"]) === 0;
  });
}
async function entry(name: string, number: number, query = ""): Promise<Notification | undefined> {
  await settled();
  const all = (await ok(name, "GET", `/notifications${query}`)) as Notification[];
  return all.find(({ subject }) => subject.number === number);
}
/** First lines of the mails that this person got, since the last time. */
async function mailsTo(name: string): Promise<string[]> {
  await settled();
  const own = smtp.taken.filter((mail) => mail.includes(`To: ${name}@example.com`));
  for (const mail of own) smtp.taken.splice(smtp.taken.indexOf(mail), 1);
  const plain = own.map((mail) => mail.replaceAll("=\n", "").split(/Content-Type: text\/plain[^]*?\n\n/)[1]);
  return plain.map((mail) => mail?.split("\n")[0] ?? "");
}
const propose = async (name: string, source: string, more: object = {}): Promise<number> => {
  const answer = await ok(name, "POST", M, { title: source, source_branch: source, ...more });
  return answer.number;
};
const compared = (number: number) =>
  eventually(async () => (await ok("ada", "GET", `${M}/${number}`)).mergeable !== "checking");
const asked = (number: number, count: number) =>
  eventually(async () => (await ok("ada", "GET", `${M}/${number}/reviewers`)).length === count);

test("teams and code owners are told once of a request for review, whatever leads to them; asking again tells those who were not told just now", async () => {
  await branch("owned", { "owned/a.txt": "1" });
  await ok("dan", "PUT", `${R}/subscription`, { level: "watching" });
  // Ben is the author, and in the team that owns the code.
  const number = await propose("ben", "owned", { draft: true });
  await compared(number);
  await ok("cat", "POST", `${M}/${number}/reviews`, { event: "comment", body: "Seen." });
  expect(await mailsTo("dan")).toEqual([
    "ben opened this merge request.",
    "cat reviewed this merge request:",
  ]);
  await mailsTo("ben");
  await ok("ben", "PUT", `${M}/${number}/draft`, { draft: false });
  await asked(number, 3);
  // By name, by the team, and watching: one message.
  expect(await mailsTo("dan")).toEqual(["Your review of this merge request is requested."]);
  expect(await entry("dan", number)).toMatchObject({ reason: "review_requested", event: "review_requested" });
  // Cat has reviewed this very commit; ben proposed it.
  expect([await mailsTo("cat"), await mailsTo("ben")]).toEqual([[], []]);
  await ok("ben", "PUT", `${M}/${number}/reviewers`, { again: ["cat", "dan"] });
  expect([await mailsTo("dan"), await mailsTo("cat")]).toEqual([[], ["ben asked for your review."]]);
  expect((await ok("ada", "GET", `${M}/${number}/reviewers`)).map(stateOf)).toContainEqual([
    "cat",
    "waiting",
  ]);
  await ok("ada", "PUT", `${M}/${number}/reviewers`, { teams: ["acme/core"], reviewers: ["dan", "ada"] });
  expect(await Promise.all(["dan", "cat", "ben", "ada"].map(mailsTo))).toEqual([[], [], [], []]);
  const unknown = await as("ben")("PUT", `${M}/${number}/reviewers`, { again: ["fay", "nobody"] });
  expect([unknown.status, unknown.json.errors[0].field]).toEqual([422, "again"]);
  await ok("dan", "DELETE", `${R}/subscription`);
});

const stateOf = ({ user, state }: { user: { username: string } | null; state: string }) => [
  user?.username ?? null,
  state,
];

test("texts of reviews name people and issues as comments do", async () => {
  await branch("named", { "named.txt": "1" });
  const number = await propose("ada", "named");
  const issue = await ok("ada", "POST", `${R}/issues`, { title: "Lights flicker" });
  const other = await ok("ada", "POST", `${R}/issues`, { title: "Doors stick" });
  const at = `${M}/${number}/reviews`;
  const { id } = await ok("ben", "POST", at, { event: "comment", body: `@cat, see #${issue.number}.` });
  expect(await mailsTo("cat")).toEqual(["ben reviewed this merge request:"]);
  expect(await entry("cat", number)).toMatchObject({ reason: "mention", event: "reviewed" });
  const text = `@cat and @dan, see #${issue.number} and #${other.number}.`;
  await ok("ben", "PATCH", `${at}/${id}`, { body: text });
  expect([await mailsTo("cat"), await mailsTo("dan")]).toEqual([[], ["ben mentioned you:"]]);
  for (const { number: named } of [issue, other])
    expect(await ok("ada", "GET", `${R}/issues/${named}/timeline`)).toMatchObject([
      { kind: "referenced", actor: { username: "ben" }, source: { number } },
    ]);
});

test("whoever asked for a merge is told once how that ends, and not of what they did themselves", async () => {
  const rule = { pattern: "guarded", push_level: "write", required_approvals: 1 };
  await ok("ada", "POST", `${R}/branches`, { name: "guarded", ref: "main" });
  await ok("ada", "POST", `${R}/branch-protections`, rule);
  const head = await branch("later", { "later.txt": "1" });
  const number = await propose("ada", "later", { target_branch: "guarded" });
  await compared(number);
  const enable = () => ok("ben", "PUT", `${M}/${number}/auto-merge`, {});
  await enable();
  await ok("ben", "DELETE", `${M}/${number}/auto-merge`);
  expect(await mailsTo("ben")).toEqual([]);
  await mailsTo("ada");
  await enable();
  await ok("ada", "DELETE", `${M}/${number}/auto-merge`);
  const cancelled = "This merge request is not merged by itself any more: ada cancelled it.";
  expect([await mailsTo("ben"), await mailsTo("ada")]).toEqual([[cancelled], []]);
  expect(await entry("ben", number)).toMatchObject({
    reason: "auto_merge",
    event: "auto_merge_disabled",
    because: "ada cancelled it",
  });
  await enable();
  await ok("cat", "POST", `${M}/${number}/close`);
  const closed = ["cat closed this merge request."];
  expect([await mailsTo("ben"), await mailsTo("ada")]).toEqual([closed, closed]);
  await ok("cat", "POST", `${M}/${number}/reopen`);
  await compared(number);
  await enable();
  await ok("dan", "POST", `${M}/${number}/reviews`, { event: "approve", commit_sha: head });
  await eventually(async () => (await ok("ada", "GET", `${M}/${number}`)).state === "merged");
  expect(await mailsTo("ben")).toEqual(["This merge request was merged, as you had asked."]);
  expect((await mailsTo("ada")).at(-1)).toBe("ben merged this merge request.");
});

test("whoever put a merge request into the queue is told once how that ends", async () => {
  const queue = { max_batch: 1, max_wait_minutes: 5 };
  await ok("ada", "POST", `${R}/branches`, { name: "queued", ref: "main" });
  await ok("ada", "POST", `${R}/branch-protections`, { pattern: "queued", merge_queue: queue });
  await branch("in-queue", { "queue.txt": "1" });
  const number = await propose("ada", "in-queue", { target_branch: "queued" });
  await compared(number);
  await mailsTo("ada");
  const add = () => ok("cat", "POST", `${R}/merge-queue`, { number });
  await ok("ada", "PATCH", `${R}/merge-queue`, { branch: "queued", paused: true });
  await add();
  await ok("ada", "DELETE", `${R}/merge-queue/${number}`);
  expect(await mailsTo("cat")).toEqual(["This merge request left the merge queue: @ada took it out."]);
  await add();
  await ok("ada", "POST", `${M}/${number}/close`);
  expect(await mailsTo("cat")).toEqual(["ada closed this merge request."]);
  expect(await mailsTo("ada")).toEqual([]);
  await ok("ada", "POST", `${M}/${number}/reopen`);
  await compared(number);
  await add();
  await ok("ada", "PATCH", `${R}/merge-queue`, { branch: "queued", paused: false });
  await eventually(async () => {
    await sql("update merge_queues set due_at = now(), wanted = wanted + 1");
    await server.container.collaboration.mergeQueueAdvance.advanceDue(new AbortController().signal);
    return (await ok("ada", "GET", `${M}/${number}`)).state === "merged";
  });
  expect(await mailsTo("cat")).toEqual(["This merge request was merged, as you had asked."]);
  expect(await entry("cat", number)).toMatchObject({ reason: "auto_merge", event: "merged" });
});

/** A merge request that comes from eve's fork, whose runs have been made. */
async function fromFork(number: number, head: string): Promise<string[]> {
  await bringFromFork(server, { repositoryId, number, head, forkId, userId: people["eve"]!.id });
  await eventually(async () => {
    await server.container.pipelines.mergeRequestRuns.makeDue(new AbortController().signal);
    const due =
      "select 1 from merge_request_subjects where number = $1 and repository_id = $2 and due_at is not null";
    return (await sql(due, [number, repositoryId])).length === 0;
  });
  const runs: Run[] = await ok("ada", "GET", `${R}/pipelines?status=awaiting_approval`);
  return runs.filter(({ sha }) => sha === head).map(({ id }) => id);
}
let forkId = "";
type Run = Record<"id" | "sha", string>;

test("runs of a fork are told to those who look after them, until somebody decides or the time is over", async () => {
  forkId = (await ok("eve", "POST", "/repos", { name: "app", readme: true })).id;
  for (const name of ["ben", "fay"]) await ok(name, "PUT", `${R}/subscription`, { level: "watching" });
  const first = await branch("fork", { "fork.txt": "1" });
  const number = await propose("ada", "fork");
  await ok("ada", "PUT", `${M}/${number}/reviewers`, { reviewers: ["dan"] });
  await settled();
  smtp.taken.splice(0);
  const next = (text: string) =>
    commitWithoutRef(server, repositoryId, { parent: first, files: { "fork.txt": text } });
  const decide = (name: string, run: string, decision: string) =>
    ok(name, "POST", `${R}/pipelines/${run}/approvals`, { decision });
  const runs = await fromFork(number, await next("2"));
  expect(runs).toHaveLength(2);
  // Two runs, one message: to who watches and may, and to who is asked for a review; not to all with Write.
  const waiting = [`Waiting for your approval: run of !${number} by eve.`];
  expect([await mailsTo("ben"), await mailsTo("dan")]).toEqual([waiting, waiting]);
  expect([await mailsTo("cat"), await mailsTo("fay"), await mailsTo("ada")]).toEqual([[], [], []]);
  const awaited = "?reason=approval_requested";
  expect(await entry("dan", number, awaited)).toMatchObject({ event: "approval_requested", unread: true });
  await decide("dan", runs[0]!, "approve");
  expect(await entry("ben", number, awaited)).toMatchObject({ done: false });
  await decide("dan", runs[1]!, "approve");
  expect(await entry("dan", number, awaited)).toBeUndefined();
  // He had not read that it was opened; she asked him for a review.
  expect(await entry("ben", number)).toMatchObject({ reason: "watching", event: "opened", unread: true });
  expect(await entry("dan", number)).toMatchObject({ reason: "review_requested", unread: true });

  await ok("ben", "PUT", "/notifications", { read: true });
  const again = await fromFork(number, await next("3"));
  expect(await entry("ben", number, awaited)).toMatchObject({ unread: true });
  // Ben has not looked meanwhile: his inbox says it already, and no mail says it once more.
  smtp.taken.splice(0);
  again.push(...(await fromFork(number, await next("3 and more"))));
  expect([await mailsTo("ben"), await mailsTo("dan")]).toEqual([[], []]);
  for (const run of again.slice(-2)) await decide("dan", run, "reject");
  expect(await entry("ben", number)).toBeUndefined();
  const done = await entry("ben", number, "?done=true");
  expect(done).toMatchObject({ reason: "approval_requested", unread: false });
  expect(await entry("eve", number)).toMatchObject({ reason: "author", event: "approval_rejected" });

  smtp.taken.splice(0);
  const [late] = await fromFork(number, await next("4"));
  await sql("update pipelines set created_at = now() - interval '29 days' where needs_approval");
  const expire = () =>
    server.container.pipelines.forkExpiry.upkeepTasks[0]!.run(new AbortController().signal);
  await expire();
  expect((await ok("ada", "GET", `${R}/pipelines/${late}`)).status).toBe("awaiting_approval");
  await sql("update pipelines set created_at = now() - interval '31 days' where needs_approval");
  await expire();
  expect(await ok("ada", "GET", `${R}/pipelines/${late}`)).toMatchObject({
    status: "cancelled",
    reason: "approval_expired",
  });
  // Both of its runs, with one message.
  const expired = expect.stringMatching(/^Nobody approved the run of this merge request in time/);
  expect(await mailsTo("eve")).toEqual([expired]);
  expect(await entry("dan", number, awaited)).toBeUndefined();
  const tooLate = await as("dan")("POST", `${R}/pipelines/${late}/approvals`, { decision: "approve" });
  expect(tooLate.status).toBe(409);
});
