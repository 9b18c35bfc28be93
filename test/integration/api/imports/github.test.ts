/** Imports from GitHub: a server, a worker, Temporal, Git, and a host whose answers are written by hand. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { Review } from "@forgeline/schemas/reviews/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { startWorker } from "../../../support/failing-work.ts";
import { json, serveHost, type FakeHost } from "../../../support/imports/fake-host.ts";
import { githubProject, type Project } from "../../../support/imports/github-project.ts";
import { withTexts } from "../../../support/text-database.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "imports" });
});
afterAll(() => bed?.close());

const at = "/api/v3";
const token = "ghp_secret0123456789";

async function begin(name: string, more: object = {}) {
  const body = {
    source: "github",
    repository: `octo/${name}`,
    api_url: `${bed.source.url}${at}`,
    token,
    ...more,
  };
  return bed.send("POST", "/imports", body);
}

async function ended(id: string) {
  return eventually(
    async () => {
      const { json: shown } = await bed.send("GET", `/imports/${id}`);
      return ["done", "failed", "cancelled"].includes(shown.state) && shown;
    },
    { timeoutMs: 60_000 },
  );
}

const reportOf = async (id: string) =>
  (await bed.send("GET", `/imports/${id}/report`)).json.map(
    ({ kind, source, reason }: Record<string, string>) => `${kind} ${source}: ${reason}`,
  );

const get = async (path: string) => (await bed.send("GET", path)).json;

let project: Project;
let host: FakeHost;
async function start(name: string) {
  project = await githubProject(bed.source, name);
  host = serveHost(bed.source, { at, lists: project.lists });
}

test("a repository comes over with its numbers, times, people, reviews and threads", async () => {
  await start("whole");
  const begun = await begin("whole", { users: { Octocat: "ada" } });
  expect([begun.status, begun.text]).toEqual([202, expect.not.stringContaining(token)]);
  expect(begun.json).toMatchObject({ repository: "ada/whole", state: "queued" });
  expect(await get("/repos/ada/whole")).toMatchObject({ mirror: false, importing: true });
  const { id } = begun.json;
  const done = await ended(id);
  expect(done).toMatchObject({ state: "done", error: null, number_offset: 0 });
  expect(done.progress).toEqual({
    labels: 2,
    milestones: 1,
    issues: 2,
    merge_requests: 4,
    comments: 6,
    reviews: 2,
  });
  expect((await reportOf(id)).toSorted()).toEqual([
    "comments 54: Its record could not be read.",
    "merge_request 5: Its source branch is elsewhere: `imported/merge-request-5` has its commits.",
    "merge_request 6: Its commits are not at the host any more, so its changes cannot be shown.",
  ]);
  expect([...host.tokens]).toEqual([`Bearer ${token}`]);
  const rows = await withTexts(bed.database).query("select sealed_token from imports", []);
  expect(rows).toEqual([{ sealed_token: null }]);
  const repository = await get("/repos/ada/whole");
  expect(repository).toMatchObject({ importing: false, mirror: false, default_branch: "main" });

  const first = await get("/repos/ada/whole/issues/1");
  expect(first).toMatchObject({
    author: null,
    imported_author: { name: "hubot" },
    state: "open",
    created_at: "2021-03-01T10:00:00.000Z",
    updated_at: "2021-03-02T10:00:00.000Z",
    comments_count: 2,
    milestone: { title: "v1", due_on: "2021-06-01" },
  });
  expect(first.body).toBe(
    "Ask `@octocat` and `@ada`, not `@code`.\n\n<!-- hidden -->\n\n![image](https://example.com/x.png)",
  );
  expect(first.labels.map(({ name, color }: { name: string; color: string }) => [name, color])).toEqual([
    ["bug", "f29513"],
  ]);
  expect(first.assignees.map(({ username }: { username: string }) => username)).toEqual(["ada"]);
  expect(await get("/repos/ada/whole/issues/2")).toMatchObject({
    state: "closed",
    state_reason: "not_planned",
    closed_at: "2021-03-04T10:00:00.000Z",
    imported_author: { name: "ghost" },
  });
  const comments = await get("/repos/ada/whole/issues/1/comments");
  expect(
    comments.map((each: Comment) => [each.body, each.author?.username ?? null, each.imported_author?.name]),
  ).toEqual([
    ["Comment 51", null, "hubot"],
    ["Second", "ada", "octocat"],
  ]);
  const next = await bed.send("POST", "/repos/ada/whole/issues", { title: "New" });
  expect(next.json.number).toBe(7);
  // Whoever imports it watches it from then on.
  expect(await get("/repos/ada/whole/subscription")).toMatchObject({ level: "watching" });
  expect(await get("/notifications")).toEqual([]);
});

test("merge requests keep their state, show their changes, and count no approval that was given elsewhere", async () => {
  const { topic, done, fork, base } = project.commits;
  const open = await eventually(async () => {
    const shown = await get("/repos/ada/whole/merge-requests/3");
    return shown.mergeable !== "checking" && shown;
  });
  expect(open).toMatchObject({ state: "open", source_branch: "topic", head_sha: topic, mergeable: "clean" });
  expect(open.author.username).toBe("ada");
  expect(await get("/repos/ada/whole/merge-requests/4")).toMatchObject({
    state: "merged",
    merged_at: "2021-03-05T10:00:00.000Z",
    merge_sha: done,
    merge_base_sha: base,
  });
  const files = await get("/repos/ada/whole/merge-requests/4/files");
  expect(files.map(({ path }: { path: string }) => path)).toEqual(["done.txt"]);
  expect(await get("/repos/ada/whole/merge-requests/5")).toMatchObject({
    state: "open",
    source_branch: "imported/merge-request-5",
    head_sha: fork,
    imported_author: { name: "stranger" },
  });
  expect(await get("/repos/ada/whole/merge-requests/6")).toMatchObject({
    state: "closed",
    merge_base_sha: null,
  });
  expect((await bed.send("GET", "/repos/ada/whole/merge-requests/6/files")).status).toBe(200);
  const reviews = await get("/repos/ada/whole/merge-requests/3/reviews");
  expect(reviews.map((each: Review) => [each.state, each.imported_author?.name, each.counts])).toEqual([
    ["approved", "hubot", false],
    ["changes_requested", "octocat", false],
  ]);
  const threads = await get("/repos/ada/whole/merge-requests/3/threads");
  expect(threads).toHaveLength(1);
  expect(threads[0]).toMatchObject({
    path: "topic.txt",
    line: 1,
    commit_sha: topic,
    outdated: false,
    excerpt: "+topic",
  });
  expect(threads[0].comments.map(({ body }: { body: string }) => body)).toEqual(["Line 61", "Line 62"]);
  const comments = await get("/repos/ada/whole/merge-requests/3/comments");
  expect(comments.map(({ body }: { body: string }) => body)).toContain("On `topic.txt`, line 1:\n\nLine 63");
  const runs = await get("/repos/ada/whole/pipelines");
  expect(runs).toEqual([]);
});

test("an import waits when it is asked to, and goes on after failures and with another worker, without anything twice", async () => {
  await start("again");
  let failures = 0;
  const seen: string[] = [];
  let stop: Promise<void> | undefined;
  const stopWorker = await startWorker(bed.server);
  host.instead = (request, response) => {
    const path = request.url ?? "";
    seen.push(path);
    if (path.includes("/labels") && failures === 0) {
      failures += 1;
      response.writeHead(502).end();
      return true;
    }
    if (path.includes("/milestones") && failures === 1) {
      failures += 1;
      response.writeHead(403, { "x-ratelimit-remaining": "0", "retry-after": "1" }).end();
      return true;
    }
    if (path.includes("/issues/comments") && stop === undefined) stop = stopWorker();
    return false;
  };
  const { id } = (await begin("again")).json;
  await eventually(async () => (await get(`/imports/${id}`)).state === "paused", { timeoutMs: 60_000 });
  const done = await ended(id);
  await (stop ?? stopWorker());
  expect(done).toMatchObject({ state: "done" });
  expect(done.progress).toEqual({
    labels: 2,
    milestones: 1,
    issues: 2,
    merge_requests: 4,
    comments: 6,
    reviews: 2,
  });
  expect(await get("/repos/ada/again/issues/1/comments")).toHaveLength(2);
});

test.each([
  [
    "HTML",
    /something other than JSON/,
    (response: ServerResponse) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  ],
  [
    "no JSON",
    /no JSON/,
    (response: ServerResponse) => response.writeHead(200, { "content-type": "application/json" }).end("[{"),
  ],
  [
    "another form",
    /form that is not known/,
    (response: ServerResponse) => json(response, [{ number: "one" }]),
  ],
  [
    "a redirect",
    /redirects/,
    (response: ServerResponse) => response.writeHead(302, { location: "https://10.0.0.1/" }).end(),
  ],
  ["no permission", /did not accept the token/, (response: ServerResponse) => response.writeHead(401).end()],
  [
    "no repository",
    /no repository octo\/hostile/,
    (response: ServerResponse) => response.writeHead(404).end(),
  ],
  ["too much", /too large/, (response: ServerResponse) => json(response, ["x".repeat(10 * 1024 * 1024)])],
])(
  "an answer with %s ends the import with a sentence; what is there stays and can be written to",
  async (_what, expected, answer) => {
    host.instead = (_request, response) => (answer(response), true);
    const name = `hostile${Math.random().toString(36).slice(2, 8)}`;
    const { id } = (await begin("hostile", { name })).json;
    const failed = await ended(id);
    expect(failed.state).toBe("failed");
    expect(failed.error).toMatch(expected);
    expect((await get(`/repos/ada/${name}`)).importing).toBe(false);
  },
);

test("an import can be stopped and goes on later; others see nothing of it, and name nobody but themselves", async () => {
  await start("stopped");
  host.instead = (request, response) => {
    if (!(request.url ?? "").includes("/milestones")) return false;
    response.writeHead(429, { "retry-after": "600" }).end();
    return true;
  };
  const { id } = (await begin("stopped")).json;
  await eventually(async () => (await get(`/imports/${id}`)).state === "paused", { timeoutMs: 60_000 });
  const push = await bed.send("POST", "/repos/ada/stopped/branches", { name: "mine", ref: "main" });
  expect(push.json.error).toBe("repository_mirrored");
  expect(
    (await bed.send("PUT", "/repos/ada/stopped/mirror", { url: "https://example.com/a.git" })).status,
  ).toBe(409);
  expect((await bed.send("POST", `/imports/${id}/retry`, {})).status).toBe(409);
  await bed.send("POST", `/imports/${id}/people`, { login: "hubot", username: "ada" });
  expect((await bed.send("POST", `/imports/${id}/cancel`)).json).toMatchObject({ state: "cancelled" });
  expect((await bed.send("POST", `/imports/${id}/cancel`)).status).toBe(409);
  const bob = await bed.server.person("bob");
  const asBob = (method: string, path: string, body?: object) =>
    bed.server.api(method, path, { token: bob.token, ...(body ? { body } : {}) });
  for (const path of ["", "/report"]) expect((await asBob("GET", `/imports/${id}${path}`)).status).toBe(404);
  const wrong = await asBob("POST", "/imports", {
    source: "github",
    repository: "octo/stopped",
    users: { octocat: "ada" },
  });
  expect(wrong.json.errors).toMatchObject([{ field: "users" }]);
  host.instead = () => false;
  // What comes later is of whoever was named before.
  expect((await bed.send("POST", `/imports/${id}/retry`, { token })).status).toBe(202);
  expect(await ended(id)).toMatchObject({ state: "done" });
  expect((await get("/repos/ada/stopped/issues/1")).author.username).toBe("ada");
  const listed = await get("/imports");
  expect(listed[0]).toMatchObject({ id });
});

test("comments come only to what was brought over, whatever has the number here", async () => {
  await start("taken");
  host.instead = (_request, response) => (response.writeHead(401).end(), true);
  const { id } = (await begin("taken")).json;
  await ended(id);
  expect((await bed.send("POST", "/repos/ada/taken/issues", { title: "Mine" })).json.number).toBe(1);
  host.instead = () => false;
  await bed.send("POST", `/imports/${id}/retry`, { token });
  expect(await ended(id)).toMatchObject({ state: "done" });
  expect(await get("/repos/ada/taken/issues/1/comments")).toEqual([]);
  const absent = "The issue or merge request that it belongs to did not come.";
  expect(await reportOf(id)).toContain(`comment 51: ${absent}`);
});
