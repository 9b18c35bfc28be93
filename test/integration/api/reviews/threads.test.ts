/** Threads follow the code through pushes, are resolved, and what people do at once comes out as if they took turns. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createThreadPositions } from "@forgeline/server/domains/collaboration/reviews/positions.ts";
import { maxOwnReviews, maxOwnThreads, maxReviews, maxThreads } from "@forgeline/schemas/reviews/resource.ts";
import {
  startApiServer,
  type ApiAnswer,
  type ApiServer,
  type TestPerson,
} from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let [ada, wes, rita]: TestPerson[] = [];
let repositoryId: string;
const R = "/repos/ada/app";
const M = `${R}/merge-requests`;
const numbered = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const textOf = (lines: readonly string[]) => `${lines.join("\n")}\n`;

const send = (person: TestPerson | undefined, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person!.token, body });
const done = async (...request: Parameters<typeof send>) => {
  const answer = await send(...request);
  if (answer.status >= 300) throw new Error(`${request[1]} ${request[2]}: ${answer.status} ${answer.text}`);
  return answer.json;
};
const { put, branch } = branchesOver((...request) => send(ada, ...request), R);

async function propose(name: string) {
  await branch(name, { "b.txt": textOf(["one", "two"]), "a.txt": textOf(numbered.with(4, "LINE 5")) });
  return done(ada, "POST", M, { title: name, source_branch: name });
}

/** What Git prints. */
async function git(input: string, ...args: string[]): Promise<string> {
  const { git: platformGit, storage } = server.container.platform;
  const env = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Ada"],
      [`GIT_${who}_EMAIL`, "ada@example.com"],
    ]),
  );
  const directory = storage.directory(repositoryId);
  return (await platformGit.run({ directory, args, input, env })).stdout.toString();
}

beforeAll(async () => {
  server = await startApiServer();
  [ada, wes, rita] = await Promise.all(["ada", "wes", "rita"].map((name) => server.person(name)));
  repositoryId = (await done(ada, "POST", "/repos", { name: "app", readme: true, private: true })).id;
  await done(ada, "PUT", `${R}/collaborators/wes`, { permission: "write" });
  await done(ada, "PUT", `${R}/collaborators/rita`, { permission: "read" });
  await put("main", "a.txt", textOf(numbered));
}, 60_000);
afterAll(() => server?.stop());

it("keeps threads at their lines, in whichever commit, and says which lines are gone", async () => {
  const { id, number, head_sha: first, merge_base_sha: base } = await propose("follow");
  const place = `${M}/${number}`;
  const at = async (wanted: object): Promise<string> =>
    (await done(wes, "POST", `${place}/threads`, { body: "x", ...wanted })).id;
  const below = await at({ path: "a.txt", line: 20 });
  const changed = await at({ path: "a.txt", line: 5 });
  const several = await at({ path: "a.txt", start_line: 10, line: 12 });
  const old = await at({ path: "a.txt", side: "old", line: 25 });
  const file = await at({ path: "b.txt" });
  const inFile = await at({ path: "b.txt", line: 2 });
  const show = (thread: string) => done(rita, "GET", `${place}/threads/${thread}`);
  expect(await show(old)).toMatchObject({ commit_sha: base, current: { line: 25, commit_sha: base } });

  const lines = ["zero", ...numbered.with(4, "LINE V").toSpliced(10, 0, "between")];
  const head = await put("follow", "a.txt", textOf(lines));
  await eventually(async () => (await show(below)).current.commit_sha === head);
  expect(await show(below)).toMatchObject({ line: 20, commit_sha: first, current: { line: 22 } });
  expect(await show(file)).toMatchObject({ line: null, current: { path: "b.txt", line: null } });
  for (const gone of [changed, several])
    expect(await show(gone)).toMatchObject({ outdated: true, current: null });
  expect((await show(changed)).excerpt).toMatch(/-line 5\n\+LINE 5$/);
  const outdated = await done(rita, "GET", `${place}/threads?outdated=true&path=a.txt`);
  expect(outdated.map((thread: { id: string }) => thread.id)).toEqual([changed, several]);
  // Who still looked at the first version.
  const late = await at({ path: "a.txt", line: 20, commit_sha: first });
  await eventually(async () => (await show(late)).current.line === 22);

  const tree = (await git("", "ls-tree", head)).replace("\tb.txt", "\tc.txt");
  const renamed = (await git("", "commit-tree", "-m", "x", (await git(tree, "mktree")).trim())).trim();
  const newBase = await put("main", "a.txt", textOf(["zero", ...numbered]));
  const positions = createThreadPositions({ ...server.container.platform, db: server.container.platform.db });
  for (const _twice of [1, 2]) await positions.follow({ id, repositoryId, head: renamed, base: newBase });
  expect(await show(inFile)).toMatchObject({ path: "b.txt", current: { path: "c.txt", line: 2 } });
  expect(await show(file)).toMatchObject({ outdated: false, current: { path: "c.txt" } });
  expect(await show(old)).toMatchObject({ line: 25, current: { line: 26, commit_sha: newBase } });
  await positions.follow({ id, repositoryId, head: newBase, base: null });
  expect(await show(file)).toMatchObject({ outdated: true });
  // A commit that is not there any more.
  await positions.follow({ id, repositoryId, head: "1".repeat(40), base: null });
  expect(await show(below)).toMatchObject({ outdated: true });
});

