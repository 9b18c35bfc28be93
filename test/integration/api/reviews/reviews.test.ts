/** Reviews over REST: pending ones that nobody else sees, decisions, threads, who is asked, and what happens at once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";

let server: ApiServer;
/** Owner of the organization; administrator; writes; proposes, with write; reads; reads. */
let [olga, root, wes, ada, rita, mia]: TestPerson[] = [];
const R = "/repos/acme/app";
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
const { put, branch } = branchesOver((...request) => send(olga, ...request), R);

/** With line 5 changed, and a new file. */
async function propose(name: string, more: object = {}) {
  await branch(name, {
    [`${name}.txt`]: "new\n",
    "a.txt": textOf(numbered.with(4, "LINE 5")),
  });
  return done(ada, "POST", M, { title: name, source_branch: name, ...more });
}

beforeAll(async () => {
  server = await startApiServer();
  const people = await Promise.all(
    ["olga", "root", "wes", "ada", "rita", "mia"].map((name) =>
      server.person(name, { isAdmin: name === "root" }),
    ),
  );
  [olga, root, wes, ada, rita, mia] = people;
  await done(olga, "POST", "/orgs", { name: "acme" });
  await done(olga, "POST", "/repos", { owner: "acme", name: "app", readme: true, private: true });
  for (const name of ["ada", "wes", "rita", "mia"])
    await done(olga, "PUT", `${R}/collaborators/${name}`, {
      permission: ["ada", "wes"].includes(name) ? "write" : "read",
    });
  await put("main", "a.txt", textOf(numbered));
}, 60_000);
afterAll(() => server?.stop());

it("keeps a pending review from everybody but its author, and publishes it once", async () => {
  const { number } = await propose("pending");
  const place = `${M}/${number}`;
  const thread = await done(rita, "POST", `${place}/threads`, {
    path: "a.txt",
    line: 5,
    start_line: 4,
    body: "**Why?**",
    pending: true,
  });
  expect(thread).toMatchObject({
    pending: true,
    resolved: false,
    outdated: false,
    side: "new",
    start_line: 4,
    line: 5,
    excerpt: " line 1\n line 2\n line 3\n line 4\n-line 5\n+LINE 5",
    comments: [{ body: "**Why?**", pending: true, path: "a.txt", line: 5, review_id: /^rev_/ }],
  });
  const [review] = await done(rita, "GET", `${place}/reviews`);
  expect(review).toMatchObject({
    state: "pending",
    comments_count: 1,
    submitted_at: null,
    viewer_may: { submit: true },
  });
  expect((await send(rita, "POST", `${place}/reviews`, {})).status).toBe(409);
  const comment = thread.comments[0].id;
  for (const other of [ada, olga, root])
    for (const [path, method, body] of [
      [`${place}/reviews/${review.id}`],
      [`${place}/reviews/${review.id}/submit`, "POST", { event: "comment" }],
      [`${place}/threads/${thread.id}`],
      [`${place}/threads/${thread.id}/comments`],
      [`${place}/threads/${thread.id}/comments`, "POST", { body: "x" }],
      [`${place}/threads/${thread.id}/resolve`, "POST"],
      [`${R}/comments/${comment}`],
      [`${R}/comments/${comment}`, "PATCH", { body: "x" }],
      [`${R}/comments/${comment}`, "DELETE"],
    ] as const)
      expect([path, (await send(other, method ?? "GET", path, body)).status]).toEqual([path, 404]);
  for (const list of ["reviews", "threads", "comments", "reviewers"]) {
    const { json, headers } = await send(olga, "GET", `${place}/${list}`);
    expect([list, json, headers["x-total-count"]]).toEqual([list, [], "0"]);
  }
  expect(await done(ada, "GET", place)).toMatchObject({ comments_count: 0, reviewers: [] });
  expect(await eventsOf(number)).toEqual(["merge_request opened"]);
  await done(rita, "PATCH", `${R}/comments/${comment}`, { body: "Why so?" });
  expect(await eventsOf(number)).toEqual(["merge_request opened"]);

  const submitted = await done(rita, "POST", `${place}/reviews/${review.id}/submit`, {
    event: "request_changes",
    body: "Not yet.",
  });
  expect(submitted).toMatchObject({
    state: "changes_requested",
    counts: false,
    stale: false,
    comments_count: 1,
  });
  expect(await done(ada, "GET", `${R}/comments/${comment}`)).toMatchObject({
    body: "Why so?",
    pending: false,
    edited_at: null,
    resolved: false,
    thread_id: thread.id,
  });
  expect(await done(ada, "GET", place)).toMatchObject({
    comments_count: 1,
    reviewers: [{ username: "rita" }],
  });
  expect(await eventsOf(number)).toEqual([
    "merge_request opened",
    "comment created",
    "merge_request_review submitted",
  ]);
  expect((await send(rita, "DELETE", `${place}/reviews/${review.id}`)).status).toBe(409);
});

