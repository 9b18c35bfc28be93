/** Row 80 of security.md: what a runner's messages cost it. */
import { expect, it } from "vitest";
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { costOf, costs } from "@forgeline/server/edges/runners/budget.ts";
import type { RunnerSession } from "@forgeline/server/edges/runners/session.ts";

const session = (messagesLeft: number) =>
  ({
    leases: new Map([["att_1", { epoch: 2, messagesLeft }]]),
    offers: { epochOf: (attemptId: string) => (attemptId === "att_2" ? 1 : undefined) },
  }) as unknown as RunnerSession;
const started = (attemptId: string, epoch: number): RunnerMessage => ({
  t: "started",
  id: 1,
  attemptId,
  epoch,
  timeMs: 0,
});

it.each([
  ["a lease that it has", started("att_1", 2), costs.expected],
  ["an offer that it has", started("att_2", 1), costs.expected],
  ["an epoch that is over", started("att_1", 1), costs.unexpected],
  ["a lease that it never had", started("att_3", 1), costs.unexpected],
])("a message about %s", (_what, message, cost) => {
  expect(costOf(session(1), message)).toBe(cost);
});

it("a lease gives reason to a number of messages, and the next costs like any other", () => {
  expect(costs.unexpected).toBeGreaterThan(costs.expected);
  const busy = session(2);
  const all = Array.from({ length: 3 }, () => costOf(busy, started("att_1", 2)));
  expect(all).toEqual([costs.expected, costs.expected, costs.unexpected]);
});
