/**
 * What people propose and write by mistake or in bad faith (issue 15, "Bad input"): each gets a clear answer or a safe view, and
 * nothing is lost. The rest of that list is beside what it concerns:
 *
 * - CODEOWNERS: `code-owners.test.ts` here and in `unit/compiler/`; patterns that backtrack: `security/68-hostile-patterns.test.ts`
 * - Markdown, HTML, SVG: `unit/markdown/parse.test.ts`, `web/markdown.test.ts`; suggestions and their fences: `unit/markdown/suggestions.test.ts`
 * - hidden characters: in names `security/70-hidden-text.test.ts`, in code `web/diffs.test.ts`, in conflicts `web/merge-requests.test.ts`
 * - attachments that lie, and their names: `attachments.test.ts`
 * - targets protected in the middle: `requirements.test.ts`; deleted with others stacked on them: `stacked.test.ts`
 * - forks deleted, made private, owners suspended: `fork-merge-requests.test.ts`
 * - reviewers who lose access, lines that do not exist: `reviews.test.ts`
 * - conflicts of submodules and symbolic links: `conflicts.test.ts`; a branch into itself: `merge-requests.test.ts`
 * - mails: `sent-and-answered.test.ts`, `unit/server/edges/inbound-mail/read-mail.test.ts`
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Board } from "@forgeline/schemas/boards/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let repositoryId: string;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
const mib = 1024 * 1024;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  repositoryId = (await api("POST", "/repos", { name: "engine", readme: true, private: true })).json.id;
  await put("main", "a", "1\n2\n");
});
afterAll(() => server?.stop());

const api = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: ada.token, ...(body === undefined ? {} : { body }) });
const { put, branch, tipOf } = branchesOver(api, R);

/** What Git prints. */
async function git(args: string[], input?: Buffer | string): Promise<string> {
  const { git: platformGit, storage } = server.container.platform;
  const directory = storage.directory(repositoryId);
  const { stdout } = await platformGit.run({ directory, args, ...(input === undefined ? {} : { input }) });
  return stdout.toString("utf8").trim();
}

/** Branches as Git reads them from a stream, beside what the server knows of pushes. */
const importCommits = (lines: readonly string[]) =>
  git(["fast-import", "--quiet", "--force", "--done"], `${lines.join("\n")}\ndone\n`);
const commitOn = (name: string, from: string | undefined, message = "x") =>
  `commit refs/heads/${name}\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata ${message.length}\n${message}${from ? `\nfrom ${from}` : ""}`;

async function open(source: string, target = "main"): Promise<string> {
  const made = await api("POST", M, { title: source, source_branch: source, target_branch: target });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return `${M}/${made.json.number}`;
}
const settled = (place: string) =>
  eventually(async () => {
    const { json } = await api("GET", place);
    return json.mergeable !== "checking" && json;
  });
async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  expect(performance.now() - begun).toBeLessThan(ms);
  return result;
}

it("a line of 100 MB is listed without its text, and cannot be commented on by line", async () => {
  const blob = await git(["hash-object", "-w", "--stdin"], Buffer.alloc(100 * mib, "x"));
  const main = await tipOf("main");
  await importCommits([commitOn("wide", main), `M 100644 ${blob} wide.txt`]);
  const place = await within(20_000, () => open("wide"));
  expect(await within(20_000, () => settled(place))).toMatchObject({ mergeable: "clean" });
  const files = await within(5_000, () => api("GET", `${place}/files`));
  expect([files.status, files.json.length]).toEqual([200, 1]);
  expect(files.json[0]).toMatchObject({ path: "wide.txt", patch: null });
  expect(files.text.length).toBeLessThan(10_000);
  const patch = await within(10_000, () => api("GET", files.json[0].patch_url.slice(server.baseUrl.length)));
  expect([patch.status, patch.json.patch, patch.json.patch_omitted]).toEqual([200, null, "too_large"]);
  const commented = await within(10_000, () =>
    api("POST", `${place}/threads`, { path: "wide.txt", line: 1, body: "x" }),
  );
  expect([commented.status, commented.json.errors?.[0]]).toMatchObject([422, { code: "too_large" }]);
  expect((await api("POST", `${place}/threads`, { path: "wide.txt", body: "Too wide" })).status).toBe(201);
  const merged = await within(20_000, () => api("PUT", `${place}/merge`, {}));
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
}, 120_000);

