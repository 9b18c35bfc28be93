import { expect, test, vi } from "vitest";
import {
  createAutoMergeTries,
  type AutoMergeTriesDeps,
} from "../../../../../../../server/domains/collaboration/merge-requests/auto-merge/tries.ts";
import { statements } from "../../../../../../../server/domains/collaboration/merge-requests/auto-merges.store.ts";
import { AppError } from "../../../../../../../server/platform/app-error.ts";

/** Waits that tries have asked for, with whatever stands in the way at this moment. */
function tried() {
  const row = { state: "open", draft: false, mergeability: "clean", head_sha: "a".repeat(40) };
  const merge = vi.fn<() => Promise<unknown>>(async () => ({}));
  const waits: unknown[] = [];
  const claimed = { merge_request_id: "mr_1", repository_id: "rep_1", number: 1, wanted: 0, may_push: true };
  const db = {
    one: async (statement: unknown) =>
      statement === statements.claim ? { ...claimed, enabled_at: new Date() } : row,
    query: async (_: unknown, [, , seconds, problem]: unknown[]) => waits.push([seconds, problem]),
  };
  const standing = { blockedBy: [], mayMerge: true, hasRules: false, wantsRuns: true };
  const deps = {
    db,
    logger: { warn: () => {} },
    merging: { merge },
    laterActors: { find: async () => ({ actor: {}, granted: {} }) },
    requirements: { standingOf: async () => standing, queueOf: async () => undefined },
  } as unknown as AutoMergeTriesDeps;
  const tries = createAutoMergeTries(deps);
  return { row, merge, waits, again: () => tries.tryNow("mr_1") };
}

test("while branches are compared it is tried again soon, and ever later", async () => {
  const { row, merge, waits, again } = tried();
  row.mergeability = "checking";
  for (let count = 0; count < 7; count += 1) await again();
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60].map((seconds) => [seconds, null]));
  row.mergeability = "clean";
  await again();
  expect([merge.mock.calls.length, waits.length]).toEqual([1, 7]);
});

test("so it is where a try fails, whatever the reason, and soon anew once something else stands in the way", async () => {
  const { row, merge, waits, again } = tried();
  merge.mockRejectedValueOnce(new Error("Git could not lock a ref"));
  await again();
  merge.mockRejectedValueOnce(new AppError("unavailable", { message: "Too busy." }));
  await again();
  row.draft = true;
  await again();
  row.draft = false;
  merge.mockRejectedValueOnce(new Error("Git could not lock a ref"));
  await again();
  expect(waits).toEqual([
    [2, null],
    [4, "Too busy."],
    [60, null],
    [2, null],
  ]);
});
