/** What teams have for themselves at the terminal: `forgeline team discussion`, and where they are told, `forgeline team routing`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "org", "create", "acme");
  await people.told(ada, "team", "create", "acme/core");
  await people.told(ada, "team", "create", "acme/core/nested");
});
afterAll(() => people?.stop());

const discussion = (...args: string[]) => people.told(ada, "team", "discussion", ...args);
const refused = async (...args: string[]) => {
  const { code, stderr } = await people.as(ada, "team", "discussion", ...args);
  return `${code} ${stderr.trim()}`;
};

test("a discussion goes from its beginning to its end", async () => {
  const team = "acme/core/nested";
  expect(await discussion("create", team, "--title", "On call", "--body", "Who?", "--private")).toMatch(
    /^started #1: https:.*\/orgs\/acme\/teams\/core\/nested\/discussions\/1\n$/,
  );
  expect(await discussion("reply", team, "1", "--body", "I am.")).toMatch(/^replied: .*#rply_/);
  const [first] = JSON.parse(await discussion("view", team, "1", "--replies", "--json")).replies as {
    id: string;
  }[];
  await discussion("reply", team, "#1", "--to", first?.id ?? "", "--body", "Thanks.\nAll.");
  await discussion("pin", team, "1");
  expect(await discussion("list", team)).toBe("#1\tOn call\tada\t2\tpinned, private\n");
  await discussion("edit", team, "1", "--title", "On call in March");
  const shown = await discussion("view", team, "1", "--replies");
  expect(shown).toContain("title\t#1 On call in March\nteam\tacme/core/nested\nauthor\tada\n");
  expect(shown).toMatch(
    /\n\nWho\?\n\nada, .*\(rply_\w+\):\nI am\.\n\n {4}ada, .*:\n {4}Thanks\.\n {4}All\.\n$/,
  );
  expect(await discussion("unpin", team, "1")).toBe("unpinned #1\n");
  expect(await discussion("lock", team, "1")).toBe("locked #1\n");
  expect(await discussion("unlock", team, "1")).toBe("unlocked #1\n");
  expect(await refused("delete", team, "1")).toMatch(/^2 .*deletes discussion #1, On call in March/);
  expect(await discussion("delete", team, "1", "--yes")).toBe("deleted #1\n");
  expect(await discussion("list", team)).toBe("");
});

test("wrong use is told", async () => {
  expect(await refused("create", "acme/core", "--body", "x")).toBe("2 error: give --title");
  expect(await refused("edit", "acme/core", "1")).toMatch(/^2 .*nothing to change/);
  expect(await refused("view", "acme", "1")).toMatch(/^2 .*not of the form ORG\/TEAM/);
  expect(await refused("view", "acme/core", "one")).toMatch(/^2 /);
  expect(await refused("view", "acme/core", "9")).toMatch(/^1 /);
});

test("the routing of a team is shown and changed, option by option", async () => {
  const routing = (...args: string[]) => people.told(ada, "team", "routing", ...args);
  expect(await routing("show", "acme/core")).toContain("rules\tmembers\naddress\tnone\n");
  await people.told(ada, "repo", "create", "api", "--owner", "acme", "--public");
  const rules = ["--rule", "address events=team_mention repos=api", "--rule", "nobody"];
  expect(await routing("set", "acme/core", "--address", "core@example.org", ...rules)).toBe(
    "rule 1\taddress events=team_mention repos=api\nrule 2\tnobody\notherwise\tmembers\naddress\tcore@example.org (unconfirmed)\ndigest\timmediately\nquiet hours\tnone\ntime zone\tUTC\n",
  );
  const changed = await routing("set", "acme/core", "--digest", "daily", "--quiet", "22:00-07:00");
  expect(changed).toContain("rule 2\tnobody\n");
  expect(changed).toContain("digest\tdaily at 08:00\n");
  await routing("set", "acme/core", "--clear", "--address", "none");
  expect(await routing("show", "acme/core")).toContain("rules\tmembers\naddress\tnone\n");
  const wrong = async (...args: string[]) => (await people.as(ada, "team", "routing", ...args)).stderr;
  expect(await wrong("set", "acme/core")).toContain("nothing to change");
  expect(await wrong("set", "acme/core", "--rule", "mars")).toContain("a rule begins with members");
});
