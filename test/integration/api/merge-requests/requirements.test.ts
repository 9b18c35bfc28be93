/** What rules for branches require of merge requests: approvals, owners, checks, strategies, who may merge, and who may bypass. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
const R = "/repos/acme/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  [ada, bob, cat] = [await server.person("ada"), await server.person("bob"), await server.person("cat")];
  await api("POST", "/orgs", { name: "acme" });
  await api("POST", "/repos", { owner: "acme", name: "engine", readme: true, private: true });
  for (const name of ["bob", "cat"]) await api("PUT", `/orgs/acme/members/${name}`, {});
  for (const name of ["bob", "cat"]) await api("PUT", `${R}/collaborators/${name}`, { permission: "write" });
  await api("POST", "/orgs/acme/teams", { name: "data", visibility: "secret" });
  await api("PUT", "/orgs/acme/teams/data/members/cat", { role: "member" });
  await api("PUT", "/orgs/acme/teams/data/repos/engine", { permission: "write" });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const query = (sql: string, values: unknown[]) => server.container.platform.db.query(sql, values);
const { put, branch, tipOf } = branchesOver((...request) => api(...request), R);

let count = 0;
/** A rule for a branch of its own, and a merge request by ada into it. */
async function proposed(rule: object, files: Record<string, string> = { "a.txt": "a\n" }) {
  count += 1;
  const [target, source] = [`target-${count}`, `source-${count}`];
  await api("POST", `${R}/branches`, { name: target, ref: "main" });
  const head = await branch(source, files);
  const made = await api("POST", `${R}/branch-protections`, {
    pattern: target,
    push_level: "write",
    ...rule,
  });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  const opened = await api("POST", M, { title: source, source_branch: source, target_branch: target });
  const { number } = opened.json as { number: number };
  const at = `${M}/${number}`;
  const rules = `${R}/branch-protections/${made.json.id}`;
  return { target, source, head, number, at, rules };
}

/** Says what somebody thinks of a head. */
async function decide(at: string, person: TestPerson, event: "approve" | "request_changes", sha: string) {
  const made = await as(person)("POST", `${at}/reviews`, { event, commit_sha: sha, body: "So." });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
}

const merge = (person: TestPerson, at: string, body: object = {}) => as(person)("PUT", `${at}/merge`, body);
const show = async (at: string) => (await api("GET", at)).json;

it("merges when enough people with Write have approved, and nobody wants changes", async () => {
  const { target, head, at } = await proposed({ required_approvals: 1 });
  const told = "It needs 1 approval by people with Write, and 1 is missing.";
  const refused = await merge(bob, at);
  expect([refused.status, refused.json.message, refused.json.blocked_by]).toEqual([409, told, [told]]);
  expect((await show(at)).blocked_by).toEqual([told]);
  await decide(at, bob, "approve", head);
  await decide(at, cat, "request_changes", head);
  expect((await merge(bob, at)).json.message).toContain("@cat requested changes");
  await api("PUT", `${R}/collaborators/cat`, { permission: "read" });
  expect((await api("GET", `${at}/approvals`)).json).toMatchObject({
    required: 1,
    given: 1,
    missing: 0,
    by: expect.arrayContaining([
      expect.objectContaining({ state: "approved", counts: true, stale: false }),
      expect.objectContaining({ state: "changes_requested", counts: true }),
    ]),
    viewer_may: { merge: true, bypass: false },
  });
  await api("DELETE", "/orgs/acme/teams/data/members/cat");
  // Lost access no longer counts.
  expect((await merge(bob, at)).json.state).toBe("merged");
  expect(await tipOf(target)).toBe((await show(at)).merge_sha);
  await api("PUT", `${R}/collaborators/cat`, { permission: "write" });
  await api("PUT", "/orgs/acme/teams/data/members/cat", { role: "member" });
});

it("forgets approvals of older heads where a rule says so, and asks for somebody other than the last pusher", async () => {
  const rule = { required_approvals: 1, dismiss_stale_approvals: true, require_last_push_approval: true };
  const { head, at, source } = await proposed(rule);
  await decide(at, bob, "approve", head);
  expect((await show(at)).blocked_by).toEqual([]);
  const next = await as(bob)("PUT", `${R}/contents/b.txt`, {
    branch: source,
    message: "more",
    content: Buffer.from("b\n").toString("base64"),
  });
  const newer = next.json.commit.sha as string;
  expect((await show(at)).blocked_by).toEqual([
    expect.stringContaining("1 is missing"),
    expect.stringContaining("other than the last pusher"),
  ]);
  await decide(at, bob, "approve", newer);
  expect((await merge(ada, at)).json.message).toContain("other than the last pusher");
  await decide(at, cat, "approve", newer);
  expect((await merge(ada, at)).json.state).toBe("merged");
});

