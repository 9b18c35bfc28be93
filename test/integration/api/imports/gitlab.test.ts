/** Imports from GitLab, which numbers issues and merge requests separately. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { Import } from "@forgeline/schemas/imports/resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { serveHost, type FakeHost } from "../../../support/imports/fake-host.ts";
import { gitlabProject } from "../../../support/imports/gitlab-project.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";
import { withTexts } from "../../../support/text-database.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "gitlab" });
});
afterAll(() => bed?.close());

const get = async (path: string) => (await bed.send("GET", path)).json;

const begin = (name: string, more: object = {}) =>
  bed.send("POST", "/imports", {
    source: "gitlab",
    repository: `group/sub/${name}`,
    api_url: `${bed.source.url}/api/v4/`,
    token: "glpat-secret",
    ...more,
  });

const ended = (id: string) =>
  eventually(
    async () => {
      const shown: Import = await get(`/imports/${id}`);
      return shown.finished_at !== null && shown;
    },
    { timeoutMs: 60_000 },
  );

/** Begins one that is made to wait at this step, again and again. */
async function beginWaiting(
  host: FakeHost,
  { name, step, seconds = 600 }: { name: string; step: string; seconds?: number },
): Promise<string> {
  host.instead = (request, response) => {
    if (!(request.url ?? "").includes(`/${step}`)) return false;
    response.writeHead(429, { "retry-after": String(seconds) }).end();
    return true;
  };
  const { id } = (await begin(name)).json;
  await eventually(async () => (await get(`/imports/${id}`)).state === "paused", { timeoutMs: 60_000 });
  return id;
}

test("issues keep their numbers, merge requests come after them, and texts name the new ones", async () => {
  const { lists, commits } = await gitlabProject(bed.source, "tool");
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  const begun = await begin("tool", { users: { maria: "ada" } });
  expect(begun.status).toBe(202);
  const done = await ended(begun.json.id);
  expect(done).toMatchObject({ state: "done", error: null, left_out: 0, number_offset: 2 });
  expect(done.progress).toEqual({
    labels: 1,
    milestones: 1,
    issues: 2,
    merge_requests: 2,
    comments: 4,
    reviews: 1,
  });
  expect([...host.tokens]).toEqual(["Bearer glpat-secret"]);
  expect(await withTexts(bed.database).query("select 1 from import_items", [])).toEqual([]);
  expect(bed.source.requests.some(({ path }) => path.startsWith("/group/sub/tool.git"))).toBe(true);
  const at = "/repos/ada/tool";
  const first = await get(`${at}/issues/1`);
  expect(first).toMatchObject({ body: "See !4 and #2, `@all`", imported_author: { name: "sidney" } });
  const found = await get("/search/issues?q=repo:ada/tool");
  expect(found.items).toContainEqual(
    expect.objectContaining({ number: 1, imported_author: first.imported_author }),
  );
  expect(first.labels.map(({ name }: { name: string }) => name)).toEqual(["kind::bug", "of the group"]);
  expect(await get(`${at}/issues/2`)).toMatchObject({
    state: "closed",
    closed_at: "2022-05-06T08:00:00.000Z",
  });
  expect((await get(`${at}/milestones?state=all`))[0]).toMatchObject({ title: "v1", state: "closed" });
  expect(await get(`${at}/merge-requests/3`)).toMatchObject({
    state: "merged",
    reviewers: [],
    merge_sha: commits.done,
    merge_base_sha: commits.base,
    merged_at: "2022-05-07T08:00:00.000Z",
  });
  expect(await get(`${at}/merge-requests/4`)).toMatchObject({
    state: "open",
    draft: true,
    description: "After !3",
    source_branch: "topic",
    head_sha: commits.topic,
  });
  // What was said there answers no request here.
  expect(await get(`${at}/merge-requests/3/reviewers`)).toEqual([]);
  expect(await get(`${at}/merge-requests/3/reviews`)).toMatchObject([
    { state: "approved", counts: false, author: { username: "ada" }, imported_author: { name: "maria" } },
  ]);
  const threads = await get(`${at}/merge-requests/4/threads?state=all`);
  expect(threads).toMatchObject([{ path: "topic.txt", line: 1, side: "new", resolved: true }]);
  expect(threads[0].comments.map(({ body }: Comment) => body)).toEqual(["Note 22", "Note 23"]);
  const comments: Comment[] = await get(`${at}/merge-requests/4/comments`);
  expect(comments.map(({ body }) => body)).toEqual(["Note 21", "Note 22", "Note 23"]);
  const { stdout } = await bed.git.run(["ls-remote", bed.address({ name: "tool" } as never)]);
  expect(stdout).toContain(`${commits.topic}\trefs/merge-requests/4/head`);
  expect((await bed.send("POST", `${at}/issues`, { title: "New" })).json.number).toBe(5);
});

