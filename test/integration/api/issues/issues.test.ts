/** Issues over REST: opened by readers, sorted by those with Triage, found by their filters, numbered once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Issue } from "@forgeline/schemas/issues/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let tess: TestPerson;
let rick: TestPerson;
const at = "/repos/ada/tracker";
const issues = `${at}/issues`;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  tess = await server.person("tess");
  rick = await server.person("rick");
  await send(ada, "POST", "/repos", { name: "tracker", private: true });
  await send(ada, "PUT", `${at}/collaborators/tess`, { permission: "triage" });
  await send(ada, "PUT", `${at}/collaborators/rick`, { permission: "read" });
  for (const name of ["bug", "prio::high", "prio::low"]) await send(ada, "POST", `${at}/labels`, { name });
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
async function open(person: TestPerson, body: object): Promise<Issue> {
  const answer = await send(person, "POST", issues, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json as Issue;
}
const kinds = async (number: number) =>
  ((await send(ada, "GET", `${issues}/${number}/timeline`)).json as { kind: string }[]).map(
    ({ kind }) => kind,
  );
const numbers = async (query: string) =>
  ((await send(ada, "GET", `${issues}?${query}`)).json as Issue[]).map(({ number }) => number);

test("a reader opens an issue, edits and closes it; others' texts are not theirs", async () => {
  const answer = await send(rick, "POST", issues, { title: " Lights flicker ", body: "At night." });
  const issue = answer.json as Issue;
  expect(answer.headers["location"]).toBe(issue.url);
  expect(issue).toMatchObject({
    title: "Lights flicker",
    body: "At night.",
    state: "open",
    state_reason: null,
    author: { username: "rick" },
    labels: [],
    assignees: [],
    milestone: null,
    comments_count: 0,
    viewer_may: { comment: true, edit: true, close: true, triage: false, pin: false, delete: false },
  });
  expect(issue.web_url).toMatch(new RegExp(`/ada/tracker/issues/${issue.number}$`));
  const one = `${issues}/${issue.number}`;
  expect((await send(rick, "PATCH", one, { title: "Lights flicker at night" })).json).toMatchObject({
    title: "Lights flicker at night",
    edited_at: expect.any(String),
  });
  expect((await send(rick, "PATCH", one, { state: "closed" })).json).toMatchObject({
    state: "closed",
    state_reason: "completed",
    closed_by: { username: "rick" },
  });
  expect((await send(rick, "PATCH", one, { state: "open" })).json).toMatchObject({ closed_at: null });
  expect(await kinds(issue.number)).toEqual(["renamed", "closed", "reopened"]);
  const foreign = await open(ada, { title: "Plan" });
  for (const body of [{ title: "Mine" }, { body: "Mine" }, { state: "closed" }, { labels: ["bug"] }])
    expect((await send(rick, "PATCH", `${issues}/${foreign.number}`, body)).status).toBe(403);
  expect((await send(rick, "POST", issues, { title: "Labelled", labels: ["bug"] })).status).toBe(403);
  expect((await send(rick, "DELETE", `${issues}/${foreign.number}`)).status).toBe(403);
  // Nothing of a refused one is left, not even its number.
  expect((await open(rick, { title: "Next" })).number).toBe(foreign.number + 1);
});

test("those with Triage set labels, people, milestone and date, each with its line in the timeline", async () => {
  const milestone = (await send(ada, "POST", `${at}/milestones`, { title: "1.0" })).json as { id: string };
  const { number } = await open(rick, { title: "Sort me" });
  const one = `${issues}/${number}`;
  const body = { labels: ["Bug", "prio::low"], assignees: ["TESS", "rick"], milestone: milestone.id };
  expect((await send(tess, "PATCH", one, { ...body, due_on: "2027-01-31" })).json).toMatchObject({
    labels: [{ name: "bug" }, { name: "prio::low" }],
    assignees: [{ username: "rick" }, { username: "tess" }],
    milestone: { title: "1.0", state: "open" },
    due_on: "2027-01-31",
    edited_at: null,
  });
  // Of labels with one scope the later one stays, and what stays as it is makes no event.
  const labels = ["bug", "prio::low", "prio::high"];
  expect((await send(tess, "PATCH", one, { ...body, labels })).json).toMatchObject({
    labels: [{ name: "bug" }, { name: "prio::high" }],
  });
  await send(tess, "PATCH", one, { assignees: [], milestone: null, due_on: null });
  expect(await kinds(number)).toEqual([
    "labeled",
    "labeled",
    "assigned",
    "assigned",
    "milestoned",
    "due",
    "labeled",
    "unlabeled",
    "unassigned",
    "unassigned",
    "demilestoned",
    "due",
  ]);
  expect((await send(tess, "PATCH", one, { labels: ["bug", "none such"] })).json.errors).toMatchObject([
    { field: "labels", code: "unknown" },
  ]);
  await server.person("stranger");
  for (const assignees of [["nobody"], ["stranger"]])
    expect((await send(tess, "PATCH", one, { assignees })).json.errors).toMatchObject([
      { field: "assignees" },
    ]);
  const foreign = "mst_00000000000000000000000000";
  expect((await send(tess, "PATCH", one, { milestone: foreign })).status).toBe(422);
});

test("comments are written by readers, counted, edited by their author, and closed by a lock", async () => {
  const { number } = await open(ada, { title: "Talk" });
  const comments = `${issues}/${number}/comments`;
  const made = await send(rick, "POST", comments, { body: "First **words**" });
  expect(made.json).toMatchObject({ author: { username: "rick" }, viewer_may: { edit: true, delete: true } });
  await send(ada, "POST", comments, { body: "Second" });
  const one = `${at}/comments/${made.json.id as string}`;
  expect(made.headers["location"]).toBe(`${server.baseUrl}${one}`);
  expect((await send(tess, "PATCH", one, { body: "Not mine" })).status).toBe(403);
  expect((await send(rick, "PATCH", one, { body: "First words" })).json).toMatchObject({
    body: "First words",
    edited_at: expect.any(String),
  });
  const list = await send(rick, "GET", comments);
  expect(list.headers["x-total-count"]).toBe("2");
  expect((list.json as { body: string }[]).map(({ body }) => body)).toEqual(["First words", "Second"]);
  expect((await send(tess, "PUT", `${issues}/${number}/lock`)).status).toBe(204);
  const refused = await send(rick, "POST", comments, { body: "Late" });
  expect([refused.status, refused.json.message]).toEqual([
    403,
    "The conversation is locked: it takes Triage to comment.",
  ]);
  expect((await send(tess, "POST", comments, { body: "Enough" })).status).toBe(201);
  expect((await send(ada, "DELETE", one)).status).toBe(204);
  expect((await send(ada, "GET", `${issues}/${number}`)).json).toMatchObject({
    locked: true,
    comments_count: 2,
  });
  for (const body of ["", " \n", "a\u0000b", "x".repeat(65_537)])
    expect((await send(ada, "POST", comments, { body })).status).toBe(422);
});

test("lists are filtered by state, labels, people, milestone and words, and sorted", async () => {
  await send(ada, "POST", "/repos", { name: "lists" });
  const from = `/repos/ada/lists`;
  await send(ada, "POST", `${from}/labels`, { name: "bug" });
  await send(ada, "POST", `${from}/labels`, { name: "ui" });
  const { id } = (await send(ada, "POST", `${from}/milestones`, { title: "2.0" })).json as { id: string };
  const make = async (body: object) => (await send(ada, "POST", `${from}/issues`, body)).status;
  expect(
    await make({ title: "Grüße werden falsch gezeigt", labels: ["bug", "ui"], assignees: ["ada"] }),
  ).toBe(201);
  expect(
    await make({ title: "Slow search", body: "It takes a minute.", labels: ["bug"], milestone: id }),
  ).toBe(201);
  expect(await make({ title: "New colours" })).toBe(201);
  await send(ada, "PATCH", `${from}/issues/3`, { state: "closed", state_reason: "not_planned" });
  await send(ada, "POST", `${from}/issues/1/comments`, { body: "Yes" });
  const found = async (query: string) =>
    ((await send(ada, "GET", `${from}/issues?${query}`)).json as Issue[]).map(({ number }) => number);
  expect(await found("")).toEqual([2, 1]);
  expect(await found("state=closed")).toEqual([3]);
  expect(await found("state=all&direction=asc")).toEqual([1, 2, 3]);
  expect(await found("labels=bug")).toEqual([2, 1]);
  expect(await found("labels=BUG,ui")).toEqual([1]);
  expect(await found("labels=none%20such")).toEqual([]);
  expect(await found("assignee=ada")).toEqual([1]);
  expect(await found("assignee=none&author=ada")).toEqual([2]);
  expect(await found("author=rick")).toEqual([]);
  expect(await found("milestone=2.0")).toEqual([2]);
  expect(await found("milestone=none")).toEqual([1]);
  expect(await found(`q=${encodeURIComponent("grüße")}`)).toEqual([1]);
  expect(await found(`q=${encodeURIComponent('"takes a minute" -colours')}`)).toEqual([2]);
  expect(await found("sort=comments&direction=desc")).toEqual([1, 2]);
  expect(await found("sort=updated")).toEqual([1, 2]);
  expect(await found("per_page=1&page=2")).toEqual([1]);
  expect((await send(ada, "GET", `${from}/issues?state=gone`)).status).toBe(400);
});

test("pins are bounded, and a deleted issue leaves no number behind", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => open(ada, { title: `Pin ${at}` })));
  const all = made.map(({ number }) => number);
  expect(new Set(all).size).toBe(8);
  const statuses = [];
  for (const number of all) statuses.push((await send(ada, "PUT", `${issues}/${number}/pin`)).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 204, 409, 409]);
  expect(await numbers("pinned=true")).toHaveLength(6);
  const last = Math.max(...all);
  expect((await send(ada, "DELETE", `${issues}/${last}`)).status).toBe(204);
  expect((await send(ada, "GET", `${issues}/${last}`)).status).toBe(404);
  expect((await open(ada, { title: "After" })).number).toBe(last + 1);
});

test("on public repositories everyone reads, and who is signed in writes; archived ones stay as they are", async () => {
  await send(ada, "POST", "/repos", { name: "open", private: false });
  const from = "/repos/ada/open/issues";
  const passerBy = await server.person("passerby");
  expect((await server.api("POST", from, { body: { title: "Hi" } })).status).toBe(401);
  const made = await send(passerBy, "POST", from, { title: "Hi" });
  expect(made.status).toBe(201);
  expect((await server.api("GET", `${from}/1`)).json.viewer_may).toEqual({
    comment: false,
    edit: false,
    close: false,
    triage: false,
    pin: false,
    delete: false,
  });
  // Who may only read because everyone may cannot be assigned, but the author can.
  expect((await send(ada, "PATCH", `${from}/1`, { assignees: ["rick"] })).status).toBe(422);
  expect((await send(ada, "PATCH", `${from}/1`, { assignees: ["passerby"] })).status).toBe(200);
  expect((await send(ada, "POST", "/repos/ada/open/archive")).status).toBe(200);
  for (const [method, path, body] of [
    ["POST", from, { title: "Late" }],
    ["PATCH", `${from}/1`, { title: "Late" }],
    ["POST", `${from}/1/comments`, { body: "Late" }],
  ] as const)
    expect((await send(passerBy, method, path, body)).json).toMatchObject({ error: "repository_archived" });
  expect((await send(passerBy, "GET", `${from}/1`)).json).toMatchObject({ viewer_may: { edit: false } });
});

test("two who close it at once make one event", async () => {
  const { number } = await open(ada, { title: "Race" });
  const close = (person: TestPerson) => send(person, "PATCH", `${issues}/${number}`, { state: "closed" });
  const answers = await Promise.all([close(ada), close(tess), close(ada), close(tess)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await kinds(number)).toEqual(["closed"]);
});

test("templates of the default branch are listed, and bring their labels", async () => {
  const put = (path: string, text: string) =>
    send(ada, "PUT", `${at}/contents/${path}`, {
      message: `Add ${path}`,
      content: Buffer.from(text).toString("base64"),
    });
  expect((await send(rick, "GET", `${at}/issue-templates`)).json).toEqual({ templates: [], errors: [] });
  const place = ".forgeline/issue-templates";
  await put(`${place}/bug.md`, "---\nname: Bug\nlabels: bug, unheard-of\n---\n## Steps\n");
  await put(
    `${place}/crash.yml`,
    "name: Crash\nbody:\n  - type: input\n    attributes: { label: Version }\n",
  );
  await put(`${place}/broken.yml`, "name: Broken\n");
  await put(".github/pull_request_template.md", "## Why\n");
  expect((await send(rick, "GET", `${at}/issue-templates`)).json).toMatchObject({
    templates: [
      { name: "Bug", body: "## Steps\n", labels: ["bug", "unheard-of"], form: null },
      { name: "Crash", body: "", form: [{ type: "input", label: "Version" }] },
    ],
    errors: [{ path: `${place}/broken.yml`, line: 1 }],
  });
  expect((await send(rick, "GET", `${at}/merge-request-templates`)).json).toMatchObject({
    templates: [{ path: ".github/pull_request_template.md", body: "## Why\n" }],
  });
  const made = await open(rick, { title: "It broke", template: `${place}/bug.md` });
  expect(made.labels.map(({ name }) => name)).toEqual(["bug"]);
  const unknown = await send(rick, "POST", issues, { title: "x", template: `${place}/broken.yml` });
  expect([unknown.status, unknown.json.errors]).toMatchObject([
    422,
    [{ field: "template", code: "unknown" }],
  ]);
});
