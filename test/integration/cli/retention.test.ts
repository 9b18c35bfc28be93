/** `forgeline retention`: shown and set, of a repository and an organization. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;

beforeAll(async () => {
  people = await peopleAtTerminals({});
  ada = await people.server.person("ada");
  await people.server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
  await people.server.api("POST", "/repos", { token: ada.token, body: { name: "code", owner: "acme" } });
});
afterAll(() => people?.stop());

const retention = (...args: string[]) => people.told(ada, "retention", ...args);
const ofRepository = ["-R", "acme/code"];

test("is shown with what holds, and only what is named changes", async () => {
  expect(await retention("set", "--runs", "100", "--logs", "1", "--org", "acme")).toBe(
    "The retention of acme is set\n",
  );
  const set = await people.told(
    ada,
    "retention",
    ...ofRepository,
    "set",
    "--artifacts",
    "14",
    "--caches",
    "7",
  );
  expect(set).toBe("The retention of acme/code is set\n");
  await people.told(ada, "retention", ...ofRepository, "set", "--caches", "none");
  expect((await people.told(ada, "retention", ...ofRepository, "show")).trimEnd().split("\n")).toEqual([
    "runs\t-\t100 days",
    "logs\t-\t1 day",
    "artifacts\t14 days\t14 days",
    "caches\t-\t30 days",
    "reports\t-\t90 days",
  ]);
  const json = JSON.parse(await retention("show", "--org", "acme", "--json")) as { runs_days: number };
  expect(json.runs_days).toBe(100);
});

test("says what is wrong", async () => {
  await expect(retention("set", "--org", "acme")).rejects.toThrow("name what to change: --runs");
  await expect(retention("set", "--org", "acme", "--runs", "soon")).rejects.toThrow("a number of days");
  await expect(people.told(ada, "retention", ...ofRepository, "set", "--runs", "101")).rejects.toThrow(
    "the organization keeps runs no longer",
  );
});
