/** Which leases a runner keeps when it connects again. */
import { expect, it } from "vitest";
import { compareLeases } from "@forgeline/server/domains/pipelines/leases/compare-leases.ts";
import type { StoredLease } from "@forgeline/server/domains/pipelines/leases/leases.ts";

const held = (attemptId: string, startedAt: Date | null = null) =>
  ({ attemptId, epoch: 2, startedAt }) as StoredLease;

it("keeps what is its own by attempt and epoch, and nothing else", () => {
  const mine = held("att_1");
  const other = held("att_2");
  const { named } = compareLeases(
    [mine, other],
    [
      { attemptId: "att_1", epoch: 2 },
      { attemptId: "att_2", epoch: 1 },
      { attemptId: "att_3", epoch: 2 },
    ],
  );
  expect(named).toEqual([
    { attemptId: "att_1", epoch: 2, row: mine },
    { attemptId: "att_2", epoch: 1, row: null },
    { attemptId: "att_3", epoch: 2, row: null },
  ]);
});

it("one that is named often counts once", () => {
  const lease = { attemptId: "att_1", epoch: 2 };
  expect(compareLeases([held("att_1")], [lease, lease, lease]).named.length).toBe(1);
});

it("sends those again that never reached the runner, but none that had begun or that it named", () => {
  const lost = held("att_1");
  const { unsent } = compareLeases(
    [lost, held("att_2", new Date()), held("att_3")],
    [{ attemptId: "att_3", epoch: 1 }],
  );
  expect([...unsent]).toEqual([lost]);
});