it("ten thousand commits are counted, paged and merged, and too many to rebase", async () => {
  const main = await tipOf("main");
  const many = Array.from({ length: 10_000 }, (_, index) => [
    commitOn("many", index === 0 ? main : undefined, `Commit ${index}`),
    `M 100644 inline many.txt\ndata ${String(index).length}\n${index}`,
  ]);
  await importCommits(many.flat());
  const place = await within(20_000, () => open("many"));
  await within(20_000, () => settled(place));
  const commits = await within(5_000, () => api("GET", `${place}/commits?per_page=1&page=10000`));
  expect([commits.headers["x-total-count"], commits.json[0].message]).toEqual(["10000", "Commit 0"]);
  const rebased = await within(30_000, () => api("PUT", `${place}/merge`, { strategy: "rebase" }));
  expect([rebased.status, rebased.json.message]).toEqual([
    409,
    expect.stringMatching(/more than 1000 commits/),
  ]);
  const merged = await within(60_000, () => api("PUT", `${place}/merge`, { delete_source_branch: true }));
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
  expect(await tipOf("many")).toBeUndefined();
}, 180_000);

it("branches without common history are refused, and paths that differ in case alone stay two", async () => {
  await importCommits([commitOn("alone", undefined), "M 100644 inline b\ndata 1\nb"]);
  const alone = await api("POST", M, { title: "x", source_branch: "alone" });
  expect([alone.status, alone.json.errors?.[0]]).toMatchObject([422, { code: "unrelated" }]);
  await branch("cases", { A: "1\n2\n" });
  await put("cases", "a", "1\n3\n");
  const place = await open("cases");
  expect(((await api("GET", `${place}/files`)).json as { path: string }[]).map(({ path }) => path)).toEqual([
    "A",
    "a",
  ]);
  for (const [path, line, status] of [
    ["A", 1, 201],
    ["a", 2, 201],
    ["a", 3, 422],
  ])
    expect((await api("POST", `${place}/threads`, { path, line, body: "x" })).status).toBe(status);
  const threads = (await api("GET", `${place}/threads?path=A`)).json as { path: string }[];
  expect(threads.map(({ path }) => path)).toEqual(["A"]);
  expect((await api("PUT", `${place}/merge`, {})).status).toBe(200);
});

it("where the target branch is deleted during the merge, one of both happens, and it can be merged once the branch is back", async () => {
  for (const [round, delayMs] of [0, 60, 150].entries()) {
    const target = `release-${round}`;
    await api("POST", `${R}/branches`, { name: target, ref: "main" });
    await branch(`fix-${round}`, { [`fix-${round}`]: "1\n" });
    const place = await open(`fix-${round}`, target);
    const deleteTarget = async () => {
      await setTimeout(delayMs);
      return api("DELETE", `${R}/branches/${target}`);
    };
    const [merged, deleted] = await Promise.all([api("PUT", `${place}/merge`, {}), deleteTarget()]);
    expect([200, 409]).toContain(merged.status);
    expect(deleted.status).toBe(204);
    const { state, merge_sha: sha } = (await api("GET", place)).json;
    expect([state, sha === null]).toEqual(merged.status === 200 ? ["merged", false] : ["closed", true]);
    if (state === "merged") continue;
    const gone = await api("POST", `${place}/reopen`);
    expect([gone.status, gone.json.errors?.[0]]).toMatchObject([422, { field: "target_branch" }]);
    await api("POST", `${R}/branches`, { name: target, ref: "main" });
    expect((await api("POST", `${place}/reopen`)).status).toBe(200);
    expect((await api("PUT", `${place}/merge`, {})).status).toBe(200);
  }
});

it("texts that are too long are refused with their field, and others are kept as they were written", async () => {
  const { number } = (await api("POST", `${R}/issues`, { title: "Texts" })).json;
  const place = `${R}/issues/${number}`;
  const mountain = `a${"\u0301".repeat(1_000)}`;
  for (const [method, path, body, field] of [
    ["POST", `${R}/issues`, { title: mountain }, "title"],
    ["POST", `${R}/issues`, { title: "x", body: "x".repeat(65_537) }, "body"],
    ["POST", `${place}/comments`, { body: "x".repeat(65_537) }, "body"],
    ["PATCH", place, { body: "x".repeat(65_537) }, "body"],
  ] as const) {
    const { status, json } = await api(method, path, body);
    expect([path, status, json.errors?.[0]?.field]).toEqual([path, 422, field]);
  }
  const large = await api("POST", `${place}/comments`, { body: "x".repeat(mib) });
  expect([large.status, large.json.error, large.json.message]).toEqual([
    413,
    "payload_too_large",
    expect.any(String),
  ]);
  for (const body of [
    "\u202eabc\u2066\u200b\u{e0041}",
    "<svg onload=alert(1)>",
    "[".repeat(60_000),
    "> ".repeat(30_000),
  ]) {
    const made = await within(5_000, () => api("POST", `${place}/comments`, { body }));
    expect([made.status, made.json.body]).toEqual([201, body]);
  }
});

