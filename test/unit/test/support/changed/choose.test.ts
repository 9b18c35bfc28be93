/** Which tests a change leads to, in a small checkout that is made up. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseTests } from "../../../../support/changed/choose.ts";
import { scenariosAlone, withScenarios } from "../../../../support/changed/scenarios.ts";
import { describeChoice } from "../../../../support/changed/describe-choice.ts";
import type { Tree } from "../../../../support/changed/tree.ts";

const root = join(import.meta.dirname, "../../../../..");
const seconds: Record<string, number> = {
  "test/integration/scenarios.test.ts": 110,
  "test/web/runners.test.ts": 70,
};
const imports: Record<string, string[]> = {
  "test/unit/server/keys.test.ts": ["server/domains/hosting/deploy-keys/store.ts"],
  "test/integration/api/users/emails.test.ts": ["test/support/api-server.ts"],
  "test/integration/api/repositories/deploy-key.test.ts": ["test/support/api-server.ts"],
  "test/integration/scenarios.test.ts": ["test/support/scenario.ts"],
  "test/contract/generated.test.ts": [],
  "test/contract/schemathesis.test.ts": [],
  "test/web/runners.test.ts": [],
  "test/support/api-server.ts": ["server/container.ts"],
  "server/container.ts": ["server/domains/hosting/deploy-keys/service.ts"],
  "server/domains/hosting/deploy-keys/service.ts": ["server/domains/hosting/deploy-keys/store.ts"],
};
const texts = new Map(Object.keys(imports).map((path) => [path, ""]));
texts.set("test/integration/scenarios.test.ts", 'readdir("../scenarios")');

function treeOf(): Tree {
  const importers = new Map<string, string[]>();
  for (const [path, imported] of Object.entries(imports))
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), path]);
  return { tests: Object.keys(imports).filter((path) => path.endsWith(".test.ts")), texts, importers };
}

const choose = (...changed: string[]) => chooseTests(treeOf(), changed, (test) => seconds[test] ?? 1);
const chosenBy = (...changed: string[]) =>
  [...choose(...changed).tests].filter(([, why]) => why !== "look at everything" && !why.startsWith("of "));

it("follows imports up to the hubs, and the noun beyond them", () => {
  expect(chosenBy("server/domains/hosting/deploy-keys/store.ts")).toEqual([
    ["test/unit/server/keys.test.ts", "import what changed"],
    ["test/integration/api/repositories/deploy-key.test.ts", 'by noun "deploy-keys"'],
  ]);
});

it("takes the tests that look at all sources to each change, but for the dear ones", () => {
  const { tests } = choose("test/integration/api/users/emails.test.ts");
  expect([...tests]).toEqual([
    ["test/contract/generated.test.ts", "look at everything"],
    ["test/integration/api/users/emails.test.ts", "changed"],
  ]);
});

it("runs a dear test where it alone is near, and leaves it out where it is a guess", () => {
  expect(chosenBy("test/scenarios/retry/expected.json")).toEqual([
    ["test/integration/scenarios.test.ts", "name what changed"],
  ]);
  expect(chosenBy("web/src/features/runners/page.tsx")).toEqual([
    ["test/web/runners.test.ts", 'by noun "runners"'],
  ]);
  const guess = choose("web/src/ui/button.tsx");
  expect([guess.tests.size, guess.leftOut]).toEqual([1, 1]);
});

it("plays changed scenarios alone, unless something else asks for all of them", () => {
  const alone = (...changed: string[]) => scenariosAlone(root, treeOf(), changed);
  const changed = ["test/scenarios/tag/pipeline.yml", "test/scenarios/retry/expected.json"];
  expect(alone(...changed, "cli/main.ts")).toEqual(["tag", "retry"]);
  expect(alone(...changed, "test/support/scenario.ts")).toEqual([]);
  expect(alone("test/scenarios/was-removed/pipeline.yml")).toEqual([]);
  expect(withScenarios(["tag"], () => 110)("test/integration/scenarios.test.ts")).toBeLessThan(60);
});

it("takes unit tests and one of each folder where everything can be touched", () => {
  const choice = choose("package-lock.json");
  expect(choice.touchingAll).toBe("package-lock.json");
  expect([...choice.tests.keys()]).toEqual(
    expect.arrayContaining(["test/unit/server/keys.test.ts", "test/integration/api/users/emails.test.ts"]),
  );
});

it("chooses nothing where nothing changed", () => {
  expect(choose()).toEqual({ tests: new Map(), leftOut: 0 });
});

it("says what changed, how many tests that leads to, why, and how long they take", () => {
  const changed = ["server/domains/hosting/deploy-keys/store.ts"];
  const told = { ...choose(...changed), leftOut: 3, since: "origin/main", changed, all: 7, seconds: 33 };
  expect(describeChoice(told).slice(0, 1)).toEqual(["1 file changed since origin/main"]);
  expect(describeChoice(told).at(1)).toMatch(/^\d of 7 test files: .*1 by noun "deploy-keys"/);
  expect(describeChoice(told).at(-1)).toBe(
    "about 40 s; 3 more that may be touched are left to the whole run",
  );
  expect(describeChoice({ ...told, changed: [], tests: new Map() })).toEqual([
    "nothing differs from origin/main: no test is chosen",
  ]);
});
