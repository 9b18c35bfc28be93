import { expect, test } from "vitest";
import { judgeLease } from "@forgeline/server/domains/pipelines/leases/lease-verdict.ts";

const me = { runnerId: "rnr_me", epoch: 3 };

test.each([
  ["held", { runnerId: "rnr_me", epoch: 3, state: "leased" }],
  ["over", { runnerId: "rnr_me", epoch: 3, state: "ended" }],
  ["unknown", { runnerId: "rnr_me", epoch: 3, state: "offered" }],
  ["stale", { runnerId: "rnr_me", epoch: 4, state: "ended" }],
  ["stale", { runnerId: "rnr_other", epoch: 4, state: "leased" }],
  ["stale", { runnerId: null, epoch: 3, state: "queued" }],
  ["foreign", { runnerId: "rnr_other", epoch: 3, state: "leased" }],
  ["foreign", { runnerId: "rnr_other", epoch: 2, state: "leased" }],
  ["unknown", { runnerId: "rnr_me", epoch: 2, state: "leased" }],
] as const)("%s: %o", (verdict, state) => {
  expect(judgeLease(state, me)).toBe(verdict);
});

test("no such attempt", () => {
  expect(judgeLease(undefined, me)).toBe("unknown");
});