it("of two who edit one text at once the second is told, and whoever only sends it again is not", async () => {
  const issue = (await api("POST", `${R}/issues`, { title: "Both", body: "one" })).json;
  const comment = (await api("POST", `${R}/issues/${issue.number}/comments`, { body: "one" })).json;
  await branch("both", { both: "1\n" });
  const place = await open("both");
  await api("PATCH", place, { description: "one" });
  const said = { event: "comment", body: "one" };
  const review = (await api("POST", `${place}/reviews`, said)).json;
  await api("POST", "/orgs", { name: "acme" });
  await api("POST", "/orgs/acme/teams", { name: "core" });
  const board = "/orgs/acme/teams/core/discussions";
  const { number } = (await api("POST", board, { title: "Both", body: "one" })).json;
  const reply = (await api("POST", `${board}/${number}/replies`, { body: "one" })).json;
  for (const [path, field] of [
    [`${R}/issues/${issue.number}`, "body"],
    [`${R}/comments/${comment.id}`, "body"],
    [place, "description"],
    [`${place}/reviews/${review.id}`, "body"],
    [`${board}/${number}`, "body"],
    [`${board}/${number}/replies/${reply.id}`, "body"],
  ] as const) {
    const edit = async (text: string, previous: string) =>
      (await api("PATCH", path, { [field]: text, [`previous_${field}`]: previous })).status;
    const both = await Promise.all([edit("two", "one"), edit("three", "one")]);
    expect([path, both.toSorted((a, b) => a - b)]).toEqual([path, [200, 409]]);
    const now = (await api("GET", path)).json[field] as string;
    expect(now).toBe(both[0] === 200 ? "two" : "three");
    expect([await edit(now, "one"), await edit("four", "one"), await edit("four", now)]).toEqual([
      200, 409, 200,
    ]);
  }
});

it("a column whose label is deleted in the middle of a drag says so, and the issue stays where it was", async () => {
  const { id } = (await api("POST", `${R}/labels`, { name: "Doing" })).json;
  const rivals = await Promise.all(
    ["rival", "RIVAL", "Rival"].map((name) => api("POST", `${R}/labels`, { name })),
  );
  expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  const { number } = (await api("POST", `${R}/issues`, { title: "Moved", labels: ["rival"] })).json;
  const board = (await api("POST", `${R}/boards`, { name: "Flow", columns: ["doing"] })).json as Board;
  const to = board.columns.find(({ label }) => label)?.id;
  expect((await api("DELETE", `${R}/labels/${id}`)).status).toBe(204);
  const moved = await api("POST", `${R}/boards/${board.id}/move`, { number, to_column: to });
  expect([moved.status, moved.json.message]).toEqual([404, "The board has no such column."]);
  expect((await api("GET", `${R}/issues/${number}`)).json).toMatchObject({
    state: "open",
    labels: [{ name: expect.stringMatching(/rival/i) }],
  });
  expect((await api("GET", `${R}/boards/${board.id}`)).json.columns).toHaveLength(2);
});

it("a hundred people are asked for a review, and no more", async () => {
  const { db } = server.container.platform;
  const names = Array.from({ length: 101 }, (_, index) => `rev${index}`);
  await Promise.all(names.map((name) => server.person(name)));
  await db.query(
    "insert into collaborators (repository_id, user_id, permission) select $1, id, 'read' from users where username like 'rev%'",
    [repositoryId],
  );
  await branch("asked", { "asked.txt": "1\n" });
  const wanted = { title: "Asked", source_branch: "asked" };
  const over = await api("POST", M, { ...wanted, reviewers: names });
  expect([over.status, over.json.errors?.[0]?.field]).toEqual([422, "reviewers"]);
  const made = await within(5_000, () => api("POST", M, { ...wanted, reviewers: names.slice(1) }));
  expect([made.status, made.json.reviewers?.length]).toEqual([201, 100]);
}, 60_000);
