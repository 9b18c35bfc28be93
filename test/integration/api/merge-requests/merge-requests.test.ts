/** Merge requests over REST: opened, followed through pushes, merged in each way, and never in two ways at once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertIntent } from "@forgeline/server/domains/hosting/pushes/pushes.store.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { mergeBranch } from "@forgeline/server/platform/git/merging/merge-branch.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { keptRefs } from "../../../support/kept-refs.ts";

let server: ApiServer;
let ada: TestPerson;
let grace: TestPerson;
let repositoryId: string;
const somebody = { name: "Ada", email: "ada@example.com" };
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  grace = await server.person("grace");
  repositoryId = (await api("POST", "/repos", { name: "engine", readme: true, private: true })).json.id;
  await put("main", "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);

/** Its number. */
async function open(source: string, more: object = {}): Promise<number> {
  const made = await api("POST", M, { title: `Bring ${source}`, source_branch: source, ...more });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return made.json.number;
}

const show = async (number: number) => (await api("GET", `${M}/${number}`)).json;
const { put, branch, tipOf, commitOf } = branchesOver((...request) => api(...request), R);
const kept = (number: number) => keptRefs(server, repositoryId, number);
const compared = (number: number) =>
  eventually(async () => {
    const found = await show(number);
    return found.mergeable !== "checking" && found;
  });

it("is opened for a branch with commits of its own, once", async () => {
  const head = await branch("topic", { "b.txt": "b\n" });
  const made = await api("POST", M, {
    title: "Bring it",
    description: "As we **said**.",
    source_branch: "topic",
    assignees: ["ada"],
  });
  expect([made.status, made.headers.location]).toEqual([201, made.json.url]);
  expect(made.json).toMatchObject({
    title: "Bring it",
    state: "open",
    draft: false,
    author: { username: "ada" },
    source_branch: "topic",
    target_branch: "main",
    source_repo: { full_name: "ada/engine" },
    head_sha: head,
    base_sha: await tipOf("main"),
    merge_base_sha: await tipOf("main"),
    reviewers: [],
    assignees: [{ username: "ada" }],
    pipeline: null,
    viewer_may: { merge: true },
    web_url: `${server.webUrl}/ada/engine/merge-requests/${made.json.number}`,
  });
  const again = await api("POST", M, { title: "x", source_branch: "topic", target_branch: "main" });
  expect([again.status, again.json.message]).toEqual([
    409,
    `Merge request !${made.json.number} with these branches is open already.`,
  ]);
  expect(await compared(made.json.number)).toMatchObject({ mergeable: "clean", conflicts: [] });
  expect(await kept(made.json.number)).toEqual({ head, merge: expect.any(String) });
  const listed = await api("GET", `${M}?source_branch=topic&author=ADA&assignee=ada&q=bring`);
  expect([listed.headers["x-total-count"], listed.json[0].id]).toEqual(["1", made.json.id]);
});

it.each([
  [{ source_branch: "none" }, "source_branch", "unknown"],
  [{ source_branch: "topic", target_branch: "none" }, "target_branch", "unknown"],
  [{ source_branch: "-x y" }, "source_branch", "unknown"],
  [{ source_branch: "main" }, "source_branch", "same"],
  [{ source_branch: "old" }, "source_branch", "no_commits"],
  [{ source_branch: "topic", labels: ["none"], target_branch: "old" }, "labels", "unknown"],
])("is refused as %j", async (wanted, field, code) => {
  if (!(await tipOf("old"))) await branch("old", {});
  const { status, json } = await api("POST", M, { title: "x", ...wanted });
  expect([status, json.errors?.[0]]).toMatchObject([422, { field, code }]);
});

it("follows its branches, and says what conflicts", async () => {
  await branch("follow", { "a.txt": "one\n2\n3\n4\n5\n6\n7\n8\n9\n" });
  const number = await open("follow", { draft: true });
  expect(await compared(number)).toMatchObject({ mergeable: "blocked", blocked_by: [/draft/] });
  const head = await put("follow", "c.txt", "c\n");
  expect(await show(number)).toMatchObject({ head_sha: head });
  expect((await api("GET", `${M}/${number}/commits`)).json).toMatchObject([{ sha: head }, {}]);
  await put("main", "a.txt", "ONE\n2\n3\n4\n5\n6\n7\n8\n9\n");
  expect(
    await eventually(async () => (await compared(number)).conflicts.length > 0 && show(number)),
  ).toMatchObject({ mergeable: "conflict", conflicts: ["a.txt"] });
  await api("PATCH", `${M}/${number}`, { draft: false, title: "Both" });
  expect(await kept(number)).toEqual({ head });
  const merged = await api("PUT", `${M}/${number}/merge`, {});
  expect([merged.status, merged.json.conflicts]).toEqual([409, ["a.txt"]]);
  await api("DELETE", `${R}/branches/follow`);
  expect(await show(number)).toMatchObject({ state: "closed", closed_by: { username: "ada" } });
  const timeline = (await api("GET", `${M}/${number}/timeline`)).json as { kind: string }[];
  expect(timeline.map(({ kind }) => kind)).toEqual(["pushed", "renamed", "readied", "closed"]);
  expect((await api("POST", `${M}/${number}/reopen`)).status).toBe(422);
});

