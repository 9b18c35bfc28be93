/** Discussions of teams over REST: who sees, starts and answers them, threads, pins, locks, and secret teams that leave no trace. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Discussion, DiscussionReply } from "@forgeline/schemas/discussions/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
/** Owns the organization; maintains the team; is in it; in a team nested in it; in the organization alone; in nothing. */
const names = ["olga", "mary", "tom", "nina", "ben", "eve"] as const;
let people: Record<(typeof names)[number], TestPerson>;
const board = "/orgs/acme/teams/core/discussions";
beforeAll(async () => {
  server = await startApiServer();
  const made = await Promise.all(names.map(async (name) => [name, await server.person(name)] as const));
  people = Object.fromEntries(made) as typeof people;
  await send("olga", "POST", "/orgs", { name: "acme" });
  for (const name of ["mary", "tom", "nina", "ben"] as const) {
    const invited = await send("olga", "POST", "/orgs/acme/invitations", { username: name });
    await send(name, "POST", `/user/invitations/${invited.json.id}/accept`);
  }
  await send("olga", "POST", "/orgs/acme/teams", { name: "core" });
  await send("olga", "POST", "/orgs/acme/teams", { name: "nested", parent: "core" });
  await send("olga", "POST", "/orgs/acme/teams", { name: "hidden", visibility: "secret" });
  await send("olga", "PUT", "/orgs/acme/teams/core/members/mary", { role: "maintainer" });
  await send("olga", "PUT", "/orgs/acme/teams/core/members/tom");
  await send("olga", "PUT", "/orgs/acme/teams/core%2Fnested/members/nina");
});
afterAll(() => server?.stop());

const send = (name: (typeof names)[number], method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: people[name].token, ...(body === undefined ? {} : { body }) });
async function start(name: (typeof names)[number], body: object): Promise<Discussion> {
  const answer = await send(name, "POST", board, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json as Discussion;
}
async function reply(name: (typeof names)[number], number: number, body: object): Promise<DiscussionReply> {
  const answer = await send(name, "POST", `${board}/${number}/replies`, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json as DiscussionReply;
}
const statuses = async (path: string) =>
  Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await send(name, "GET", path)).status])),
  );
const numbers = async (name: (typeof names)[number]) =>
  ((await send(name, "GET", board)).json as Discussion[]).map(({ number }) => number);

test("the team writes, the organization reads, and others see nothing", async () => {
  const one = await start("tom", { title: " On call ", body: "Who is **free**?" });
  expect(one).toMatchObject({
    number: 1,
    team: "acme/core",
    title: "On call",
    body: "Who is **free**?",
    author: { username: "tom" },
    private: false,
    pinned: false,
    locked: false,
    replies_count: 0,
    edited_at: null,
    viewer_may: { reply: true, edit: true, moderate: false, delete: true },
  });
  expect(one.web_url).toMatch(/\/orgs\/acme\/teams\/core\/discussions\/1$/);
  expect((await start("nina", { title: "From a nested team" })).number).toBe(2);
  const refused = await send("ben", "POST", board, { title: "Let me in" });
  expect([refused.status, refused.json.message]).toEqual([
    403,
    "Only those who belong to the team write here.",
  ]);
  expect(await statuses(`${board}/1`)).toEqual({
    olga: 200,
    mary: 200,
    tom: 200,
    nina: 200,
    ben: 200,
    eve: 404,
  });
  expect((await send("ben", "GET", `${board}/1`)).json.viewer_may).toEqual({
    reply: false,
    edit: false,
    moderate: false,
    delete: false,
  });
  const withSlash = "/orgs/acme/teams/core/nested/discussions";
  expect((await send("nina", "POST", withSlash, { title: "Nested" })).json.url).toMatch(
    /\/orgs\/acme\/teams\/core\/nested\/discussions\/1$/,
  );
  expect((await send("olga", "POST", "/orgs/acme/teams", { name: "discussions" })).status).toBe(422);
});

