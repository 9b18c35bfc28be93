import { expect, it } from "vitest";
import { isNamed, isNamedAfter, nounsOf } from "../../../../support/changed/nouns.ts";
import { timesNamed, wordsOf } from "../../../../support/changed/words.ts";

it.each([
  ["server/domains/hosting/deploy-keys/store.ts", ["deploy-keys"]],
  ["schemas/teams/routes.ts", ["teams"]],
  ["cli/commands/teams/members.ts", ["teams"]],
  ["cli/commands/tokens.ts", ["tokens"]],
  ["web/src/features/runs/log/row.tsx", ["runs"]],
  ["server/platform/clock.ts", []],
])("%s is about %j", (path, nouns) => {
  expect(nounsOf(path)).toEqual(nouns);
});

it("tests are named after a noun in singular or plural, as words of their paths", () => {
  expect(isNamedAfter("test/integration/api/repositories/deploy-keys.test.ts", "deploy-key")).toBe(true);
  expect(isNamedAfter("test/integration/git/ssh/keys.test.ts", "ssh-keys")).toBe(true);
  expect(isNamedAfter("test/integration/api/users/ssh-keys.test.ts", "deploy-keys")).toBe(false);
  expect(wordsOf("branches/policies/access/status")).toEqual(["branch", "policy", "access", "status"]);
});

it("those that are called by nothing else are told from those that only speak of it", () => {
  expect(isNamed("test/web/settings.test.ts", "settings")).toBe(true);
  expect(isNamed("test/web/repository-settings.test.ts", "settings")).toBe(false);
});

it("a text names a noun however its words are joined", () => {
  expect(timesNamed("/deploy-keys, deploy_key, deployKeys and deployed keys", "deploy-keys")).toBe(3);
  expect(timesNamed("policies of a policy", "policy")).toBe(2);
});