it("is replied to and resolved by those who may, and goes with its last comment", async () => {
  const { number } = await propose("talk");
  const place = `${M}/${number}`;
  const thread = await done(wes, "POST", `${place}/threads`, { path: "b.txt", line: 1, body: "Why?" });
  const one = `${place}/threads/${thread.id}`;
  const reply = await done(rita, "POST", `${one}/comments`, { body: "Because." });
  expect(reply).toMatchObject({ path: "b.txt", line: 1, pending: false, thread_id: thread.id });
  await done(rita, "POST", `${one}/comments`, { body: "Later.", pending: true });
  const counted = async (person?: TestPerson) => (await done(person, "GET", `${one}/comments`)).length;
  expect([await counted(rita), await counted(ada)]).toEqual([3, 2]);
  expect(await done(ada, "GET", one)).toMatchObject({ comments_count: 2, comments: [{}, {}] });
  expect((await send(rita, "POST", `${one}/resolve`)).status).toBe(403);
  expect(await done(ada, "POST", `${one}/resolve`)).toMatchObject({
    resolved: true,
    resolved_by: { username: "ada" },
  });
  expect(await done(ada, "GET", `${place}/threads?state=open`)).toEqual([]);
  expect(await done(ada, "GET", `${R}/comments/${reply.id}`)).toMatchObject({ resolved: true });
  expect(await done(wes, "POST", `${one}/reopen`)).toMatchObject({ resolved: false, resolved_at: null });
  await done(ada, "PUT", `${place}/draft`, { draft: true });
  await server.container.platform.db.query("update work_items set locked = true where number = $1", [number]);
  expect((await send(rita, "POST", `${one}/comments`, { body: "x" })).status).toBe(403);
  await done(wes, "POST", `${one}/comments`, { body: "Locked." });
  const comments = (await done(rita, "GET", `${one}/comments`)) as { id: string }[];
  for (const { id } of comments) {
    const { status } = await send(ada, "DELETE", `${R}/comments/${id}`);
    if (status !== 204) await done(rita, "DELETE", `${R}/comments/${id}`);
  }
  expect((await send(ada, "GET", one)).status).toBe(404);
  expect(await done(ada, "GET", place)).toMatchObject({ comments_count: 0 });
});

