import { expect, test } from "vitest";
import { cacheScopes } from "../../../../../../server/domains/pipelines/caches/scope.ts";

const run = { trust: "own", defaultBranch: "main" } as const;

test("batches of one merge queue share what they save, and nobody else finds it", () => {
  const one = cacheScopes({ ...run, ref: "refs/merge-queue/release/2/mqb_1" }, "branch");
  expect(one).toEqual({
    own: "refs/merge-queue/release/2",
    seen: ["refs/merge-queue/release/2", "refs/heads/release/2", "refs/heads/main"],
  });
  expect(cacheScopes({ ...run, ref: "refs/merge-queue/release/2/mqb_2" }, "branch")).toEqual(one);
  for (const ref of ["refs/heads/release/2", "refs/merge-queue/release/mqb_3", "refs/tags/v1"])
    expect(cacheScopes({ ...run, ref }, "branch").seen).not.toContain(one.own);
});

test("what a batch with commits of a fork saves is its own", () => {
  const ref = "refs/merge-queue/main/mqb_1";
  const { own, seen } = cacheScopes({ ...run, trust: "fork", ref }, "branch");
  expect([own, seen]).toEqual([`untrusted:${ref}`, [own, "refs/merge-queue/main", "refs/heads/main"]]);
  expect(cacheScopes({ ...run, trust: "fork", ref: `${ref}0` }, "branch").seen).not.toContain(own);
});
