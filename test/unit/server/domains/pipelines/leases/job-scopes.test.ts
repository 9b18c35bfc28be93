import { expect, test } from "vitest";
import { jobScopes } from "@forgeline/server/domains/pipelines/leases/job-scopes.ts";

const own = { trust: "own", hasPerson: true, permissionsMax: "write" } as const;
const all = ["repo:write", "pipeline:write"] as const;

test.each([
  ["a job that says nothing", undefined, own, ["repo:read"], null],
  ["a job that wants nothing", [], own, [], null],
  ["a job that writes", all, own, all, null],
  ["a fork", all, { ...own, trust: "fork" }, ["repo:read", "pipeline:read"], "forks"],
  ["a sync", all, { ...own, trust: "unknown_author" }, ["repo:read", "pipeline:read"], "sync"],
  ["nobody", ["repo:read", "repo:write"], { ...own, hasPerson: false }, ["repo:read"], "nobody"],
  [
    "a repository that only reads",
    all,
    { ...own, permissionsMax: "read" },
    ["repo:read", "pipeline:read"],
    "settings",
  ],
  ["a fork that only reads", ["pipeline:read"], { ...own, trust: "fork" }, ["pipeline:read"], null],
] as const)("%s", (_name, permissions, run, scopes, why) => {
  const given = jobScopes(permissions ? { permissions: [...permissions] } : {}, run);
  expect(given.scopes).toEqual(scopes);
  expect(given.limit ?? "none").toContain(why ?? "none");
});