test("a private one is for the team, and for nobody else is there anything", async () => {
  const { number } = await start("tom", { title: "Salaries", private: true });
  expect(await statuses(`${board}/${number}`)).toEqual({
    olga: 200,
    mary: 200,
    tom: 200,
    nina: 200,
    ben: 404,
    eve: 404,
  });
  expect((await send("ben", "GET", `${board}/${number}/replies`)).status).toBe(404);
  expect((await send("ben", "DELETE", `${board}/${number}`)).status).toBe(404);
  expect(await numbers("ben")).not.toContain(number);
  expect((await send("ben", "GET", board)).headers["x-total-count"]).toBe(
    String((await numbers("ben")).length),
  );
  expect(await numbers("nina")).toContain(number);
});

test("a secret team has no board for those who do not see it", async () => {
  const hidden = "/orgs/acme/teams/hidden/discussions";
  expect((await send("olga", "POST", hidden, { title: "Layoffs" })).status).toBe(201);
  const none = await send("tom", "GET", "/orgs/acme/teams/none/discussions/1");
  const { status, json } = await send("tom", "GET", `${hidden}/1`);
  expect([status, json.message]).toEqual([404, none.json.message]);
  expect((await send("tom", "POST", hidden, { title: "x" })).status).toBe(404);
});

test("replies stand in threads of one level", async () => {
  const { number } = await start("tom", { title: "Threads" });
  const first = await reply("mary", number, { body: "First" });
  const second = await reply("tom", number, { body: "Second" });
  const below = await reply("nina", number, { body: "To the first", reply_to: first.id });
  const deeper = await reply("tom", number, { body: "To nina", reply_to: below.id });
  expect([below.reply_to, deeper.reply_to]).toEqual([first.id, first.id]);
  const list = async () =>
    ((await send("ben", "GET", `${board}/${number}/replies`)).json as DiscussionReply[]).map(
      ({ body }) => body,
    );
  expect(await list()).toEqual(["First", "To the first", "To nina", "Second"]);
  const elsewhere = await start("tom", { title: "Elsewhere" });
  const wrong = await send("tom", "POST", `${board}/${elsewhere.number}/replies`, {
    body: "x",
    reply_to: first.id,
  });
  expect([wrong.status, wrong.json.errors]).toMatchObject([422, [{ field: "reply_to", code: "unknown" }]]);
  expect((await send("tom", "GET", `${board}/${elsewhere.number}/replies/${first.id}`)).status).toBe(404);
  const of = (id: string) => `${board}/${number}/replies/${id}`;
  expect((await send("mary", "PATCH", of(second.id), { body: "Mine" })).status).toBe(403);
  expect((await send("tom", "PATCH", of(second.id), { body: "Last" })).json).toMatchObject({
    body: "Last",
    edited_at: expect.any(String),
  });
  expect((await send("nina", "DELETE", of(first.id))).status).toBe(403);
  // What answered it stays.
  expect((await send("mary", "DELETE", of(first.id))).status).toBe(204);
  expect(await list()).toEqual(["Last", "To the first", "To nina"]);
  expect((await send("tom", "GET", `${board}/${number}`)).json).toMatchObject({ replies_count: 3 });
});