it("throws a pending review away with its threads", async () => {
  const { number } = await propose("thrown");
  const place = `${M}/${number}`;
  const comments = [{ path: "a.txt", line: 5, side: "old", body: "was better" }];
  const review = await done(wes, "POST", `${place}/reviews`, { comments });
  const [thread] = await done(wes, "GET", `${place}/threads`);
  expect(thread).toMatchObject({ side: "old", excerpt: / line 4\n-line 5$/ });
  await done(wes, "DELETE", `${place}/reviews/${review.id}`);
  expect(await done(wes, "GET", `${place}/threads`)).toEqual([]);
  const alone = await done(wes, "POST", `${place}/threads`, { path: "thrown.txt", body: "x", pending: true });
  await done(wes, "DELETE", `${R}/comments/${alone.comments[0].id}`);
  expect((await send(wes, "GET", `${place}/threads/${alone.id}`)).status).toBe(404);
});

it("refuses decisions that nobody may make, and places that are not there", async () => {
  const { number, head_sha: head, merge_base_sha: base } = await propose("refused");
  const place = `${M}/${number}`;
  const refused = async (person: TestPerson | undefined, path: string, body: object) => {
    const { status, json } = await send(person, "POST", `${place}/${path}`, body);
    return [status, json.errors?.[0]?.field];
  };
  expect(await refused(ada, "reviews", { event: "approve" })).toEqual([409, undefined]);
  expect(await refused(wes, "reviews", { event: "comment" })).toEqual([422, "body"]);
  expect(await refused(wes, "reviews", { event: "approve", commit_sha: base })).toEqual([422, "commit_sha"]);
  const inReview = { event: "comment", comments: [{ path: "none", body: "x" }] };
  expect(await refused(wes, "reviews", inReview)).toEqual([422, "comments.0.path"]);
  for (const [wanted, field] of [
    [{ path: "README.md", line: 1 }, "path"],
    [{ path: "a.txt", line: 31 }, "line"],
    [{ path: "refused.txt", line: 1, side: "old" }, "path"],
    [{ path: "a.txt", line: 2, start_line: 2 }, "start_line"],
    [{ path: "a.txt", line: 1, commit_sha: "1".repeat(40) }, "commit_sha"],
  ] as const)
    expect(await refused(wes, "threads", { body: "x", ...wanted })).toEqual([422, field]);
  await done(olga, "PATCH", place, { draft: true });
  await done(ada, "PUT", `${place}/draft`, { draft: false });
  await done(olga, "POST", `${place}/close`);
  expect(await refused(wes, "reviews", { event: "approve" })).toEqual([409, undefined]);
  const said = await done(wes, "POST", `${place}/reviews`, { event: "comment", body: "A pity." });
  expect(said).toMatchObject({ state: "commented", commit_sha: head, url: /reviews\/rev_/ });
});

it("counts an approval as long as its author may write, until it is dismissed", async () => {
  const { number } = await propose("counts");
  const place = `${M}/${number}`;
  const review = await done(wes, "POST", `${place}/reviews`, { event: "approve" });
  const shown = () => done(rita, "GET", `${place}/reviews/${review.id}`);
  expect(await shown()).toMatchObject({
    state: "approved",
    counts: true,
    stale: false,
    viewer_may: { dismiss: false },
  });
  await done(olga, "PUT", `${R}/collaborators/wes`, { permission: "read" });
  expect(await shown()).toMatchObject({ counts: false });
  await done(olga, "DELETE", `${R}/collaborators/wes`);
  expect(await shown()).toMatchObject({ counts: false });
  await done(olga, "PUT", `${R}/collaborators/wes`, { permission: "write" });
  expect(await shown()).toMatchObject({ counts: true });
  await put("counts", "more.txt", "x\n");
  expect(await shown()).toMatchObject({ stale: true });
  const dismiss = (person?: TestPerson) =>
    send(person, "POST", `${place}/reviews/${review.id}/dismiss`, { reason: "There is more now." });
  expect((await dismiss(ada)).status).toBe(403);
  expect((await dismiss(olga)).json).toMatchObject({
    state: "dismissed",
    dismissed_by: { username: "olga" },
    dismissed_reason: "There is more now.",
  });
  expect((await dismiss(olga)).status).toBe(409);
  expect(await done(rita, "GET", `${place}/reviewers`)).toMatchObject([
    { user: { username: "wes" }, team: null, reason: null, state: "dismissed" },
  ]);
  expect(await done(rita, "GET", `${place}/timeline`)).toMatchObject([
    { kind: "reviewed", review: { id: review.id, state: "approved" } },
    { kind: "pushed" },
    { kind: "review_dismissed", user: "wes", reason: "There is more now." },
  ]);
});

