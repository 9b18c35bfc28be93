/** `forgeline review` and `forgeline mr reviewers`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { branchesOver } from "../../support/branches-over-rest.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let wes: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  const { server } = people;
  [ada, wes] = (await Promise.all(["ada", "wes"].map((name) => server.person(name)))) as [
    TestPerson,
    TestPerson,
  ];
  const api = (method: string, path: string, body?: unknown) =>
    server.api(method, path, { token: ada.token, body });
  await api("POST", "/repos", { name: "code", readme: true });
  await api("PUT", "/repos/ada/code/collaborators/wes", { permission: "write" });
  await branchesOver(api, "/repos/ada/code").branch("topic", { "src/a:b.txt": "one\ntwo\nthree\n" });
});
afterAll(() => people?.stop());

const told = (person: TestPerson, ...args: string[]) => people.told(person, ...args, "-R", "ada/code");
const idIn = (text: string) => /(?:rev|thr)_\w+/.exec(text)?.[0] ?? "";

test("a review is begun, submitted, shown and dismissed, and threads are answered", async () => {
  await told(ada, "mr", "create", "-t", "Topic", "--source", "topic", "-r", "wes");
  expect(await told(ada, "mr", "view", "1")).toContain("reviewers\twes\n");
  const made = await told(wes, "review", "comment", "1", "src/a:b.txt:1-2", "-m", "Why?", "--pending");
  expect(made).toMatch(/^waits for your review: src\/a:b\.txt:1-2 thr_\w+\n$/);
  const pending = await told(wes, "review", "list", "1");
  expect(pending).toContain("pending");
  expect(await told(wes, "review", "view", "1", idIn(pending))).toMatch(/submitted\tnot yet\n[^]*Why\?\n$/);
  expect(await told(ada, "review", "list", "1")).toBe("");
  const submitted = await told(wes, "review", "submit", "1", "--request-changes", "-m", "Not yet.");
  expect(submitted).toMatch(/^submitted: changes requested, https:/);
  expect(await told(ada, "mr", "reviewers", "1")).toBe("wes\tchanges requested\trequested\n");
  expect(await told(ada, "review", "view", "1", idIn(submitted))).toMatch(
    /says\tchanges requested\n[^]*\n\nNot yet\.\n\nsrc\/a:b\.txt:2\nwes, .*:\nWhy\?\n$/,
  );
  const thread = idIn(made);
  expect(await told(ada, "review", "reply", "1", thread, "-m", "Because.")).toContain("replied: ");
  expect(await told(ada, "review", "resolve", "1", thread)).toBe("resolved src/a:b.txt:1-2\n");
  expect(await told(ada, "review", "threads", "1", "--state", "open")).toBe("");
  expect(await told(ada, "review", "threads", "1", "--file", "src/a:b.txt")).toMatch(
    /^src\/a:b\.txt:1-2 \(resolved\) thr_\w+\n\+one\n\+two\nwes, .*:\nWhy\?\nada, .*:\nBecause\.\n$/,
  );
  expect(await told(wes, "review", "reopen", "1", thread)).toBe("reopened src/a:b.txt:1-2\n");
  expect(await told(wes, "review", "dismiss", "1", idIn(submitted), "--reason", "I was wrong.")).toBe(
    "dismissed the review of wes\n",
  );
  expect(await told(wes, "review", "submit", "1", "--approve")).toMatch(/^submitted: approved, /);
  expect(await told(ada, "mr", "reviewers", "1", "--again", "wes")).toBe("wes\twaiting\trequested\n");
  expect(await told(ada, "mr", "reviewers", "1", "--none")).toBe("wes\tapproved\t\n");
  await told(wes, "review", "comment", "1", "src/a:b.txt", "-m", "One more.", "--pending");
  const last = (await told(wes, "review", "list", "1")).trimEnd().split("\n").at(-1) ?? "";
  expect(await told(wes, "review", "delete", "1", idIn(last))).toBe("deleted your pending review\n");
  for (const [args, problem] of [
    [["submit", "1"], "give --approve, --request-changes or --comment"],
    [["submit", "1", "--approve", "--comment"], "cannot be used with"],
  ] as const) {
    const { code, stderr } = await people.as(wes, "review", ...args, "-R", "ada/code");
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
});