it.each(["merge", "squash", "rebase", "fast_forward"] as const)("is merged by %s", async (strategy) => {
  const name = `by-${strategy}`;
  const head = await branch(name, { [`${name}-1.txt`]: "1\n", [`${name}-2.txt`]: "2\n" });
  const number = await open(name, { description: "Why" });
  if (strategy !== "fast_forward") await put("main", `${name}.txt`, "meanwhile\n");
  const before = await tipOf("main");
  const stale = await api("PUT", `${M}/${number}/merge`, { strategy, sha: before });
  expect([stale.status, stale.json.error]).toEqual([409, "conflict"]);
  const { status, json } = await api("PUT", `${M}/${number}/merge`, {
    strategy,
    sha: head,
    delete_source_branch: true,
  });
  expect([status, json.message]).toEqual([200, undefined]);
  const tip = await tipOf("main");
  expect(json).toMatchObject({
    state: "merged",
    merged_by: { username: "ada" },
    merge_sha: tip,
    merge_strategy: strategy,
    head_sha: head,
    base_sha: before,
  });
  const { message, parents } = await commitOf(tip);
  const shas: string[] = parents.map(({ sha }: { sha: string }) => sha);
  const first = shas[0] ?? "";
  const came = {
    merge: [first, shas[1], message],
    squash: [first, shas.length, message],
    rebase: [(await commitOf(first)).parents[0].sha, shas.length],
    fast_forward: [tip],
  }[strategy];
  const wanted = {
    merge: [before, head, `Merge branch 'by-merge' into main\n\nBring by-merge (!${number})\n`],
    squash: [before, 1, `Bring by-squash (!${number})\n\nWhy\n`],
    rebase: [before, 1],
    fast_forward: [head],
  }[strategy];
  expect(came).toEqual(wanted);
  expect(await tipOf(name)).toBeUndefined();
  const files = (await api("GET", `${M}/${number}/files`)).json as { path: string; patch_url: string }[];
  expect(files.map(({ path }) => path)).toEqual([`${name}-1.txt`, `${name}-2.txt`]);
  const patch = (files[0]?.patch_url ?? "").slice(server.baseUrl.length);
  expect((await api("GET", patch)).json).toMatchObject({ path: `${name}-1.txt`, additions: 1 });
  expect((await api("GET", `${M}/${number}/commits`)).json).toHaveLength(2);
  expect((await api("PUT", `${M}/${number}/merge`, {})).json.message).toBe("It is merged already.");
  expect((await api("POST", `${M}/${number}/close`)).status).toBe(409);
});

it("is merged by who merges it with Git and pushes", async () => {
  const head = await branch("by-hand", { "hand.txt": "h\n" });
  const number = await open("by-hand");
  await compared(number);
  const repository = (await server.container.hosting.repositoryAccess.find("ada", "engine", {
    ...actorOf(ada),
  }))!.repository;
  const update = { ref: "refs/heads/main", before: (await tipOf("main")) ?? "", after: head };
  await server.container.hosting.pushes.move(repository, actorOf(ada), { update });
  expect(await eventually(async () => (await show(number)).state === "merged" && show(number))).toMatchObject(
    {
      merged_by: { username: "ada" },
      merge_sha: head,
      merge_strategy: null,
    },
  );
});

