/** Issues that go to another repository, and those that are duplicates of others: what comes along, who sees what, and one outcome. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { Issue } from "@forgeline/schemas/issues/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
const names = ["ada", "rick", "tom", "eve"] as const;
type Name = (typeof names)[number];
let people: Record<Name, TestPerson>;
const from = "/repos/ada/here";
const to = "/repos/ada/there";
beforeAll(async () => {
  server = await startApiServer();
  const made = await Promise.all(names.map(async (name) => [name, await server.person(name)] as const));
  people = Object.fromEntries(made) as typeof people;
  for (const name of ["here", "there"]) await send("ada", "POST", "/repos", { name, private: true });
  await send("ada", "POST", "/repos", { name: "open", private: false });
  for (const path of [from, to])
    await send("ada", "PUT", `${path}/collaborators/rick`, { permission: "triage" });
  await send("ada", "PUT", `${from}/collaborators/tom`, { permission: "maintain" });
  for (const name of ["bug", "only-here"]) await send("ada", "POST", `${from}/labels`, { name });
  await send("ada", "POST", `${to}/labels`, { name: "Bug" });
  await send("ada", "POST", `${to}/issues`, { title: "Was there before" });
});
afterAll(() => server?.stop());

const send = (name: Name, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: people[name].token, ...(body === undefined ? {} : { body }) });
const open = async (path: string, body: object) =>
  (await send("ada", "POST", `${path}/issues`, body)).json as Issue;
const move = (name: Name, { number }: Issue, repository = "ada/there") =>
  send(name, "POST", `${from}/issues/${number}/transfer`, { repository });
const timeline = async (name: Name, path: string) =>
  (await send(name, "GET", `${path}/timeline`)).json as { kind: string; from?: string | null }[];
async function upload(name: string): Promise<string> {
  const path = `/attachments?name=${name}&repo=ada/here`;
  const { json } = await server.api("POST", path, { token: people.ada.token, body: "text" });
  return json.url as string;
}
const pathOf = (url: string) => new URL(url).pathname.replace("/api/v1", "");
const read = async (name: Name, url: string) => (await send(name, "GET", pathOf(url))).status;

test("an issue goes with its texts, comments, reactions, people and files, and its old address leads to it", async () => {
  const [own, shared] = [await upload("own.txt"), await upload("shared.txt")];
  const other = await open(from, { title: "Stays", body: `[b](${shared})` });
  const body = `As #${other.number} says, but not \`#1\`: [a](${own}) [b](${shared})`;
  const labels = ["bug", "only-here"];
  const issue = await open(from, { title: "Moves", body, labels, assignees: ["rick", "tom"] });
  const old = `${from}/issues/${issue.number}`;
  await send("rick", "POST", `${old}/comments`, { body: `See !${other.number}` });
  await send("rick", "POST", `${old}/reactions`, { name: "heart" });
  const moved = (await move("ada", issue)).json as Issue;
  expect(moved).toMatchObject({
    id: issue.id,
    number: 2,
    title: "Moves",
    author: { username: "ada" },
    labels: [{ name: "Bug" }],
    assignees: [{ username: "rick" }],
    comments_count: 1,
    reactions: { heart: 1 },
  });
  expect(moved.body).toContain(`As ada/here#${other.number} says, but not \`#1\`: [a](${own})`);
  const there = `${to}/issues/2`;
  const comments = (await send("rick", "GET", `${there}/comments`)).json as Comment[];
  expect(comments).toMatchObject([{ body: `See ada/here!${other.number}`, author: { username: "rick" } }]);
  expect((await send("rick", "GET", pathOf(comments[0]!.url))).status).toBe(200);
  expect((await timeline("rick", there)).at(-1)).toMatchObject({
    kind: "transferred",
    from: `ada/here#${issue.number}`,
  });
  // What another text mentions too is in both places now.
  const copied = /\((\S+shared\.txt)\)/.exec(moved.body)?.[1] ?? "";
  expect(copied).not.toBe(shared);
  await send("ada", "DELETE", `${from}/collaborators/rick`);
  for (const [url, status] of [
    [own, 200],
    [copied, 200],
    [shared, 404],
  ] as const)
    expect([url, await read("rick", url)]).toEqual([url, status]);
  expect([await read("tom", own), await read("tom", shared)]).toEqual([404, 200]);
  expect((await timeline("rick", there)).at(-1)).toMatchObject({ kind: "transferred", from: null });
  await send("ada", "PUT", `${from}/collaborators/rick`, { permission: "triage" });
  const asked = await server.api("GET", old, { token: people.rick.token });
  expect([asked.status, asked.headers["location"]]).toEqual([301, moved.url]);
  expect((await send("tom", "GET", old)).status).toBe(404);
  expect((await send("rick", "PATCH", old, { title: "x" })).status).toBe(404);
  // Back again: both old addresses lead there.
  const back = await send("ada", "POST", `${there}/transfer`, { repository: "ada/here" });
  expect(back.json).toMatchObject({ id: issue.id, number: issue.number + 1 });
  const led = await send("tom", "GET", old);
  expect([led.status, led.headers["location"]]).toEqual([301, back.json.url]);
});

test("it takes Maintain here and Write there, and no more readers", async () => {
  const issue = await open(from, { title: "Refused" });
  expect((await move("rick", issue)).status).toBe(403);
  expect((await move("eve", issue)).status).toBe(404);
  const unknown = (await move("tom", issue)).json;
  expect(unknown.errors).toMatchObject([{ field: "repository", code: "unknown" }]);
  expect((await move("tom", issue, "ada/none")).json.message).toBe(unknown.message);
  await send("ada", "PUT", `${to}/collaborators/tom`, { permission: "triage" });
  expect((await move("tom", issue)).status).toBe(403);
  expect((await move("ada", issue, "ada/open")).status).toBe(409);
  expect((await move("ada", issue, "ada/here")).status).toBe(422);
  expect((await send("ada", "GET", `${from}/issues/${issue.number}`)).json.title).toBe("Refused");
});

test("of two who move it at once, one does", async () => {
  const issue = await open(from, { title: "Wanted twice" });
  const answers = await Promise.all([move("ada", issue), move("ada", issue)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  const titles = ((await send("ada", "GET", `${to}/issues?q=twice`)).json as Issue[]).map(
    ({ title }) => title,
  );
  expect(titles).toEqual(["Wanted twice"]);
  const audit = await server.container.platform.db.query(
    "select target_name from audit_log where action = 'issue.transfer' and details->>'title' = 'Wanted twice' order by target_name",
  );
  expect(audit.map((row) => (row as { target_name: string }).target_name.split("#")[0])).toEqual([
    "ada/here",
    "ada/there",
  ]);
});

test("a duplicate names the other issue, in both timelines, until it is reopened", async () => {
  const one = await open(from, { title: "First" });
  const two = await open(from, { title: "Second" });
  const at = `${from}/issues/${two.number}`;
  const close = (name: Name, duplicateOf: unknown, rest = {}) =>
    send(name, "PATCH", at, { state: "closed", duplicate_of: duplicateOf, ...rest });
  expect((await close("ada", one.number)).json).toMatchObject({
    state: "closed",
    state_reason: "duplicate",
    duplicate_of: { repository: "ada/here", number: one.number, title: "First", state: "open" },
  });
  expect((await timeline("rick", at)).map(({ kind }) => kind)).toEqual(["closed", "marked_duplicate"]);
  expect((await timeline("rick", `${from}/issues/${one.number}`)).map(({ kind }) => kind)).toEqual([
    "got_duplicate",
  ]);
  expect((await send("ada", "PATCH", at, { state: "open" })).json.duplicate_of).toBe(null);
  // Again, and by an author without Triage: nothing more in the timeline of the other.
  await close("ada", one.number);
  await send("ada", "PATCH", at, { state: "open" });
  const { number } = (await send("eve", "POST", "/repos/ada/open/issues", { title: "Third" })).json as Issue;
  const foreign = `/repos/ada/open/issues/${number}`;
  expect((await send("eve", "PATCH", foreign, { state: "closed", duplicate_of: number })).status).toBe(403);
  expect((await send("eve", "PATCH", foreign, { state: "closed", state_reason: "duplicate" })).status).toBe(
    200,
  );
  expect(await timeline("rick", `${from}/issues/${one.number}`)).toHaveLength(1);
  for (const wrong of [two.number, 9999, "ada/none#1"])
    expect((await close("ada", wrong)).json.errors).toMatchObject([{ field: "duplicate_of" }]);
  expect((await close("ada", one.number, { state_reason: "completed" })).status).toBe(422);
  expect((await send("ada", "PATCH", at, { duplicate_of: one.number })).status).toBe(422);
  // Of a repository that not everyone sees.
  await send("ada", "POST", "/repos", { name: "secret", private: true });
  const hidden = await open("/repos/ada/secret", { title: "Hidden" });
  expect((await close("rick", `ada/secret#${hidden.number}`)).status).toBe(422);
  expect((await close("ada", `ada/secret#${hidden.number}`)).json.duplicate_of.title).toBe("Hidden");
  expect((await send("rick", "GET", at)).json).toMatchObject({
    state_reason: "duplicate",
    duplicate_of: null,
  });
  expect(JSON.stringify(await timeline("rick", at))).not.toContain("ecret");
  expect((await timeline("ada", at)).at(-1)).toMatchObject({ kind: "marked_duplicate" });
});

test("who moves an issue deletes what came with it, and the commit that closed it is found where it is", async () => {
  await send("ada", "PUT", `${to}/collaborators/tom`, { permission: "write" });
  const [own, shared] = [await upload("own.txt"), await upload("shared.txt")];
  await open(from, { title: "Keeps", body: `[b](${shared})` });
  const issue = await open(from, { title: "Fixed", body: `[a](${own}) [b](${shared})` });
  const commit = (path: string, message: string) =>
    send("ada", "PUT", `${from}/contents/${path}`, { message, content: Buffer.from("a").toString("base64") });
  // What a new branch brings was written before.
  await commit("first.txt", "Begin");
  const put = await commit("fix.txt", `Mend it\n\nFixes #${issue.number}`);
  const sha = put.json.commit.sha as string;
  const old = `${from}/issues/${issue.number}`;
  await eventually(async () => (await send("ada", "GET", old)).json.state === "closed");
  const closedOf = async (name: Name, path: string) =>
    (await timeline(name, path)).find(({ kind }) => kind === "closed");
  expect(await closedOf("ada", old)).toEqual(
    expect.not.objectContaining({ commit_repository: expect.anything() }),
  );
  const moved = (await move("tom", issue)).json as Issue;
  const there = `${to}/issues/${moved.number}`;
  expect(await closedOf("ada", there)).toMatchObject({ commit: sha, commit_repository: "ada/here" });
  await send("ada", "PUT", `${to}/collaborators/eve`, { permission: "read" });
  expect(await closedOf("eve", there)).toMatchObject({ commit: sha, commit_repository: null });
  const files = [...moved.body.matchAll(/\((\S+)\)/g)].map(([, url = ""]) => url);
  expect(files).toHaveLength(2);
  expect((await send("rick", "DELETE", pathOf(files[0]!))).status).toBe(403);
  for (const url of files) expect((await send("tom", "DELETE", pathOf(url))).status).toBe(204);
  // The other text has its own.
  expect(await read("ada", shared)).toBe(200);
});
