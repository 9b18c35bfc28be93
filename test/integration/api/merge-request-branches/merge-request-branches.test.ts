/** What operations on a merge request make of branches: brought up to date, undone, taken to another branch, brought back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { put, branch, tipOf, commitOf } = branchesOver((...request) => api(...request), R);

beforeAll(async () => {
  server = await startApiServer();
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  await api("POST", "/repos", { name: "engine", readme: true, private: false });
  await put("main", "a.txt", lines());
});
afterAll(() => server?.stop());

const lines = (first = "1") => [first, 2, 3, 4, 5, 6, 7, 8, 9, ""].join("\n");
async function open(source: string, more: object = {}): Promise<number> {
  const made = await api("POST", M, { title: `Bring ${source}`, source_branch: source, ...more });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return made.json.number;
}
const show = async (number: number) => (await api("GET", `${M}/${number}`)).json;
const kinds = async (number: number) =>
  ((await api("GET", `${M}/${number}/timeline`)).json as { kind: string }[]).map(({ kind }) => kind);
const parentsOf = async (sha: string) =>
  (await commitOf(sha)).parents.map((parent: { sha: string }) => parent.sha) as string[];
const has = async (ref: string, path: string) =>
  (await api("GET", `${R}/contents/${path}?ref=${ref}`)).status === 200;
async function merge(number: number, strategy: string) {
  const { status, json } = await api("PUT", `${M}/${number}/merge`, { strategy });
  expect([status, json.message]).toEqual([200, undefined]);
  return json.merge_sha as string;
}

it("brings the target into the source branch, merged or rebased, as a push by the caller", async () => {
  const head = await branch("old", { "old.txt": "o\n" });
  const number = await open("old");
  const target = await put("main", "new.txt", "n\n");
  const stale = await api("POST", `${M}/${number}/update-branch`, { sha: target });
  expect([stale.status, stale.json.message]).toEqual([409, expect.stringMatching(/is at [0-9a-f]{12} now/)]);
  const merged = await api("POST", `${M}/${number}/update-branch`, { sha: head });
  const tip = await tipOf("old");
  expect([merged.status, merged.json]).toMatchObject([
    200,
    { changed: true, sha: tip, merge_request: { number, head_sha: tip } },
  ]);
  expect(await parentsOf(tip)).toEqual([head, target]);
  expect((await commitOf(tip)).message).toBe("Merge branch 'main' into old\n");
  const again = await api("POST", `${M}/${number}/update-branch`, {});
  expect([again.status, again.json]).toMatchObject([200, { changed: false, sha: tip }]);
  // A rebase leaves the merge out.
  const rebased = await api("POST", `${M}/${number}/rebase`, { sha: tip });
  expect([rebased.status, rebased.json.changed]).toEqual([200, true]);
  expect(await parentsOf(rebased.json.sha)).toEqual([target]);
  expect((await api("POST", `${M}/${number}/rebase`, {})).json.changed).toBe(false);
  expect(await kinds(number)).toEqual(["pushed", "pushed"]);
});

it("takes the scope of a push besides that of merge requests", async () => {
  await branch("scoped", { "scoped.txt": "s\n" });
  const number = await open("scoped");
  const limited = as({ ...ada, token: await server.tokenFor(ada, ["mr:write", "repo:read"]) });
  const lacking = [403, "insufficient_scope", ["repo:write"]];
  const calls = async (wanted: readonly (readonly [string, string, object])[]) => {
    for (const [method, path, body] of wanted) {
      const { status, json } = await limited(method, `${M}/${number}/${path}`, body);
      expect([path, status, json.error, json.required_scopes]).toEqual([path, ...lacking]);
    }
  };
  await calls([
    ["POST", "update-branch", {}],
    ["POST", "rebase", {}],
    ["PUT", "merge", { delete_source_branch: true }],
    ["PUT", "auto-merge", { delete_source_branch: true }],
  ]);
  // The repository has no rules: merging as such is about merge requests.
  expect((await limited("PUT", `${M}/${number}/merge`, {})).status).toBe(200);
  const before = (await api("GET", `${R}/branches`)).json.length;
  await calls([
    ["POST", "restore-branch", {}],
    ["POST", "revert", {}],
    ["POST", "cherry-pick", { target: "main" }],
  ]);
  expect((await api("GET", `${R}/branches`)).json.length).toBe(before);
});

it("says what conflicts, and is refused where a push would be", async () => {
  const head = await branch("clash", { "a.txt": lines("one") });
  const number = await open("clash");
  await put("main", "a.txt", lines("ONE"));
  for (const call of ["update-branch", "rebase"]) {
    const { status, json } = await api("POST", `${M}/${number}/${call}`, {});
    expect([status, json.error, json.conflicts]).toEqual([409, "conflict", ["a.txt"]]);
  }
  await put("main", "a.txt", lines());
  await api("POST", `${R}/branch-protections`, { pattern: "clash", allow_force_push: false });
  const forced = await api("POST", `${M}/${number}/rebase`, {});
  expect([forced.status, forced.json.message]).toEqual([403, expect.stringMatching(/force pushes/)]);
  const outsider = await as(bob)("POST", `${M}/${number}/update-branch`, {});
  expect([outsider.status, outsider.json.message]).toEqual([403, expect.stringMatching(/takes Write/)]);
  expect(await tipOf("clash")).toBe(head);
  await api("POST", `${M}/${number}/close`);
  const closed = await api("POST", `${M}/${number}/update-branch`, {});
  expect([closed.status, closed.json.message]).toEqual([409, expect.stringMatching(/closed/)]);
});

it("reaches the branch of a fork for whoever may push there", async () => {
  await as(bob)("POST", `${R}/forks`, { name: "engine" });
  const fork = branchesOver(as(bob), "/repos/bob/engine");
  const head = await fork.branch("idea", { "idea.txt": "i\n" });
  const wanted = { title: "x", source_repo: "bob/engine", maintainer_can_modify: false };
  const made = await as(bob)("POST", M, { ...wanted, source_branch: "idea" });
  const address = `${M}/${made.json.number}`;
  const target = await put("main", "later.txt", "l\n");
  expect((await api("POST", `${address}/update-branch`, {})).status).toBe(403);
  const updated = await as(bob)("POST", `${address}/update-branch`, { sha: head });
  expect([updated.status, updated.json.message]).toEqual([200, undefined]);
  expect(await fork.tipOf("idea")).toBe(updated.json.sha);
  const { parents } = await fork.commitOf(updated.json.sha);
  expect(parents).toMatchObject([{ sha: head }, { sha: target }]);
  await eventually(async () => (await show(made.json.number)).head_sha === updated.json.sha);
  await merge(made.json.number, "squash");
  await as(bob)("DELETE", "/repos/bob/engine/branches/idea");
  const restored = await as(bob)("POST", `${address}/restore-branch`);
  expect([restored.status, restored.json]).toMatchObject([200, { changed: true, sha: updated.json.sha }]);
  expect(await fork.tipOf("idea")).toBe(updated.json.sha);
});

it("never brings what few may see to a fork that more see", async () => {
  await api("POST", "/repos", { name: "quiet", readme: true, private: true });
  await api("PUT", "/repos/ada/quiet/collaborators/bob", { permission: "read" });
  const made = await as(bob)("POST", "/repos/ada/quiet/forks", { name: "quiet" });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  await branchesOver(as(bob), "/repos/bob/quiet").branch("idea", { "idea.txt": "i\n" });
  const wanted = { title: "x", source_branch: "idea", source_repo: "bob/quiet" };
  const { number } = (await as(bob)("POST", "/repos/ada/quiet/merge-requests", wanted)).json;
  await branchesOver(api, "/repos/ada/quiet").put("main", "secret.txt", "s\n");
  expect((await as(bob)("PATCH", "/repos/bob/quiet", { visibility: "public" })).status).toBe(200);
  const refused = await as(bob)("POST", `/repos/ada/quiet/merge-requests/${number}/update-branch`, {});
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringMatching(/^More people can see/),
  ]);
});

it.each(["merge", "squash", "rebase", "fast_forward"])("undoes what was merged by %s", async (strategy) => {
  const source = `undo/${strategy}`;
  await branch(source, { [`${strategy}-1.txt`]: "1\n", [`${strategy}-2.txt`]: "2\n" });
  const number = await open(source);
  if (strategy !== "fast_forward") await put("main", `${strategy}-beside.txt`, "b\n");
  const sha = await merge(number, strategy);
  const onto = await put("main", `${strategy}-after.txt`, "a\n");
  const made = await api("POST", `${M}/${number}/revert`, {});
  const name = `revert-${number}-undo-${strategy.replace("_", "-")}`;
  expect([made.status, made.headers.location]).toEqual([201, made.json.merge_request?.url]);
  expect(made.json).toMatchObject({
    branch: name,
    sha: await tipOf(name),
    merge_request: {
      title: `Revert "Bring ${source}"`,
      description: `Reverts !${number}`,
      source_branch: name,
      target_branch: "main",
      author: { username: "ada" },
    },
  });
  expect(await parentsOf(made.json.sha)).toEqual([onto]);
  expect((await commitOf(made.json.sha)).message).toContain(
    `This reverts !${number}, which was merged as ${sha}`,
  );
  const left = ["1", "2", "after"].map((part) => has(name, `${strategy}-${part}.txt`));
  expect(await Promise.all(left)).toEqual([false, false, true]);
  expect(await kinds(number)).toContain("referenced");
});

it("undoes nothing that is not there, and takes no name twice", async () => {
  await branch("once", { "once.txt": "1\n" });
  const number = await open("once");
  const early = await api("POST", `${M}/${number}/revert`, {});
  expect([early.status, early.json.message]).toEqual([409, "It is not merged."]);
  await merge(number, "squash");
  expect((await as(bob)("POST", `${M}/${number}/revert`, {})).status).toBe(403);
  const bad = await api("POST", `${M}/${number}/revert`, { branch: "-x" });
  expect([bad.status, bad.json.errors?.[0].field]).toEqual([422, "branch"]);
  const taken = await api("POST", `${M}/${number}/revert`, { branch: "once" });
  expect([taken.status, taken.json.message]).toEqual([409, "A branch is named once already."]);
  const alone = await api("POST", `${M}/${number}/revert`, { create_merge_request: false });
  expect([alone.json.branch, alone.json.merge_request]).toEqual([`revert-${number}-once`, null]);
  expect(alone.headers.location).toBe(alone.json.branch_url);
  const second = await api("POST", `${M}/${number}/revert`, {});
  expect(second.json.branch).toBe(`revert-${number}-once-2`);
  await merge(second.json.merge_request.number, "merge");
  const none = await api("POST", `${M}/${number}/revert`, {});
  expect([none.status, none.json.message]).toEqual([409, "Nothing of it is left in main."]);
  // What is undone can be had again.
  const back = await api("POST", `${M}/${second.json.merge_request.number}/revert`, {});
  expect(await has(back.json.branch, "once.txt")).toBe(true);
});

it("brings what was merged to another branch", async () => {
  await branch("release", { "release.txt": "r\n" });
  await branch("fix", { "fix.txt": "f\n", "a.txt": lines("fixed") });
  const number = await open("fix");
  const sha = await merge(number, "merge");
  const made = await api("POST", `${M}/${number}/cherry-pick`, { target: "release" });
  expect([made.status, made.json]).toMatchObject([
    201,
    {
      branch: `cherry-pick-${number}-release`,
      merge_request: { title: 'Cherry-pick "Bring fix"', target_branch: "release" },
    },
  ]);
  expect(await parentsOf(made.json.sha)).toEqual([await tipOf("release")]);
  expect((await commitOf(made.json.sha)).message).toContain(`(cherry picked from commit ${sha})`);
  const files = (await api("GET", `${M}/${made.json.merge_request.number}/files`)).json;
  expect(files.map(({ path }: { path: string }) => path)).toEqual(["a.txt", "fix.txt"]);
  const pick = (target: string) => api("POST", `${M}/${number}/cherry-pick`, { target });
  expect((await pick("main")).json.message).toBe("The branch main has these changes already.");
  expect((await pick("none")).json.errors?.[0]).toMatchObject({ field: "target", code: "unknown" });
  await put("release", "a.txt", lines("otherwise"));
  expect(await pick("release")).toMatchObject({ status: 409, json: { conflicts: ["a.txt"] } });
});

it("brings a deleted source branch back where it was", async () => {
  const head = await branch("gone", { "gone.txt": "g\n" });
  const number = await open("gone");
  const restore = () => api("POST", `${M}/${number}/restore-branch`);
  expect((await restore()).json.message).toBe("It is open: its source branch is there.");
  await merge(number, "squash");
  expect((await restore()).json).toMatchObject({ changed: false, sha: head });
  await api("DELETE", `${R}/branches/gone`);
  expect((await as(bob)("POST", `${M}/${number}/restore-branch`)).status).toBe(403);
  expect((await restore()).json).toMatchObject({ changed: true, sha: head });
  expect(await tipOf("gone")).toBe(head);
  expect(await kinds(number)).toEqual(["merged", "branch_deleted", "branch_restored"]);
  await put("gone", "more.txt", "m\n");
  const elsewhere = await restore();
  expect([elsewhere.status, elsewhere.json.message]).toEqual([409, expect.stringMatching(/is there, at/)]);
});

it.each(["a push", "another update"])("has one outcome when it is updated beside %s", async (other) => {
  const name = `race-${other.replace(" ", "-")}`;
  const random = seededRandom(seed);
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 60));
  await branch(name, { [`${name}.txt`]: "r\n" });
  const number = await open(name);
  const update = async () => {
    const { status, json } = await api("POST", `${M}/${number}/update-branch`, {});
    expect([status, json.message]).toEqual([200, undefined]);
    return json as { sha: string; changed: boolean };
  };
  for (let round = 0; round < size(2, 100); round += 1) {
    const target = await put("main", "race.txt", `${round}\n`);
    const others = {
      "a push": async () => ({ sha: await put(name, "more.txt", `${round}\n`), changed: false }),
      "another update": update,
    };
    const beside = others[other as keyof typeof others];
    const answers = await Promise.all([pause().then(update), pause().then(beside)]);
    const tip = await tipOf(name);
    expect((await show(number)).head_sha).toBe(tip);
    const commits = (await api("GET", `${R}/commits?ref=${name}&per_page=100`)).json as {
      sha: string;
      parents: { sha: string }[];
    }[];
    // The target came once, and nothing that anybody was told of is lost.
    expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
    expect(commits.filter(({ parents }) => parents[1]?.sha === target)).toHaveLength(1);
    expect(commits.map(({ sha }) => sha)).toEqual(expect.arrayContaining(answers.map(({ sha }) => sha)));
  }
});
