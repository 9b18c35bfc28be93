/** The inbox over REST: who is told of what, once, why, and never of what they cannot read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Notification } from "@forgeline/schemas/notifications/resource.ts";
import { createNotificationFollower } from "@forgeline/server/domains/automation/notifications/follower.ts";
import { planMails } from "@forgeline/server/domains/collaboration/notification-mails/plan-mails.ts";
import { createNotificationTeller } from "@forgeline/server/domains/collaboration/notifications/teller.ts";
import { createRouteTeams } from "@forgeline/server/domains/collaboration/team-routing/route-news.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let cat: TestPerson;
let dan: TestPerson;
let following: Promise<unknown> | undefined;
let stopping = new AbortController();
const at = "/repos/acme/app";
const issues = `${at}/issues`;

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const ok = async (person: TestPerson, method: string, path: string, body?: unknown) => {
  const answer = await send(person, method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json;
};

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  ben = await server.person("ben");
  cat = await server.person("cat");
  dan = await server.person("dan");
  await ok(ada, "POST", "/orgs", { name: "acme" });
  for (const name of ["ben", "cat"]) await ok(ada, "PUT", `/orgs/acme/members/${name}`, {});
  await ok(ada, "POST", "/orgs/acme/teams", { name: "core", parent: null, visibility: "visible" });
  await ok(ada, "POST", "/orgs/acme/teams", { name: "inner", parent: "core", visibility: "visible" });
  await ok(ada, "POST", "/orgs/acme/teams", { name: "hidden", parent: null, visibility: "secret" });
  await ok(ada, "PUT", "/orgs/acme/teams/core/inner/members/cat", { role: "member" });
  await ok(ada, "PUT", "/orgs/acme/teams/hidden/members/cat", { role: "member" });
  await ok(ada, "POST", "/repos", { name: "app", owner: "acme", private: true });
  for (const name of ["ben", "cat", "dan"])
    await ok(ada, "PUT", `${at}/collaborators/${name}`, { permission: "triage" });
  follow();
});
afterAll(async () => {
  await unfollow();
  await server?.stop();
});

function follow() {
  stopping = new AbortController();
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
}
async function unfollow() {
  stopping.abort();
  await following;
}

/** When all that happened has been told. */
async function inbox(person: TestPerson, query = ""): Promise<Notification[]> {
  await eventually(async () => {
    const { db } = server.container.platform;
    const left = await db.one(
      "select (select count(*) from tellings) + (select count(*) from events e, event_followers f where f.name = 'notifications' and e.position > f.position) as left",
    );
    return Number(left?.["left"]) === 0;
  });
  return (await ok(person, "GET", `/notifications${query}`)) as Notification[];
}
const reasons = async (person: TestPerson, number: number) =>
  (await inbox(person)).filter(({ subject }) => subject.number === number).map(({ reason }) => reason);
const openIssue = async (person: TestPerson, body: object) =>
  ((await ok(person, "POST", issues, { title: "Lights flicker", ...body })) as { number: number }).number;
const comment = (person: TestPerson, number: number, body: string) =>
  ok(person, "POST", `${issues}/${number}/comments`, { body }) as Promise<{ id: string }>;

test("everyone is told once, with the strongest reason, and nobody of what they did", async () => {
  const body = "@ben, @ben again, and @acme/core: see it, @ada. `@dan`";
  const number = await openIssue(ada, { body, assignees: ["ben", "dan"] });
  expect(await reasons(ada, number)).toEqual([]);
  expect(await reasons(ben, number)).toEqual(["mention"]);
  expect(await reasons(cat, number)).toEqual(["team_mention"]);
  expect(await reasons(dan, number)).toEqual(["assign"]);
  const [entry] = await inbox(ben);
  expect(entry).toMatchObject({
    subject: { type: "issue", number, title: "Lights flicker", state: "open" },
    repository: { full_name: "acme/app" },
    event: "opened",
    actor: { username: "ada" },
    unread: true,
    new_events: 1,
  });
  await comment(dan, number, "Here too.");
  expect(await reasons(ada, number)).toEqual(["author"]);
  // What named him is still unread.
  expect((await inbox(ben))[0]).toMatchObject({ id: entry?.id, reason: "mention", new_events: 2 });
  // A team's mention is for that time.
  expect((await inbox(cat))[0]).toMatchObject({ reason: "team_mention", new_events: 1 });
  await ok(ben, "PATCH", `/notifications/${entry?.id}`, { done: true });
  expect(await reasons(ben, number)).toEqual([]);
  await ok(dan, "PATCH", `${issues}/${number}`, { state: "closed" });
  expect((await inbox(ben))[0]).toMatchObject({
    id: entry?.id,
    reason: "assign",
    event: "closed",
    new_events: 1,
  });
});

