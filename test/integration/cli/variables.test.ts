/** `forgeline variable`: set, listed and deleted, of a repository, an organization and the instance. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada", { isAdmin: true });
  await people.told(ada, "repo", "create", "code", "--readme");
  await people.server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
});
afterAll(() => people?.stop());

test.each([
  ["ada/code", ["-R", "ada/code"]],
  ["acme", ["--org", "acme"]],
  ["the instance", ["--instance"]],
])("of %s", async (name, place) => {
  const variable = (...args: string[]) => people.told(ada, "variable", ...args, ...place);
  expect(await variable("list")).toBe("");
  expect(await variable("set", "REGION", "eu")).toBe(`REGION of ${name} is set\n`);
  await writeFile(join(people.cli.home, "value"), "line 1\nline 2\n");
  await variable("set", "TEXT", "--file", join(people.cli.home, "value"));
  const listed = (await variable("list")).trimEnd().split("\n");
  expect(listed.map((line) => line.split("\t").slice(0, 3))).toEqual([
    ["REGION", "eu", "ada"],
    ["TEXT", "line 1…", "ada"],
  ]);
  expect(JSON.parse(await variable("list", "--json"))[1].value).toBe("line 1\nline 2");
  expect(await variable("delete", "TEXT")).toBe(`TEXT of ${name} is deleted\n`);
  const gone = await people.as(ada, "variable", "delete", "TEXT", ...place);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining(`${name} has no variable TEXT`)]);
});

test("says what is meant where that is not clear", async () => {
  const both = await people.as(ada, "variable", "list", "--org", "acme", "--instance");
  expect([both.code, both.stderr]).toEqual([2, "error: only one of --org, --instance and --environment\n"]);
  const none = await people.as(ada, "variable", "set", "A", "-R", "ada/code");
  expect([none.code, none.stderr]).toEqual([2, "error: give the value, or name its file with --file\n"]);
  const wrong = await people.as(ada, "variable", "set", "CI_A", "x", "-R", "ada/code");
  expect(wrong.code).toBe(1);
});