it("asks people and teams, and tells of a secret team only to those who may see it", async () => {
  for (const [name, visibility] of [
    ["core", "visible"],
    ["hidden", "secret"],
  ])
    await done(olga, "POST", "/orgs/acme/teams", { name, visibility });
  await done(olga, "PUT", "/orgs/acme/members/mia", { role: "member" });
  await done(olga, "PUT", "/orgs/acme/members/wes", { role: "member" });
  await done(olga, "PUT", "/orgs/acme/teams/core/members/wes", { role: "member" });
  const made = await propose("asked", { reviewers: ["Rita"] });
  expect(made).toMatchObject({ reviewers: [{ username: "rita" }], reviewer_teams: [] });
  const place = `${M}/${made.number}`;
  const ask = (person: TestPerson | undefined, body: object) =>
    send(person, "PUT", `${place}/reviewers`, body);
  expect((await ask(rita, { reviewers: [] })).status).toBe(403);
  for (const reviewers of [["ada"], ["nobody"]])
    expect((await ask(ada, { reviewers })).json.errors).toMatchObject([{ field: "reviewers" }]);
  for (const team of ["acme/core", "acme/hidden", "acme/none"])
    expect((await ask(ada, { teams: [team] })).json.errors).toMatchObject([{ field: "teams" }]);
  const asked = await ask(olga, { reviewers: ["wes"], teams: ["acme/Core", "acme/hidden"] });
  expect(asked.json).toMatchObject({
    reviewers: [{ username: "wes" }],
    reviewer_teams: ["acme/core", "acme/hidden"],
  });
  const teamsOf = async (person?: TestPerson) => (await done(person, "GET", place)).reviewer_teams;
  expect([await teamsOf(mia), await teamsOf(rita), await teamsOf(root)]).toEqual([
    ["acme/core"],
    [],
    ["acme/core", "acme/hidden"],
  ]);
  // Who does not see a team takes away none.
  await done(ada, "PUT", `${place}/reviewers`, { teams: [] });
  await done(wes, "POST", `${place}/reviews`, { event: "approve" });
  const states = async (person?: TestPerson) =>
    (await done(person, "GET", `${place}/reviewers`)).map(
      (each: { user: { username: string } | null; team: string; state: string }) =>
        `${each.user?.username ?? each.team} ${each.state}`,
    );
  expect(await states(olga)).toEqual(["wes approved", "acme/core approved", "acme/hidden waiting"]);
  expect(await states(mia)).toEqual(["wes approved", "acme/core approved"]);
  for (const list of ["timeline", "reviewers"])
    expect((await send(mia, "GET", `${place}/${list}`)).text).not.toContain("hidden");
  const { reviewers } = server.container.collaboration;
  const { db } = server.container.platform;
  const owners = [
    { userId: rita!.id, pattern: "*.md" },
    { userId: rita!.id, pattern: "/a" },
  ];
  for (const list of [owners, owners])
    await db.transaction((tx) => reviewers.setCodeOwners(tx, made.id, list));
  expect(await done(mia, "GET", `${place}/reviewers`)).toMatchObject([
    { user: { username: "rita" }, reason: "code_owner", pattern: "*.md", state: "waiting" },
    {},
    {},
  ]);
  await db.transaction((tx) => reviewers.setCodeOwners(tx, made.id, []));
  expect(await states(mia)).toEqual(["wes approved", "acme/core approved"]);
});

/** `kind action`, oldest first. */
async function eventsOf(number: number): Promise<string[]> {
  const rows = await server.container.platform.db.query<{ kind: string; action: string }>(
    `select kind, action from events where coalesce(subject -> 'merge_request' ->> 'number', subject -> 'comment' ->> 'number') = $1
     order by position`,
    [String(number)],
  );
  return rows.map(({ kind, action }) => `${kind} ${action}`);
}