test("an edit tells those whom it newly names and assigns, and nobody else", async () => {
  const number = await openIssue(ada, { body: "@ben" });
  const first = (await inbox(ben))[0];
  await ok(ada, "PATCH", `${issues}/${number}`, { body: "@ben and @cat", title: "Lights flicker again" });
  await ok(ada, "PATCH", `${issues}/${number}`, { assignees: ["dan"] });
  expect(await reasons(cat, number)).toEqual(["mention"]);
  expect(await reasons(dan, number)).toEqual(["assign"]);
  expect((await inbox(ben))[0]).toMatchObject({ updated_at: first?.updated_at, new_events: 1 });
  const { id } = await comment(dan, number, "Hm.");
  await ok(cat, "PUT", "/notifications", { read: true });
  await ok(dan, "PATCH", `${at}/comments/${id}`, { body: "Hm, @cat." });
  expect((await inbox(cat))[0]).toMatchObject({ reason: "mention", event: "edited", unread: true });
});

test("watching, muting and subscribing decide what is told", async () => {
  const subscription = `${at}/subscription`;
  expect(await ok(cat, "GET", subscription)).toEqual({ level: "participating", events: [] });
  await ok(cat, "PUT", subscription, { level: "custom", events: ["issues"] });
  const first = await openIssue(ada, {});
  expect(await reasons(cat, first)).toEqual(["watching"]);
  expect(await ok(cat, "GET", subscription)).toEqual({ level: "custom", events: ["issues"] });
  await ok(cat, "PUT", subscription, { level: "custom", events: ["merge_requests"] });
  await ok(ben, "PUT", subscription, { level: "muted" });
  const second = await openIssue(ada, { body: "@ben and @acme/core", assignees: ["ben"] });
  expect(await reasons(ben, second)).toEqual([]);
  expect(await reasons(cat, second)).toEqual(["team_mention"]);
  for (const person of [ben, cat]) await ok(person, "DELETE", subscription);
  const one = `${issues}/${second}/subscription`;
  expect(await ok(dan, "GET", one)).toEqual({
    subscribed: false,
    reason: null,
    muted: null,
    notification: null,
  });
  expect(await ok(dan, "PUT", one)).toMatchObject({ subscribed: true, reason: "manual" });
  await comment(ada, second, "Any news?");
  expect(await reasons(dan, second)).toEqual(["subscribed"]);
  await ok(dan, "PUT", "/notifications", { read: true, repository: "ACME/app" });
  await ok(dan, "DELETE", one);
  await comment(ada, second, "Nothing?");
  expect((await inbox(dan))[0]?.unread).toBe(false);
  await comment(ada, second, "@dan");
  expect((await inbox(dan))[0]).toMatchObject({ unread: true, reason: "mention" });
  expect((await send(dan, "GET", `${issues}/9999/subscription`)).status).toBe(404);
});

test("whoever cannot read it is not told, and what they were told of disappears", async () => {
  const eve = await server.person("eve");
  const number = await openIssue(ada, { body: "@eve" });
  expect(await inbox(eve)).toEqual([]);
  await ok(ada, "PUT", `${at}/collaborators/eve`, { permission: "read" });
  await comment(ada, number, "@eve");
  const [entry] = await inbox(eve);
  expect(await ok(eve, "GET", "/notifications/count")).toEqual({ unread: 1 });
  await ok(ada, "DELETE", `${at}/collaborators/eve`);
  expect(await inbox(eve)).toEqual([]);
  expect(await ok(eve, "GET", "/notifications/count")).toEqual({ unread: 0 });
  expect((await send(eve, "GET", `/notifications/${entry?.id}`)).status).toBe(404);
  expect((await send(eve, "PATCH", `/notifications/${entry?.id}`, { saved: true })).status).toBe(404);
  const token = await server.tokenFor(ben, ["user:read"]);
  expect((await server.api("GET", "/notifications", { token })).json).toEqual([]);
});

test("a secret team that its author may not see tells nobody", async () => {
  const number = await openIssue(dan, { body: "@acme/hidden" });
  await comment(ben, number, "@acme/hidden and @acme/core/inner");
  expect(await reasons(cat, number)).toEqual(["team_mention"]);
  const second = await openIssue(ben, { body: "@acme/hidden" });
  expect(await reasons(cat, second)).toEqual([]);
  const third = await openIssue(ada, { body: "@acme/hidden" });
  expect(await reasons(cat, third)).toEqual(["team_mention"]);
});

