/** Gauges of the queue: one look asks the database once for what several of them show, and the next look asks again. */
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRunnerMetrics } from "@forgeline/server/domains/pipelines/runners/metrics.ts";

test("one look at the queue serves its length and its age, and each look is a new one", async () => {
  const asked = { lengths: 0, owners: 0 };
  const registry = new Registry();
  createRunnerMetrics(registry, {
    leases: {
      async queueLengths() {
        const length = (asked.lengths += 1);
        return Promise.resolve([{ labels: "docker", length, oldestSeconds: 10 * length }]);
      },
      async queuedOwners() {
        const length = (asked.owners += 1);
        if (length === 2) throw new Error("the database is away");
        return Promise.resolve([{ owner: "ada", length, oldestSeconds: 10 * length }]);
      },
      countHeld: () => Promise.resolve([]),
    },
    connections: { countConnected: () => Promise.resolve({ online: 0, offline: 0 }) },
    demand: { demand: () => Promise.resolve({ label_sets: [] }) } as never,
  });
  const look = async (time: number) => {
    const text = await registry.metrics();
    expect(text).toContain(`forgeline_queue_length{labels="docker"} ${time}`);
    expect(text).toContain(`forgeline_queue_oldest_seconds{labels="docker"} ${10 * time}`);
    expect(text).toContain(`forgeline_queue_owner_length{owner="ada"} ${time}`);
    expect(text).toContain(`forgeline_queue_owner_oldest_seconds{owner="ada"} ${10 * time}`);
  };
  await look(1);
  // A failure is the look's own: the next one asks again.
  await expect(registry.metrics()).rejects.toThrow("the database is away");
  await look(3);
  expect(asked).toEqual({ lengths: 3, owners: 3 });
});
