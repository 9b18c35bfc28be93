/** `forgeline mr` and `repo fork` where a fork is in play, and what people said of a merge request. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  [ada, bob] = [await people.server.person("ada"), await people.server.person("bob")];
  const body = { name: "code", readme: true, visibility: "public" };
  await people.server.api("POST", "/repos", { token: ada.token, body });
});
afterAll(() => people?.stop());

const call = async (person: TestPerson, method: string, path: string, body?: object) => {
  const answer = await people.server.api(method, path, { token: person.token, body });
  expect([answer.status < 300, answer.json?.message]).toEqual([true, undefined]);
  return answer.json;
};
const mr = (person: TestPerson, ...args: string[]) => people.told(person, "mr", ...args, "-R", "ada/code");

/** A merge request of bob's from his fork. */
async function propose(branch: string): Promise<string> {
  await call(bob, "PUT", `/repos/bob/code/contents/${branch}.txt`, {
    branch,
    message: `Add ${branch}`,
    content: "dGV4dAo=",
  });
  const said = await mr(bob, "create", "-t", `Add ${branch}`, "--head", `bob:${branch}`);
  const number = /!(\d+)/.exec(said)![1]!;
  await eventually(async () => {
    const { mergeable } = await call(ada, "GET", `/repos/ada/code/merge-requests/${number}`);
    return mergeable === "clean";
  });
  return number;
}

test("what is forked already is named", async () => {
  expect(await people.told(bob, "repo", "fork", "ada/code")).toContain("forked to bob/code\n");
  const again = await people.as(bob, "repo", "fork", "ada/code");
  expect([again.code, again.stdout, again.stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/bob\/code is a fork of ada\/code already: git clone https:\S+\/bob\/code\.git/),
  ]);
  // Its own name is no fork of it.
  const own = await people.as(ada, "repo", "fork", "ada/code");
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("already has a repository")]);
});

test("people's comments and reviews are shown in the order in which they were said", async () => {
  await call(bob, "POST", "/repos/bob/code/branches", { name: "one", ref: "main" });
  const number = await propose("one");
  const say = (event: string, body: string) =>
    call(ada, "POST", `/repos/ada/code/merge-requests/${number}/reviews`, { event, body });
  await mr(bob, "comment", number, "-m", "What do you think?");
  await say("request_changes", "Not like that.");
  await mr(bob, "comment", number, "-m", "Why not?");
  await say("approve", "");
  const shown = await mr(bob, "view", number, "-c");
  expect(shown).toMatch(
    /bob, [^\n]*:\nWhat do you think\?\n\nada, [^\n]*changes requested:\nNot like that\.\n\nbob, [^\n]*:\nWhy not\?\n\nada, [^\n]*approved:\n$/,
  );
  const { reviews } = JSON.parse(await mr(bob, "view", number, "-c", "--json")) as { reviews: object[] };
  expect(reviews).toMatchObject([{ state: "changes_requested" }, { state: "approved" }]);
  expect(await mr(bob, "view", number)).not.toContain("Not like that.");
});

test("why the branch of a fork stays is said", async () => {
  expect(await mr(ada, "merge", "1", "--delete-branch")).toMatch(
    /^merged !1 as [0-9a-f]{12}\none stays in bob\/code: you may not push there\n$/,
  );
  await call(bob, "POST", "/repos/bob/code/branches", { name: "two", ref: "main" });
  const two = await propose("two");
  expect(await mr(ada, "merge", two)).toMatch(/^merged !2 as [0-9a-f]{12}\n$/);
  await call(bob, "PUT", "/repos/bob/code/collaborators/ada", { permission: "write" });
  await call(bob, "POST", "/repos/bob/code/branches", { name: "three", ref: "main" });
  const three = await propose("three");
  expect(await mr(ada, "merge", three, "--delete-branch")).toMatch(/^merged !3 as [0-9a-f]{12}\n$/);
  await call(bob, "POST", "/repos/bob/code/branches", { name: "four", ref: "main" });
  await call(bob, "POST", "/repos/bob/code/branch-protections", { pattern: "four", push_level: "maintain" });
  const four = await propose("four");
  expect(await mr(ada, "merge", four, "--delete-branch")).toContain(
    "four stays in bob/code: it has moved, or a rule protects it\n",
  );
});