test("filters, saved and done", async () => {
  const [newest, other] = await inbox(cat);
  await ok(cat, "PATCH", `/notifications/${newest?.id}`, { saved: true, done: true });
  await ok(cat, "PATCH", `/notifications/${other?.id}`, { unread: false });
  const ids = async (query: string) => (await inbox(cat, query)).map(({ id }) => id);
  expect(await ids("?saved=true")).toEqual([newest?.id]);
  expect(await ids("?done=true")).toEqual([newest?.id]);
  expect(await ids("?unread=true")).not.toContain(other?.id);
  expect(await ids("?repository=acme/none")).toEqual([]);
  expect((await inbox(cat, "?reason=mention")).every(({ reason }) => reason === "mention")).toBe(true);
  await ok(cat, "PATCH", `/notifications/${newest?.id}`, { unread: true });
  expect(await ids("")).toContain(newest?.id);
  const before = await ids("?unread=true");
  await ok(cat, "PUT", "/notifications", { read: true, last_read_at: "2020-01-01T00:00:00Z" });
  expect(await ids("?unread=true")).toEqual(before);
  await ok(cat, "PUT", "/notifications", { read: true });
  expect(await ids("?unread=true")).toEqual([]);
});

test("whoever is asked for a review is told, and the author of what was said", async () => {
  const { db } = server.container.platform;
  const review = { id: "rev_1", merge_request_id: "mr_1", body: "Well done, @ben." };
  const proposed = { id: "mr_1", body: "", assignees: [] };
  await db.query(
    `insert into work_items (id, repository_id, number, kind, title, author_id)
     select 'mr_1', id, 9000, 'merge_request', 'Brighter lights', $1 from repositories where name = 'app'`,
    [ada.id],
  );
  const record = (by: TestPerson, kind: string, [action, subject]: [string, object]) =>
    db.transaction(async (tx) => {
      await tx.query(
        `insert into events (kind, action, repository_id, sender, subject)
         select $1, $2, id, user_snapshot($3), $4::jsonb from repositories where name = 'app'`,
        [kind, action, by.id, JSON.stringify(subject)],
      );
      await tx.notify("event", "");
    });
  const asked = { merge_request: { ...proposed, reviewers: [{ id: dan.id }] } };
  await record(ada, "merge_request", ["edited", asked]);
  expect(await reasons(dan, 9000)).toEqual(["review_requested"]);
  const both = { merge_request: { ...proposed, reviewers: [{ id: dan.id }, { id: cat.id }] } };
  await record(cat, "merge_request_review", ["submitted", { ...both, review }]);
  expect((await inbox(ada))[0]).toMatchObject({
    subject: { number: 9000 },
    event: "reviewed",
    reason: "author",
  });
  expect(await reasons(ben, 9000)).toEqual(["mention"]);
  // Who reviewed it unasked is not asked by the next change.
  await record(ada, "merge_request", ["edited", both]);
  expect(await reasons(cat, 9000)).toEqual([]);
  expect(await ok(cat, "GET", `${at}/merge-requests/9000/subscription`)).toMatchObject({
    reason: "review_requested",
  });
});

test("what tells many stops anywhere, and goes on where it was: nobody is told twice or forgotten", async () => {
  const { db, logger } = server.container.platform;
  await inbox(ada);
  await unfollow();
  const names = Array.from({ length: 9 }, (_, index) => `fan${index}`);
  const fans = await Promise.all(names.map((name) => server.person(name)));
  for (const table of ["collaborators (permission,", "repository_subscriptions (level,"])
    await db.query(
      `insert into ${table} repository_id, user_id)
       select $1, r.id, u.id from repositories r, users u where r.name = 'app' and u.username like 'fan%'`,
      [table.startsWith("coll") ? "read" : "watching"],
    );
  const number = await openIssue(ada, {});
  const told: string[] = [];
  const pausing = new AbortController();
  const metrics = { told: (reason: string) => void told.push(reason) };
  const parts = { logger, batch: 2, metrics, planMails, routeTeams: createRouteTeams({ sends: true }) };
  await takeOnly(createNotificationTeller({ ...parts, db }));
  // One stops between two batches; the next dies in a transaction, when all of it is written.
  const stopsSoon = { told: (reason: string) => (told.push(reason), pausing.abort()) };
  await createNotificationTeller({ ...parts, db, metrics: stopsSoon }).tellDue(pausing.signal);
  expect(told).toHaveLength(2);
  const dying: typeof db = {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        if (result !== undefined) throw new Error("the database is gone");
        return result;
      }, options),
  };
  await createNotificationTeller({ ...parts, db: dying }).tellDue(new AbortController().signal);
  expect(told).toHaveLength(2);
  await db.query("update tellings set due_at = now()");
  await createNotificationTeller({ ...parts, db }).tellDue(new AbortController().signal);
  expect(told).toEqual(names.map(() => "watching"));
  for (const fan of fans)
    expect(await ok(fan, "GET", "/notifications")).toMatchObject([{ subject: { number }, new_events: 1 }]);
  follow();
});

/** Until it is written down whom there is to tell. */
async function takeOnly({ take }: ReturnType<typeof createNotificationTeller>) {
  const { db, logger } = server.container.platform;
  const done = new AbortController();
  const tellDue = () => Promise.resolve(done.abort());
  await createNotificationFollower({ db, logger, teller: { take, tellDue } }).run(done.signal);
}