it("is merged when the server died after the branch had moved, and not closed meanwhile", async () => {
  const head = await branch("killed", { "killed.txt": "k\n" });
  const number = await open("killed");
  const before = await tipOf("main");
  const { db, git, storage } = server.container.platform;
  const directory = storage.directory(repositoryId);
  const made = await mergeBranch(
    git,
    { directory, signal: new AbortController().signal },
    {
      strategy: "squash",
      target: before,
      head,
      message: "Bring it",
      author: somebody,
      committer: somebody,
      maxCommits: 1,
    },
  );
  const sha = "commit" in made ? made.commit : "";
  // What a merge writes before the branch moves, by a server that is not there any more.
  await db.query(
    `update merge_requests set merging_sha = $2, merging_head_sha = $3, merging_strategy = 'squash', merging_by = $4, merging_at = now()
     where id = (select id from work_items where repository_id = $1 and number = $5)`,
    [repositoryId, sha, head, ada.id, number],
  );
  const update = { ref: "refs/heads/main", before, after: sha };
  const push = {
    id: newId("push"),
    repositoryId,
    cause: "push" as const,
    userId: ada.id,
    username: "ada",
    jobId: null,
    updates: [update],
    options: [],
    signature: null,
    atomic: false,
    reach: "starts" as const,
  };
  await insertIntent(db, push, { ageMs: 0, maxRepositoryBytes: null, writer: "gone" });
  expect((await api("POST", `${M}/${number}/close`)).status).toBe(409);
  expect((await api("PUT", `${M}/${number}/merge`, {})).status).toBe(409);
  await git.run({ directory, args: ["update-ref", "refs/heads/main", sha, before] });
  expect((await api("PUT", `${M}/${number}/merge`, {})).status).toBe(409);
  const found = await eventually(async () => (await show(number)).state === "merged" && show(number), {
    timeoutMs: 20_000,
  });
  expect(found).toMatchObject({
    merge_sha: sha,
    merge_strategy: "squash",
    merged_by: { username: "ada" },
    head_sha: head,
  });
});

it("is closed and reopened by its author and from Triage on, and commented on by who may read", async () => {
  await branch("rights", { "rights.txt": "r\n" });
  const number = await open("rights");
  expect((await as(grace)("GET", `${M}/${number}`)).status).toBe(404);
  await api("PUT", `${R}/collaborators/grace`, { permission: "read" });
  const closed = await as(grace)("POST", `${M}/${number}/close`);
  expect([closed.status, closed.json.message]).toEqual([403, expect.stringMatching(/Triage/)]);
  expect((await as(grace)("PUT", `${M}/${number}/merge`, {})).status).toBe(403);
  expect((await as(grace)("POST", M, { title: "x", source_branch: "rights" })).status).toBe(403);
  const comment = await as(grace)("POST", `${M}/${number}/comments`, { body: "Nice" });
  expect([comment.status, comment.json.body]).toEqual([201, "Nice"]);
  const ofIssues = as({ ...ada, token: await server.tokenFor(ada, ["issue:write"]) });
  expect((await ofIssues("GET", `${R}/comments/${comment.json.id}`)).status).toBe(404);
  expect((await ofIssues("DELETE", `${R}/comments/${comment.json.id}`)).status).toBe(403);
  expect((await api("GET", `${M}/${number}/comments`)).json).toHaveLength(1);
  for (const expected of ["closed", "closed"])
    expect((await api("POST", `${M}/${number}/close`)).json.state).toBe(expected);
  for (const expected of ["open", "open"])
    expect((await api("POST", `${M}/${number}/reopen`)).json.state).toBe(expected);
  await api("DELETE", `${R}/collaborators/grace`);
});

it.each(["merge", "close", "push"])(
  "has one outcome when one merges while another does: %s",
  async (other) => {
    for (const round of [1, 2]) {
      const name = `race-${other}-${round}`;
      await branch(name, { [`${name}.txt`]: "x\n" });
      const number = await open(name);
      const before = await tipOf("main");
      const merge = () => api("PUT", `${M}/${number}/merge`, { strategy: "squash" });
      const others = {
        merge,
        close: () => api("POST", `${M}/${number}/close`),
        push: () => put(name, `${name}-more.txt`, "y\n").then(() => ({ status: 409 })),
      };
      const answers = await Promise.all([merge(), others[other as keyof typeof others]()]);
      const found = await show(number);
      const tip = await tipOf("main");
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      // Merged and moved to exactly one commit, or closed and not moved.
      const isMerged = found.state === "merged";
      expect([found.state, found.merge_sha]).toEqual(isMerged ? ["merged", tip] : ["closed", null]);
      expect(isMerged ? (await commitOf(tip)).parents[0].sha : tip).toBe(before);
    }
  },
);

function actorOf(person: TestPerson) {
  return {
    ...systemActor,
    kind: "user" as const,
    userId: person.id,
    username: person.username,
    isAdmin: false,
  };
}
