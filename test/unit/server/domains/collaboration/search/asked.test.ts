import { expect, test } from "vitest";
import { listConditionsOf } from "@forgeline/server/domains/collaboration/search/asked.ts";
import { readQuery } from "@forgeline/server/domains/collaboration/search/read-query.ts";

const isOwn = (parameters: Record<string, string | string[]>, q = "") =>
  listConditionsOf(parameters, readQuery(q, "ada"), "ada").isOwn;

test("only what a few parameters ask is kept prepared", () => {
  expect(isOwn({})).toBe(false);
  expect(isOwn({ state: "open", label: "bug", author: "me", milestone: "none" }, "sort:updated")).toBe(false);
  for (const q of ["label:bug", "no:label", "is:draft", "created:2026-11-30", "source:x", "crash"])
    expect([q, isOwn({ state: "open" }, q)]).toEqual([q, true]);
  expect(isOwn({ label: ["bug", "docs"] })).toBe(true);
  expect(isOwn({ assignee: "me" })).toBe(true);
});
