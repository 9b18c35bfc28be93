/** Reactions over REST: once per person and kind, shown in each record, for whoever may comment. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reaction, Reactions } from "@forgeline/schemas/reactions/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
const names = ["ada", "rick", "eve"] as const;
let people: Record<(typeof names)[number], TestPerson>;
const at = "/repos/ada/tracker";
const board = "/orgs/acme/teams/core/discussions";
const zero = { "+1": 0, "-1": 0, laugh: 0, hooray: 0, confused: 0, heart: 0, rocket: 0, eyes: 0 };
beforeAll(async () => {
  server = await startApiServer();
  const made = await Promise.all(names.map(async (name) => [name, await server.person(name)] as const));
  people = Object.fromEntries(made) as typeof people;
  await send("ada", "POST", "/repos", { name: "tracker", private: true, readme: true });
  await send("ada", "PUT", `${at}/collaborators/rick`, { permission: "read" });
  await send("ada", "POST", `${at}/issues`, { title: "One" });
});
afterAll(() => server?.stop());

const send = (name: (typeof names)[number], method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: people[name].token, ...(body === undefined ? {} : { body }) });
const react = async (name: (typeof names)[number], text: string, reaction: string) =>
  (await send(name, "POST", `${text}/reactions`, { name: reaction })).json as Reactions;

test("one person reacts once with each sign, and takes it back", async () => {
  const issue = `${at}/issues/1`;
  expect((await send("ada", "GET", issue)).json.reactions).toEqual({ ...zero, total_count: 0, viewer: [] });
  await react("rick", issue, "+1");
  await react("ada", issue, "heart");
  const mine = { ...zero, "+1": 2, heart: 1, total_count: 3, viewer: ["+1", "heart"] };
  expect(await react("ada", issue, "+1")).toEqual(mine);
  expect(await react("ada", issue, "+1")).toEqual(mine);
  expect((await send("ada", "GET", `${at}/issues`)).json).toMatchObject([{ reactions: mine }]);
  expect((await send("rick", "GET", issue)).json.reactions).toEqual({ ...mine, viewer: ["+1"] });
  const listed = await send("rick", "GET", `${issue}/reactions?name=%2B1`);
  expect((listed.json as Reaction[]).map(({ user }) => user.username)).toEqual(["rick", "ada"]);
  expect(listed.headers["x-total-count"]).toBe("2");
  for (const _ of [1, 2]) expect((await send("ada", "DELETE", `${issue}/reactions/+1`)).status).toBe(204);
  expect((await send("ada", "GET", issue)).json.reactions).toMatchObject({ "+1": 1, viewer: ["heart"] });
  expect((await send("ada", "POST", `${issue}/reactions`, { name: "thumbs" })).status).toBe(422);
  expect((await send("ada", "GET", `${at}/issues/2/reactions`)).status).toBe(404);
  expect((await send("eve", "POST", `${issue}/reactions`, { name: "eyes" })).status).toBe(404);
});

test("in a locked conversation those react who may comment, and in an archived repository nobody", async () => {
  const comments = `${at}/issues/1/comments`;
  const { id } = (await send("rick", "POST", comments, { body: "Me too." })).json as { id: string };
  const comment = `${at}/comments/${id}`;
  expect(await react("rick", comment, "eyes")).toMatchObject({ eyes: 1, total_count: 1, viewer: ["eyes"] });
  await send("ada", "PUT", `${at}/issues/1/lock`);
  expect((await send("rick", "POST", `${comment}/reactions`, { name: "laugh" })).status).toBe(403);
  expect((await send("rick", "GET", comment)).json.viewer_may.react).toBe(false);
  expect((await send("rick", "DELETE", `${comment}/reactions/eyes`)).status).toBe(204);
  expect(await react("ada", comment, "rocket")).toMatchObject({ rocket: 1, total_count: 1 });
  expect((await send("rick", "GET", comments)).json).toMatchObject([
    { reactions: { rocket: 1, total_count: 1, viewer: [] } },
  ]);
  await send("ada", "POST", `${at}/archive`);
  expect((await send("ada", "POST", `${comment}/reactions`, { name: "eyes" })).status).toBe(403);
  await send("ada", "POST", `${at}/unarchive`);
});

test("a merge request takes them, and a comment that waits for its review none", async () => {
  const content = Buffer.from("x").toString("base64");
  await send("ada", "POST", `${at}/branches`, { name: "topic" });
  await send("ada", "PUT", `${at}/contents/x.txt`, { message: "Add x", content, branch: "topic" });
  const made = await send("ada", "POST", `${at}/merge-requests`, { title: "X", source_branch: "topic" });
  const mr = `${at}/merge-requests/${made.json.number}`;
  expect(await react("rick", mr, "hooray")).toMatchObject({ hooray: 1, total_count: 1 });
  expect((await send("rick", "GET", mr)).json.reactions).toMatchObject({ viewer: ["hooray"] });
  expect((await send("ada", "GET", `${at}/merge-requests`)).json).toMatchObject([
    { reactions: { hooray: 1, viewer: [] } },
  ]);
  const thread = { path: "x.txt", line: 1, body: "Why?", pending: true };
  const pending = (await send("ada", "POST", `${mr}/threads`, thread)).json;
  const comment = `${at}/comments/${pending.comments[0].id}`;
  expect((await send("rick", "POST", `${comment}/reactions`, { name: "eyes" })).status).toBe(404);
  expect((await send("ada", "POST", `${comment}/reactions`, { name: "eyes" })).status).toBe(403);
});

test("so does the text of a review, once it is submitted", async () => {
  const mr = `${at}/merge-requests/2`;
  const { id } = (await send("rick", "POST", `${mr}/reviews`, { body: "Nice." })).json as { id: string };
  const review = `${mr}/reviews/${id}`;
  expect((await send("rick", "POST", `${review}/reactions`, { name: "eyes" })).status).toBe(403);
  expect((await send("ada", "POST", `${review}/reactions`, { name: "eyes" })).status).toBe(404);
  await send("rick", "POST", `${review}/submit`, { event: "comment" });
  expect(await react("ada", review, "heart")).toMatchObject({ heart: 1, viewer: ["heart"] });
  expect((await send("rick", "GET", `${mr}/reviews`)).json).toMatchObject([
    { reactions: { heart: 1, viewer: [] }, viewer_may: { react: true } },
  ]);
  expect((await send("rick", "GET", `${review}/reactions`)).json).toMatchObject([
    { name: "heart", user: { username: "ada" } },
  ]);
  expect((await send("ada", "DELETE", `${review}/reactions/heart`)).status).toBe(204);
  expect((await send("ada", "GET", review)).json.reactions.total_count).toBe(0);
  expect((await send("eve", "GET", `${review}/reactions`)).status).toBe(404);
});

test("discussions and replies take them from the team", async () => {
  await send("ada", "POST", "/orgs", { name: "acme" });
  await send("ada", "POST", "/orgs/acme/teams", { name: "core" });
  const one = `${board}/${(await send("ada", "POST", board, { title: "Tea" })).json.number}`;
  const reply = `${one}/replies/${(await send("ada", "POST", `${one}/replies`, { body: "Yes" })).json.id}`;
  for (const text of [one, reply]) {
    expect(await react("ada", text, "heart")).toMatchObject({ heart: 1, viewer: ["heart"] });
    expect((await send("ada", "GET", text)).json.reactions).toMatchObject({ heart: 1, total_count: 1 });
    expect((await send("ada", "GET", `${text}/reactions`)).json).toMatchObject([{ name: "heart" }]);
    expect((await send("eve", "POST", `${text}/reactions`, { name: "eyes" })).status).toBe(404);
  }
  expect((await send("ada", "DELETE", `${reply}/reactions/heart`)).status).toBe(204);
  expect((await send("ada", "GET", `${one}/replies`)).json).toMatchObject([
    { reactions: { total_count: 0 } },
  ]);
});
