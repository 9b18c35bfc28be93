/** Row 75 of security.md: what cannot be removed now is removed later, however often it takes. */
import { expect, it } from "vitest";
import type { EngineContext } from "@forgeline/runner/engine/docker/context.ts";
import { createRemovalQueue } from "@forgeline/runner/engine/docker/removal-queue.ts";
import { removeJob } from "@forgeline/runner/engine/docker/removal.ts";
import { eventually } from "../../../../support/eventually.ts";

it("a job that cannot be removed says so, and is removed later", async () => {
  const later: string[] = [];
  const context = {
    daemon: { ask: () => Promise.reject(new Error("away")) },
    removals: { add: (jobKey: string) => void later.push(jobKey) },
  } as unknown as EngineContext;
  await expect(removeJob(context, "forgeline-att_1-1")).rejects.toThrow("away");
  expect(later).toEqual(["forgeline-att_1-1"]);
});

it("is tried until each is gone, and not after that", async () => {
  const failures = new Map([
    ["stubborn", 3],
    ["easy", 0],
  ]);
  const tried: string[] = [];
  const queue = createRemovalQueue({
    firstPauseMs: 1,
    lastPauseMs: 2,
    async remove(jobKey) {
      tried.push(jobKey);
      const left = failures.get(jobKey) ?? 0;
      failures.set(jobKey, left - 1);
      if (left > 0) throw new Error("not yet");
    },
  });
  const count = (jobKey: string) => tried.filter((one) => one === jobKey).length;
  queue.add("stubborn");
  queue.add("easy");
  await eventually(() => count("stubborn") === 4);
  queue.add("late");
  await eventually(() => count("late") === 1);
  expect([count("stubborn"), count("easy")]).toEqual([4, 1]);
  queue.close();
});