it("takes one of two who submit, and what was seen before a push, and resolves once", async () => {
  const { number } = await propose("races");
  const place = `${M}/${number}`;
  const thread = await done(wes, "POST", `${place}/threads`, { path: "b.txt", line: 1, body: "Why?" });
  let head = (await done(ada, "GET", place)).head_sha as string;
  for (let round = 0; round < 20; round += 1) {
    const comments = round === 0 ? [{ path: "b.txt", line: 1, body: "x" }] : [];
    const review = await done(wes, "POST", `${place}/reviews`, { comments });
    const submit = () =>
      send(wes, "POST", `${place}/reviews/${review.id}/submit`, { event: "approve", commit_sha: head });
    const push = () => put("races", "race.txt", `${round}\n`);
    const decide = () => send(ada, "POST", `${place}/threads/${thread.id}/resolve`);
    const begun = round % 2 === 0 ? [submit(), submit(), push()] : [push(), submit(), submit()];
    const [results] = await Promise.all([Promise.all(begun), decide(), decide()]);
    const statuses = results.map((each) => (typeof each === "string" ? "pushed" : `${each.status}`));
    expect(statuses.toSorted((a, b) => a.localeCompare(b))).toEqual(["200", "409", "pushed"]);
    const submitted = results.find((each) => typeof each === "object" && each.status === 200);
    expect((submitted as ApiAnswer).json).toMatchObject({
      state: "approved",
      commit_sha: head,
      comments_count: comments.length,
    });
    head = results.find((each) => typeof each === "string") ?? head;
    await done(ada, "POST", `${place}/threads/${thread.id}/reopen`);
  }
  const kinds = (await done(ada, "GET", `${place}/timeline?per_page=100`)) as { kind: string }[];
  const count = (wanted: string) => kinds.filter(({ kind }) => kind === wanted).length;
  expect(["reviewed", "pushed", "thread_resolved", "thread_reopened"].map(count)).toEqual([20, 20, 20, 20]);
  expect(await done(ada, "GET", place)).toMatchObject({ comments_count: 2 });
}, 60_000);

it("bounds what one person writes, and keeps nobody out whose review decides", async () => {
  const { number, head_sha: head } = await propose("bounded");
  const at = `${M}/${number}`;
  const { db } = server.container.platform;
  const fill = (author: TestPerson | undefined, from: number, to: number) =>
    db.query(
      `insert into reviews (id, merge_request_id, repository_id, author_id, state, body, head_sha, submitted_at)
       select 'rev_' || lpad(n::text, 26, '0'), m.id, m.repository_id, $2, 'commented', 'So.', $3, now()
       from generate_series($4::int, $5::int) n, merge_requests m join work_items w on w.id = m.id
       where m.repository_id = $6 and w.number = $1`,
      [number, author!.id, head, from, to, repositoryId],
    );
  await fill(rita, 1, maxOwnReviews - 1);
  const comment = (person: TestPerson | undefined) =>
    send(person, "POST", `${at}/reviews`, { event: "comment", commit_sha: head, body: "So." });
  expect((await comment(rita)).status).toBe(201);
  const own = await comment(rita);
  expect([own.status, own.json.message]).toEqual([409, expect.stringContaining("most for one person")]);
  await fill(ada, maxOwnReviews, maxReviews);
  await db.query("update reviews set author_id = $1 where author_id = $2 and body = 'So.'", [
    ada!.id,
    rita!.id,
  ]);
  const all = await comment(rita);
  expect([all.status, all.json.message]).toEqual([409, expect.stringContaining("at most 1000 reviews")]);
  expect((await comment(wes)).status).toBe(201);

  const begin = (person: TestPerson | undefined, line: number) =>
    send(person, "POST", `${at}/threads`, { path: "b.txt", line, body: "Why?" });
  expect((await begin(rita, 1)).status).toBe(201);
  const copy = (author: TestPerson | undefined, count: number) =>
    db.query(
      `insert into review_threads select (jsonb_populate_record(t, jsonb_build_object(
         'id', 'thr_' || substr(md5($1 || n::text), 1, 26), 'author_id', $1))).*
       from review_threads t join merge_requests m on m.id = t.merge_request_id
         join work_items w on w.id = m.id, generate_series(1, $2::int) n
       where w.number = $3 and w.repository_id = $4 and t.author_id = $5`,
      [author!.id, count, number, repositoryId, rita!.id],
    );
  await copy(ada, maxThreads);
  expect((await begin(rita, 2)).json.message).toContain("at most 1000 threads");
  expect((await begin(wes, 2)).status).toBe(201);
  await db.query("delete from review_threads where author_id = $1", [ada!.id]);
  await copy(rita, maxOwnThreads - 1);
  expect((await begin(rita, 2)).json.message).toContain("most for one person");
});