it("knows who pushed while it was closed, and forgets approvals for another target", async () => {
  const rule = { required_approvals: 1, require_last_push_approval: true };
  const { at, source, target, head } = await proposed(rule);
  await api("POST", `${at}/close`);
  const pushed = await as(bob)("PUT", `${R}/contents/b.txt`, {
    branch: source,
    message: "more",
    content: Buffer.from("b\n").toString("base64"),
  });
  const newer = pushed.json.commit.sha as string;
  expect((await api("POST", `${at}/reopen`)).status).toBe(200);
  expect((await api("GET", `${at}/timeline`)).json).toContainEqual(
    expect.objectContaining({
      kind: "pushed",
      actor: expect.objectContaining({ username: "bob" }),
      to: newer,
    }),
  );
  await decide(at, bob, "approve", newer);
  expect((await show(at)).blocked_by).toEqual([expect.stringContaining("other than the last pusher")]);
  await decide(at, cat, "approve", newer);
  expect((await show(at)).blocked_by).toEqual([]);
  for (const target_branch of ["main", target])
    expect((await api("PATCH", at, { target_branch })).status).toBe(200);
  expect((await show(at)).blocked_by).toEqual([
    expect.stringContaining("1 is missing"),
    expect.stringContaining("other than the last pusher"),
  ]);
  await decide(at, cat, "approve", newer);
  expect((await merge(ada, at)).json).toMatchObject({ state: "merged" });
  expect(newer).not.toBe(head);
});

it("asks the code owners of the changed files, and shows a secret team's part to nobody else", async () => {
  await put("main", "CODEOWNERS", "*.md @bob\n/db/ @acme/data\n^[Style]\n*.css @ada\n");
  const files = { "db/x.sql": "x\n", "n.md": "n\n", "s.css": "s\n" };
  const { head, at } = await proposed({ require_code_owners: true }, files);
  expect((await show(at)).blocked_by).toEqual([
    "It needs 1 approval more by code owners of *.md.",
    "It needs 1 approval more by code owners of /db/.",
  ]);
  await decide(at, bob, "approve", head);
  await decide(at, cat, "approve", head);
  const { code_owners: owners } = (await api("GET", `${at}/approvals`)).json;
  const asked = await eventually(async () => {
    const all = (await api("GET", `${at}/reviewers`)).json as { reason: string; pattern: string }[];
    return all.some(({ reason }) => reason === "code_owner") && all;
  });
  expect(asked.map(({ pattern }) => pattern)).toEqual(expect.arrayContaining(["*.md", "/db/"]));
  expect((await as(bob)("GET", `${at}/reviewers`)).text).not.toContain("acme/data");
  expect(owners).toMatchObject([
    { pattern: "*.md", section: null, owners: ["@bob"], approved_by: [{ username: "bob" }], missing: 0 },
    { pattern: "/db/", approved_by: [{ username: "cat" }], missing: 0 },
  ]);
  const seen = (await as(bob)("GET", `${at}/approvals`)).json.code_owners;
  expect(seen[1]).toMatchObject({ pattern: "/db/", approved_by: [], missing: 0 });
  expect((await merge(bob, at, { strategy: "squash" })).json.state).toBe("merged");
});

it("waits for named checks, of which skipped ones count and absent ones do not", async () => {
  const checks = [{ pipeline: ".forgeline.yml" }, { pipeline: ".forgeline.yml", job: "test" }];
  const pipeline =
    "on:\n  push: {}\njobs:\n  test:\n    image: alpine\n    when: { branch: main }\n    steps: [{ run: echo }]\n";
  const { head, at, rules } = await proposed({ required_checks: checks }, { ".forgeline.yml": pipeline });
  const end = async (status: string, job: string, reason: string | null) => {
    await query("update pipelines set status = $2 where sha = $1", [head, status]);
    await query(
      "update jobs set status = $2, reason = $3 where pipeline_id in (select id from pipelines where sha = $1)",
      [head, job, reason],
    );
  };
  await end("running", "failed", null);
  expect((await show(at)).blocked_by).toEqual([
    ".forgeline.yml has not ended yet.",
    ".forgeline.yml#test has not passed.",
  ]);
  expect((await api("GET", `${at}/checks`)).json).toMatchObject([
    { pipeline: ".forgeline.yml", job: null, state: "running", run: { number: expect.any(Number) } },
    { job: "test", state: "failed" },
  ]);
  expect((await merge(ada, at)).status).toBe(409);
  // Another run was to run for the commit, and there is none.
  await query("update pipelines set status = 'skipped', reason = 'merge_request:!9' where sha = $1", [head]);
  expect((await api("GET", `${at}/checks`)).json).toMatchObject([{ state: "missing" }, { state: "missing" }]);
  await end("success", "skipped", "when:branch");
  await api("PATCH", rules, { required_checks: [...checks, { pipeline: ".forgeline/other.yml" }] });
  expect((await merge(ada, at)).json.message).toBe(".forgeline/other.yml has not run for its head.");
  await api("PATCH", rules, { required_checks: checks });
  expect((await merge(ada, at)).json.state).toBe("merged");
});

