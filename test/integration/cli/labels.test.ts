/** `forgeline label` and `forgeline milestone`: made, found by name or title, changed and deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;

beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
});
afterAll(() => people?.stop());

const at = (noun: string, ...args: string[]) => people.told(ada, noun, "-R", "ada/code", ...args);
const refused = async (...args: string[]) => {
  const { code, stderr } = await people.as(ada, ...args, "-R", "ada/code");
  return `${code} ${stderr.trim()}`;
};

test("labels are addressed by their names, whatever the case", async () => {
  expect(await at("label", "list")).toBe("");
  const about = ["--color", "#D73A4A", "--description", "Broken"];
  expect(await at("label", "create", "bug", ...about)).toBe("created bug, color d73a4a\n");
  await at("label", "create", "Bug report");
  expect(await at("label", "edit", "BUG", "--name", "defect", "--color", "000000")).toBe(
    "changed defect, color 000000\n",
  );
  expect(await at("label", "list", "--search", "broken")).toBe("defect\t000000\tBroken\n");
  expect(await refused("label", "create", "x", "--color", "red")).toContain("--color: Six hexadecimal");
  expect(await refused("label", "edit", "defect")).toMatch(/^2 .*nothing to change/);
  expect(await refused("label", "edit", "bug", "--name", "x")).toBe(
    "1 error: there is no label bug in ada/code",
  );
  expect(await refused("label", "delete", "defect")).toMatch(/^2 .*takes it off .* Add --yes/);
  expect(await at("label", "delete", "defect", "--yes")).toBe("deleted defect\n");
});

test("milestones are addressed by their titles, closed and reopened", async () => {
  expect(await at("milestone", "create", "Version 2", "--due", "2027-03-31")).toBe(
    "created Version 2, due on 2027-03-31\n",
  );
  expect(await at("milestone", "list")).toBe("Version 2\topen\t2027-03-31\t0\t0\n");
  expect(await at("milestone", "close", "version 2")).toBe("Version 2 is closed, due on 2027-03-31\n");
  expect(await at("milestone", "list")).toBe("");
  expect(await at("milestone", "edit", "Version 2", "--title", "2.0", "--no-due")).toBe("2.0 is closed\n");
  expect(await at("milestone", "reopen", "2.0")).toBe("2.0 is open\n");
  expect(await refused("milestone", "edit", "2.0", "--due", "soon")).toContain("--due: ");
  expect(await at("milestone", "delete", "2.0", "-y")).toBe("deleted 2.0\n");
  expect(await at("milestone", "list", "--state", "all")).toBe("");
});
