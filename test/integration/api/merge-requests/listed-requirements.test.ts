/** What lists of merge requests say of the rules for their target branches: the same as single records, as far as lists ask. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  await api("POST", "/repos", { name: "engine", readme: true });
  await api("PUT", `${R}/collaborators/bob`, { permission: "write" });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { branch } = branchesOver((...request) => api(...request), R);

interface Shown {
  number: number;
  mergeable: string;
  blocked_by: string[];
  viewer_may: { merge: boolean };
}

let count = 0;
/** Into a branch of its own, which has this rule. */
async function proposed(rule: object, more: object = {}) {
  count += 1;
  const [target, source] = [`target-${count}`, `source-${count}`];
  await api("POST", `${R}/branches`, { name: target, ref: "main" });
  const head = await branch(source, { "a.txt": "a\n" });
  const made = await api("POST", `${R}/branch-protections`, {
    pattern: target,
    push_level: "write",
    ...rule,
  });
  const opened = await api("POST", M, {
    title: source,
    source_branch: source,
    target_branch: target,
    ...more,
  });
  expect([made.status, opened.status]).toEqual([201, 201]);
  const at = `${M}/${opened.json.number}`;
  await eventually(async () => (await api("GET", at)).json.mergeable !== "checking");
  const review = async (event: string) =>
    expect((await as(bob)("POST", `${at}/reviews`, { event, commit_sha: head, body: "So." })).status).toBe(
      201,
    );
  return { at, target, review };
}

const standingIn = ({ mergeable, blocked_by, viewer_may }: Shown) => [
  mergeable,
  blocked_by,
  viewer_may.merge,
];
const alone = async (at: string, person = ada) => standingIn((await as(person)("GET", at)).json);
const listed = async ({ at, target }: { at: string; target: string }, person = ada) => {
  const all = (await as(person)("GET", `${M}?state=all&target_branch=${target}`)).json as Shown[];
  return standingIn(all.find(({ number }) => at.endsWith(`/${number}`))!);
};

it("are the same of drafts, approvals, requests for changes, and of who may merge", async () => {
  const approved = await proposed({ required_approvals: 1, merge_level: "none", merge_users: ["bob"] });
  const lacking = ["It needs 1 approval by people with Write, and 1 is missing."];
  expect(await listed(approved)).toEqual(["blocked", lacking, false]);
  expect(await listed(approved, bob)).toEqual(["blocked", lacking, true]);
  await approved.review("request_changes");
  expect(await listed(approved)).toEqual([
    "blocked",
    [...lacking, expect.stringContaining("@bob requested changes")],
    false,
  ]);
  expect(await listed(approved)).toEqual(await alone(approved.at));
  await approved.review("approve");
  expect(await listed(approved)).toEqual(["clean", [], false]);
  await api("PUT", `${R}/collaborators/bob`, { permission: "read" });
  expect(await listed(approved)).toEqual(["blocked", lacking, false]);
  await api("PUT", `${R}/collaborators/bob`, { permission: "write" });
  // Back to this target, it has to be approved again.
  for (const target_branch of ["main", approved.target]) await api("PATCH", approved.at, { target_branch });
  await eventually(async () => (await api("GET", approved.at)).json.mergeable !== "checking");
  expect(await listed(approved)).toEqual(["blocked", lacking, false]);

  const draft = await proposed({ required_approvals: 1 }, { draft: true });
  expect(await listed(draft)).toEqual(["blocked", [expect.stringContaining("draft"), ...lacking], true]);
  expect(await listed(draft)).toEqual(await alone(draft.at));
  await api("POST", `${draft.at}/close`);
  expect(await listed(draft)).toEqual(await alone(draft.at));
});

it("are the same of rules that leave no way to merge, and say nothing of runs and code owners", async () => {
  const none = await proposed({ require_linear_history: true, merge_strategies: ["merge"] });
  const noWay = "The rules for this branch have no way to merge in common.";
  expect(await listed(none)).toEqual(["blocked", [noWay], true]);
  expect(await listed(none)).toEqual(await alone(none.at));
  const tested = await proposed({ require_pipeline: true, require_last_push_approval: true });
  expect(await listed(tested)).toEqual(["clean", [], true]);
  expect(await alone(tested.at)).toEqual([
    "blocked",
    [expect.stringContaining("last pusher"), "No run has succeeded for its head."],
    true,
  ]);
});