it("lets merge who may, in the ways that rules allow", async () => {
  const rule = { merge_level: "none", merge_users: ["bob"], require_linear_history: true };
  const { at, rules, target } = await proposed({ ...rule, merge_strategies: ["merge", "squash"] });
  const closed = await merge(ada, at, { strategy: "squash" });
  expect([closed.status, closed.json.message]).toEqual([
    403,
    `Rule "${target}" allows only the users and teams it names to merge here.`,
  ]);
  expect((await show(at)).viewer_may.merge).toBe(false);
  expect((await as(bob)("GET", `${at}/approvals`)).json.strategies).toEqual(["squash"]);
  const wrong = await merge(bob, at, { strategy: "merge" });
  expect([wrong.status, wrong.json.message]).toEqual([
    409,
    "The rules for this branch do not let merge requests be merged with a merge commit: use squash.",
  ]);
  await api("PATCH", rules, { merge_strategies: ["merge"] });
  expect((await show(at)).blocked_by).toEqual(["The rules for this branch have no way to merge in common."]);
  await api("PATCH", rules, { merge_strategies: ["rebase"] });
  expect((await merge(bob, at, { strategy: "rebase" })).json.state).toBe("merged");
});

it("is merged all the same by those named for it, with a reason, which is audited and shown", async () => {
  const { at, rules, number } = await proposed({ required_approvals: 1, bypass_users: ["bob"] });
  expect((await merge(bob, at, { bypass: true })).json.errors).toMatchObject([{ field: "bypass_reason" }]);
  const body = { bypass: true, bypass_reason: "The site is down." };
  // Named, but without Maintain; and the other way round.
  expect((await merge(bob, at, body)).status).toBe(403);
  expect((await merge(ada, at, body)).status).toBe(403);
  await api("PATCH", rules, { bypass_users: ["bob", "ada"] });
  expect((await api("GET", `${at}/approvals`)).json.viewer_may).toEqual({ merge: true, bypass: true });
  expect((await merge(ada, at)).status).toBe(409);
  expect((await merge(ada, at, body)).json.state).toBe("merged");
  const [entry] = await query("select details from audit_log where action = 'push.override'", []);
  const overridden = { rule: "branch_protection", merge_request: number, reason: "The site is down." };
  expect(entry).toMatchObject({ details: overridden });
  const [event] = await query("select subject from events where subject ? 'bypassed'", []);
  const bypass = { reason: "The site is down.", missing: [expect.stringMatching(/approval/)] };
  expect(event).toMatchObject({ subject: { bypassed: true, bypass } });
  const timeline = (await api("GET", `${at}/timeline`)).json;
  expect(timeline).toContainEqual(expect.objectContaining({ kind: "bypassed", reason: "The site is down." }));
});

/** As a push by ada. */
async function move(source: string, target: string): Promise<void> {
  const { repositoryAccess, pushes } = server.container.hosting;
  const actor = { ...systemActor, userId: ada.id, username: "ada" };
  const { repository } = (await repositoryAccess.find("acme", "engine", actor))!;
  const update = { ref: `refs/heads/${target}`, before: await tipOf(target), after: await tipOf(source) };
  await pushes.move(repository, actor, { update });
}

it("takes a direct push of the approved head of a merge request", async () => {
  const { head, at, source, target } = await proposed({ required_approvals: 1 });
  await expect(move(source, target)).rejects.toThrow("changes need a merge request");
  await decide(at, bob, "approve", head);
  await eventually(async () => (await show(at)).mergeable !== "checking");
  await move(source, target);
  expect(await tipOf(target)).toBe(head);
});

it("has one outcome where an approval, a push and a merge meet, and a merge and a change of rules", async () => {
  const random = seededRandom(seed);
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 60));
  for (let round = 0; round < size(2, 100); round += 1) {
    const { head, at, source, target } = await proposed({
      required_approvals: 1,
      dismiss_stale_approvals: true,
    });
    const [, , answer] = await Promise.all([
      pause().then(() => decide(at, bob, "approve", head)),
      pause().then(() => put(source, "late.txt", "late\n")),
      pause().then(() => merge(ada, at, { strategy: "fast_forward" })),
    ]);
    // What was approved is what was merged, or nothing is.
    const merged = answer.status === 200;
    expect([merged, await tipOf(target)]).toEqual([merged, merged ? head : await tipOf("main")]);
    expect((await show(at)).state).toBe(merged ? "merged" : "open");
  }
  for (let round = 0; round < size(2, 100); round += 1) {
    const { head, at, rules, target } = await proposed({});
    const [answer] = await Promise.all([
      pause().then(() => merge(ada, at, { strategy: "fast_forward" })),
      pause().then(() => api("PATCH", rules, { required_approvals: 1 })),
    ]);
    const { state, merge_sha: sha } = await show(at);
    const merged = { status: 200, state: "merged", sha: head, tip: head };
    const refused = {
      status: answer.status === 403 ? 403 : 409,
      state: "open",
      sha: null,
      tip: await tipOf("main"),
    };
    expect({ status: answer.status, state, sha, tip: await tipOf(target) }).toEqual(
      answer.status === 200 ? merged : refused,
    );
  }
});
