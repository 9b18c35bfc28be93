import { expect, test } from "vitest";
import { scopeOf, withoutScopeRivals } from "@forgeline/server/domains/collaboration/labels/scopes.ts";

test.each([
  ["bug", null],
  ["priority::high", "priority"],
  ["team::web::forms", "team::web"],
  ["priority:high", null],
  ["::high", null],
  ["priority::", null],
  [" ::x", null],
])("the scope of %j is %j", (name, scope) => {
  expect(scopeOf(name)).toBe(scope);
});

const label = (name: string) => ({ id: `id of ${name}`, name });
const names = (current: string[], added: string[]) =>
  withoutScopeRivals(current.map(label), added.map(label)).map(({ name }) => name);

test.each([
  ["another of the scope leaves", ["bug", "prio::low"], ["prio::high"], ["bug", "prio::high"]],
  ["scopes are compared without case", ["Prio::low"], ["prio::high"], ["prio::high"]],
  ["a longer scope is another one", ["team::web"], ["team::web::forms"], ["team::web", "team::web::forms"]],
  ["of two that are added the last stays", [], ["prio::low", "bug", "prio::high"], ["bug", "prio::high"]],
  ["what is there already stays once", ["bug", "prio::high"], ["prio::high", "bug"], ["bug", "prio::high"]],
  ["labels without a scope stand side by side", ["bug"], ["help wanted"], ["bug", "help wanted"]],
])("%s", (_what, current, added, result) => {
  expect(names(current, added)).toEqual(result);
});