test("an import ends with its repository, which can be written to when it is restored", async () => {
  const { lists } = await gitlabProject(bed.source, "deleted");
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  const id = await beginWaiting(host, { name: "deleted", step: "labels" });
  expect((await bed.send("DELETE", "/repos/ada/deleted")).status).toBe(204);
  expect(await get(`/imports/${id}`)).toMatchObject({
    state: "failed",
    error: "The repository was deleted.",
  });
  const rows = await withTexts(bed.database).query(
    "select i.sealed_token, r.mirror from imports i join repositories r on r.id = i.repository_id where i.id = $1",
    [id],
  );
  expect(rows).toEqual([{ sealed_token: null, mirror: false }]);
});

test("an import that goes on leaves what was written here meanwhile, and says so", async () => {
  const { lists, commits, repository } = await gitlabProject(bed.source, "meanwhile");
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  // Ends before Git: from then on people can write.
  host.instead = (_request, response) => (response.writeHead(401).end(), true);
  const { id } = (await begin("meanwhile")).json;
  expect(await ended(id)).toMatchObject({ state: "failed", step: "numbers" });
  const at = "/repos/ada/meanwhile";
  const written = await bed.send("PUT", `${at}/contents/mine.txt`, {
    branch: "main",
    message: "Mine",
    content: Buffer.from("mine").toString("base64"),
  });
  expect(written.status).toBe(200);
  expect((await bed.send("POST", `${at}/issues`, { title: "Mine" })).json.number).toBe(1);
  // Somebody who was named, and has left.
  await bed.server.person("bob");
  const db = withTexts(bed.database);
  await db.query(
    "update imports set users = users || jsonb_build_object('sidney', (select id from users where username = $1)) where id = $2",
    ["bob", id],
  );
  await repository.updateRefs(`create refs/merge-requests/9/head ${commits.topic}\n`);
  host.instead = () => false;
  expect((await bed.send("POST", `/imports/${id}/retry`, { token: "glpat-secret" })).status).toBe(202);
  expect(await ended(id)).toMatchObject({ state: "done" });
  expect(await get(`${at}/issues/2`)).toMatchObject({ author: null, imported_author: { name: "sidney" } });
  const notes = await get(`/imports/${id}/report`);
  expect(notes).toContainEqual({
    kind: "ref",
    source: "refs/heads/main",
    reason: "It is at another commit there; what is here stayed as it is.",
  });
  const { stdout } = await bed.git.run(["ls-remote", bed.address({ name: "meanwhile" } as never)]);
  expect(stdout).toContain(`${written.json.commit.sha}\trefs/heads/main`);
  expect(stdout).toContain(`${commits.topic}\trefs/heads/topic`);
  expect(stdout).not.toContain("refs/merge-requests/11/head");
});

test("merge requests come after the highest issue, also where that is older than others", async () => {
  const { lists } = await gitlabProject(bed.source, "older");
  const at = "/projects/group/sub/older";
  // The newest is the last one.
  lists[`${at}/issues`] = (lists[`${at}/issues`] as unknown[]).toReversed();
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  const done = await ended((await begin("older", { include: ["issues"] })).json.id);
  expect(done).toMatchObject({ state: "done", number_offset: 2, progress: { issues: 2 } });
  expect(host.asked.filter((path) => path === `${at}/issues`).length).toBeGreaterThan(3);
});