test("those who manage the team pin, lock and delete; the author edits", async () => {
  const { number } = await start("tom", { title: "Order" });
  const one = `${board}/${number}`;
  expect((await send("mary", "PATCH", one, { title: "Mine" })).status).toBe(403);
  expect((await send("tom", "PATCH", one, { title: "Order!" })).json).toMatchObject({
    title: "Order!",
    body: "",
  });
  expect((await send("tom", "PUT", `${one}/pin`)).status).toBe(403);
  await start("nina", { title: "Newer" });
  expect((await send("mary", "PUT", `${one}/pin`)).status).toBe(204);
  expect((await numbers("ben"))[0]).toBe(number);
  const others = [];
  for (let count = 0; count < 5; count += 1) others.push((await start("tom", { title: "Pin" })).number);
  for (const other of others) expect((await send("mary", "PUT", `${board}/${other}/pin`)).status).toBe(204);
  const more = await start("tom", { title: "One too many" });
  expect((await send("mary", "PUT", `${board}/${more.number}/pin`)).status).toBe(409);
  expect((await send("mary", "DELETE", `${one}/pin`)).status).toBe(204);
  expect((await send("mary", "PUT", `${one}/lock`)).status).toBe(204);
  const locked = await send("tom", "POST", `${one}/replies`, { body: "But" });
  expect([locked.status, locked.json.message]).toMatchObject([403, expect.stringContaining("locked")]);
  expect((await reply("mary", number, { body: "That is all." })).author?.username).toBe("mary");
  expect((await send("mary", "DELETE", `${one}/lock`)).status).toBe(204);
  expect((await send("nina", "DELETE", one)).status).toBe(403);
  expect((await send("mary", "DELETE", one)).status).toBe(204);
  expect((await send("mary", "GET", one)).status).toBe(404);
  const log = await send("olga", "GET", "/orgs/acme/audit-log?action=discussion.*");
  expect((log.json as { action: string }[]).map(({ action }) => action)).toEqual(["discussion.delete"]);
  // Who leaves the team keeps no right to what they wrote.
  await send("olga", "DELETE", "/orgs/acme/teams/core/members/tom");
  expect((await send("tom", "PATCH", `${board}/1`, { title: "Mine still" })).status).toBe(403);
});

test("a discussion becomes an issue that tells nothing of a secret team, a private discussion or to the public", async () => {
  const hidden = "/orgs/acme/teams/hidden/discussions";
  for (const [name, visibility] of [
    ["inside", "internal"],
    ["outside", "public"],
  ])
    await send("olga", "POST", "/repos", { name, owner: "acme", visibility });
  const issueOf = async (path: string, repository: string) => {
    const answer = await send("olga", "POST", `${path}/issue`, { repository });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.json as { number: number; body: string; author: { username: string } };
  };
  const upload = await server.api("POST", "/attachments?name=plan.txt&team=acme/core", {
    token: people.nina.token,
    body: "plan",
  });
  const body = `[plan](${upload.json.url})`;
  const one = `${board}/${(await start("nina", { title: "Cache", body })).number}`;
  const token = await server.tokenFor(people.olga, ["issue:write"]);
  const blind = await server.api("POST", `${one}/issue`, { token, body: { repository: "acme/inside" } });
  expect(blind.json).toMatchObject({ error: "insufficient_scope", required_scopes: ["org:read"] });
  const issue = await issueOf(one, "acme/inside");
  expect(issue.author.username).toBe("olga");
  expect(issue.body).toMatch(/Written by @nina in a discussion of a team/);
  const file = /\((\S+?)\)/.exec(issue.body)?.[1] ?? "";
  expect(file).not.toBe(upload.json.url);
  expect((await send("ben", "GET", new URL(file).pathname.replace("/api/v1", ""))).status).toBe(200);
  const link = { repository: "acme/inside", number: issue.number };
  expect((await send("ben", "GET", one)).json.issue).toMatchObject(link);
  expect((await send("olga", "POST", `${one}/issue`, { repository: "acme/inside" })).status).toBe(409);
  expect((await send("ben", "POST", `${one}/issue`, { repository: "acme/inside" })).status).toBe(403);
  expect((await send("nina", "POST", `${one}/issue`, { repository: "acme/none" })).status).toBe(422);
  const quiet = [
    [`${board}/${(await start("nina", { title: "P", body: "Plain", private: true })).number}`, "acme/inside"],
    [`${board}/${(await start("nina", { title: "Q", body: "Plain" })).number}`, "acme/outside"],
    [
      `${hidden}/${(await send("olga", "POST", hidden, { title: "R", body: "Plain" })).json.number}`,
      "acme/inside",
    ],
  ] as const;
  for (const [path, repository] of quiet) expect((await issueOf(path, repository)).body).toBe("Plain");
  const everything = await Promise.all(
    ["", "/1", "/2", "/3", "/1/timeline"].map((path) =>
      send("ben", "GET", `/repos/acme/inside/issues${path}`),
    ),
  );
  expect(JSON.stringify(everything.map(({ text }) => text))).not.toMatch(/hidden|acme\/core|discussions\//);
});
