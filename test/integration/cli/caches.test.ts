/** `forgeline cache`: listed and removed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { jobAtWork } from "../../support/job-artifacts.ts";
import { bringCache, planCache } from "../../support/job-caches.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { insertRun } from "../../security/access-matrix/places.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let first: string;

beforeAll(async () => {
  people = await peopleAtTerminals({});
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
  const { json } = await people.server.api("GET", "/repos/ada/code", { token: ada.token });
  const repositoryId = json.id as string;
  const run = { repositoryId, userId: ada.id, number: 1, status: "success" } as const;
  const pipelineId = await insertRun(people.server, run);
  const cache = [planCache("k"), planCache("k", { scope: "repo" }), planCache("k"), planCache("k")];
  const job = await jobAtWork(people.server, { pipelineId, repositoryId, cache });
  const bytes = Buffer.from("12345");
  first = (await bringCache(people.server, job, { key: "npm-1", bytes })).id;
  await bringCache(people.server, job, { key: "npm-2", bytes, position: 1 });
  await bringCache(people.server, job, { key: "go-1", bytes, position: 2 });
  await bringCache(people.server, job, { key: "go-2", bytes, position: 3 });
});
afterAll(() => people?.stop());

const cache = (...args: string[]) => people.told(ada, "cache", "-R", "ada/code", ...args);

test("is listed and removed: one, those of a beginning, all", async () => {
  const rows = (await cache("list")).trimEnd().split("\n");
  expect(rows.toSorted().map((row) => row.split("\t").slice(0, 3))).toEqual([
    ["go-1", "branch main", "5 B"],
    ["go-2", "branch main", "5 B"],
    ["npm-1", "branch main", "5 B"],
    ["npm-2", "all branches", "5 B"],
  ]);
  expect(rows.map((row) => row.split("\t")[4])).toEqual(Array(4).fill("deps"));
  expect((await cache("list", "--prefix", "npm-")).trimEnd().split("\n")).toHaveLength(2);
  const did = (await cache("list", "--run", "1")).trimEnd().split("\n");
  expect(did.toSorted()).toEqual(
    ["go-1", "go-2", "npm-1", "npm-2"].map((key) => `build\t${key}\tnothing\t5 B`),
  );
  await expect(cache("list", "--run", "1", "--prefix", "a")).rejects.toThrow("cannot be used with");
  expect(await cache("delete", first)).toBe(`${first} is deleted\n`);
  expect(await cache("delete", "--prefix", "npm-")).toBe(
    "All caches whose key begins with npm- are deleted\n",
  );
  expect((await cache("list")).trimEnd().split("\n")).toHaveLength(2);
  expect(await cache("delete", "--all")).toBe("All caches are deleted\n");
  expect(JSON.parse(await cache("list", "--json"))).toEqual([]);
});

test("says what has to be chosen, and what is not there", async () => {
  const asked = "say what to delete: the id of a cache, --prefix or --all";
  for (const wrong of [[], [first, "--all"], ["--prefix", "a", "--all"]])
    await expect(cache("delete", ...wrong)).rejects.toThrow(asked);
  await expect(cache("delete", first)).rejects.toThrow(/not found|does not exist/i);
});