test("a list that is refused in its middle is read on; one that is not there is in the report", async () => {
  const { lists } = await gitlabProject(bed.source, "middle");
  const at = "/projects/group/sub/middle";
  lists[`${at}/labels`] = ["a", "b", "c"].map((name, index) => ({ id: index + 1, name, color: "#FF0000" }));
  delete lists[`${at}/issues/2/notes`];
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  let refused = 0;
  host.instead = (request, response) => {
    if (!/labels.*[&?]page=2/.test(request.url ?? "") || refused > 0) return false;
    refused += 1;
    response.writeHead(404).end();
    return true;
  };
  const done = await ended((await begin("middle", { include: ["labels", "issues", "comments"] })).json.id);
  expect([done.state, done.progress.labels, refused]).toEqual(["done", 3, 1]);
  const reason = "Its record could not be read.";
  expect(await get(`/imports/${done.id}/report`)).toContainEqual({
    kind: "comments",
    source: "all of 2 (status 404)",
    reason,
  });
  const { upkeepSchedules } = bed.server.container.upkeep;
  const age = "update imports set finished_at = now() - interval '91 days' where id = $1";
  await withTexts(bed.database).query(age, [done.id]);
  await upkeepSchedules.runTask("remove_old_imports", new AbortController().signal);
  expect((await bed.send("GET", `/imports/${done.id}`)).status).toBe(404);
});

test.each([
  ["begun_at = now() - interval '8 days'", /not ended within 7 days/],
  ["records_read = 600001", /more than 200000 records/],
])("an import whose %s ends, however the host answers", async (change, expected) => {
  const name = `bounds${Math.random().toString(36).slice(2, 8)}`;
  const host = serveHost(bed.source, { at: "/api/v4", lists: (await gitlabProject(bed.source, name)).lists });
  const id = await beginWaiting(host, { name, step: "labels", seconds: 1 });
  await withTexts(bed.database).query(`update imports set ${change} where id = $1`, [id]);
  expect(await ended(id)).toMatchObject({ state: "failed", error: expect.stringMatching(expected) });
});

test("an import ends when whoever began it is suspended", async () => {
  const { lists } = await gitlabProject(bed.source, "suspended");
  const host = serveHost(bed.source, { at: "/api/v4", lists });
  const id = await beginWaiting(host, { name: "suspended", step: "labels", seconds: 1 });
  const db = withTexts(bed.database);
  await db.query("update users set suspended = true where username = $1", ["ada"]);
  const rows = await eventually(
    async () => {
      const found = await db.query("select error from imports where id = $1 and status = 'failed'", [id]);
      return found.length > 0 && found;
    },
    { timeoutMs: 60_000 },
  );
  expect(rows).toEqual([{ error: "Who began it may not administer the repository any more." }]);
  await db.query("update users set suspended = false where username = $1", ["ada"]);
});

test("what cannot begin leaves no repository behind, and asks for a name where it has none", async () => {
  const host = serveHost(bed.source, { at: "/api/v4", lists: {} });
  host.instead = (_request, response) => (response.writeHead(429, { "retry-after": "600" }).end(), true);
  const names = ["race1", "race2", "race3", "race4"];
  const begun = await Promise.all(names.map((name) => begin("race", { name })));
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 202, 409]);
  const refused = names[begun.findIndex(({ status }) => status === 409)];
  expect((await bed.send("GET", `/repos/ada/${refused}`)).status).toBe(404);
  const ids = begun.flatMap(({ status, json }) => (status === 202 ? [json.id] : []));
  for (const id of ids) expect((await bed.send("POST", `/imports/${id}/cancel`)).status).toBe(200);
  expect((await begin(".github")).json.errors).toMatchObject([{ field: "name", code: "required" }]);
  for (const name of ["..", "../x", "a/."]) expect((await begin(name)).status).toBe(422);
  const { id } = (await begin("spoon.git.git")).json;
  expect(await get(`/imports/${id}`)).toMatchObject({ repository: "ada/spoon" });
});
