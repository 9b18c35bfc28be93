/** Labels and milestones of a repository, over REST and as issues ask for them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;
const R = "/repos/ada/engine";
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  repositoryId = (await api("POST", "/repos", { name: "engine" })).json.id;
});
afterAll(() => server?.stop());

const api = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, body });
const names = async (query: string) =>
  ((await api("GET", `${R}/labels${query}`)).json as { name: string }[]).map(({ name }) => name);

/** In the table, without a service. */
async function insertIssue(
  number: number,
  { milestone, ...issue }: { milestone: string; [k: string]: string },
) {
  const { kind = "issue", state = "open" } = issue;
  await server.container.platform.db.query(
    `insert into work_items (id, repository_id, number, kind, title, state, milestone_id)
    values ($1, $2, $3, $4, 'x', $5, $6)`,
    [newId("iss"), repositoryId, number, kind, state, milestone],
  );
}

it("keeps labels by name, each with a color", async () => {
  const bug = await api("POST", `${R}/labels`, {
    name: " Bug ",
    color: "D73A4A",
    description: "It is broken",
  });
  expect([bug.status, bug.headers.location]).toEqual([201, bug.json.url]);
  expect(bug.json).toMatchObject({
    name: "Bug",
    color: "d73a4a",
    description: "It is broken",
    scope: null,
    web_url: `${server.webUrl}/ada/engine/labels?q=Bug`,
  });
  const scoped = (await api("POST", `${R}/labels`, { name: "priority::high" })).json;
  expect(scoped).toMatchObject({ scope: "priority", color: expect.stringMatching(/^[0-9a-f]{6}$/) });
  expect(await names("")).toEqual(["Bug", "priority::high"]);
  expect(await names("?q=BROKEN")).toEqual(["Bug"]);
  expect(await names("?q=%25")).toEqual([]);

  const taken = await api("POST", `${R}/labels`, { name: "bug" });
  expect([taken.status, taken.json.error]).toEqual([409, "conflict"]);
  expect((await api("PATCH", `${R}/labels/${scoped.id}`, { name: "BUG" })).status).toBe(409);
  await api("POST", `${R}/labels`, { name: "Caf\u00e9" });
  // The same to the eye.
  expect((await api("PATCH", `${R}/labels/${scoped.id}`, { name: "CAFE\u0301" })).status).toBe(409);
  const comma = await api("POST", `${R}/labels`, { name: "a,b" });
  expect([comma.status, comma.json.errors[0].field]).toEqual([422, "name"]);

  const changed = await api("PATCH", `${R}/labels/${bug.json.id}`, { name: "bug", color: "0E8A16" });
  expect(changed.json).toMatchObject({ name: "bug", color: "0e8a16", description: "It is broken" });
  expect((await api("GET", `${R}/labels/${bug.json.id}`)).json).toEqual(changed.json);
  expect((await api("DELETE", `${R}/labels/${bug.json.id}`)).status).toBe(204);
  expect((await api("GET", `${R}/labels/${bug.json.id}`)).status).toBe(404);
  expect((await api("DELETE", `${R}/labels/${bug.json.id}`)).status).toBe(404);
});

it("finds labels for issues by their names, and says which there are none of", async () => {
  const { labels } = server.container.collaboration;
  for (const name of ["Docs", "help wanted"]) await api("POST", `${R}/labels`, { name });
  const find = (wanted: string[]) =>
    server.container.platform.db.transaction((tx) => labels.findByNames(tx, repositoryId, wanted));
  const found = await find(["HELP wanted", "docs", "Docs"]);
  expect(found.map(({ name }) => name)).toEqual(["Docs", "help wanted"]);
  expect(await find([])).toEqual([]);
  await expect(find(["docs", "none", "nor this"])).rejects.toMatchObject({
    code: "validation_failed",
    options: { errors: [{ field: "labels", message: expect.stringContaining("none, nor this") }] },
  });
});

it("keeps milestones, those due first at the top, with the numbers of their issues", async () => {
  const make = async (body: object) => (await api("POST", `${R}/milestones`, body)).json;
  const someday = await make({ title: "Someday" });
  const second = await make({ title: "2.0", description: "Rewritten", due_on: "2027-03-31" });
  await make({ title: "1.0", due_on: "2026-12-24" });
  expect(second).toMatchObject({ state: "open", due_on: "2027-03-31", open_issues: 0, closed_at: null });
  const listed = async (query = "") =>
    ((await api("GET", `${R}/milestones${query}`)).json as { title: string }[]).map(({ title }) => title);
  expect(await listed()).toEqual(["1.0", "2.0", "Someday"]);

  const milestone = second.id as string;
  await insertIssue(1, { milestone });
  await insertIssue(2, { milestone, state: "closed" });
  await insertIssue(3, { milestone, kind: "merge_request", state: "merged" });
  const address = `${R}/milestones/${milestone}`;
  const shown = (await api("GET", address)).json;
  expect(shown).toEqual({ ...second, open_issues: 1, closed_issues: 1 });

  const closed = (await api("PATCH", address, { state: "closed", due_on: null })).json;
  expect(closed).toMatchObject({ state: "closed", due_on: null, closed_at: expect.stringContaining("T") });
  const renamed = (await api("PATCH", address, { title: "Two" })).json;
  expect(renamed).toMatchObject({ title: "Two", closed_at: closed.closed_at });
  expect([await listed("?state=closed"), await listed("?state=all")]).toEqual([
    ["Two"],
    ["1.0", "Someday", "Two"],
  ]);
  expect((await api("PATCH", address, { state: "open" })).json.closed_at).toBeNull();
  expect((await api("POST", `${R}/milestones`, { title: "TWO" })).status).toBe(409);
  expect((await api("PATCH", `${R}/milestones/${someday.id}`, { title: "two" })).status).toBe(409);
  expect((await api("POST", `${R}/milestones`, { title: "3", due_on: "2027-02-30" })).status).toBe(422);

  expect((await api("DELETE", address)).status).toBe(204);
  expect((await api("GET", address)).status).toBe(404);
  const { milestones } = server.container.collaboration;
  const find = (id: string) =>
    server.container.platform.db.transaction((tx) => milestones.find(tx, repositoryId, id));
  expect(await find(someday.id)).toEqual({ id: someday.id, title: "Someday" });
  await expect(find(milestone)).rejects.toMatchObject({ options: { errors: [{ field: "milestone" }] } });
});

it("refuses more than a thousand of each", async () => {
  for (const [table, column] of [
    ["labels", "name"],
    ["milestones", "title"],
  ] as const) {
    const extra = table === "labels" ? ", color" : "";
    await server.container.platform.db.query(
      `insert into ${table} (id, repository_id, ${column}${extra})
      select $1 || lpad(n::text, 22, '0'), $2, 'n' || n${extra && ", '000000'"}
      from generate_series(1, 1000 - (select count(*)::int from ${table} where repository_id = $2)) n`,
      [table === "labels" ? "lbl_0000" : "mst_0000", repositoryId],
    );
    const answer = await api("POST", `${R}/${table}`, { [column]: "one more" });
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining("at most 1000")]);
  }
});
