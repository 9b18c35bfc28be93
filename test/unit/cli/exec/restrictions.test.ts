/** What `forgeline exec` does not run unless it is told to, and what it cannot run at all. */
import { expect, test } from "vitest";
import { refusedHere } from "@forgeline/cli/exec/restrictions.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

const reasonOf = (change: Partial<PlanJob>, permitted = false) => {
  const { job } = buildLease({ attemptId: "att_1", steps: [buildStep(0, "true")], job: change });
  return refusedHere(job, { openNetwork: permitted, privileged: permitted })?.reason;
};

test("closed networks and rights on the machine need an option, a machine without containers another program", () => {
  expect(reasonOf({})).toBeUndefined();
  expect(reasonOf({ network: { allow: [] } })).toBe("network_refused");
  expect(reasonOf({ privileged: true })).toBe("privileged_refused");
  expect(reasonOf({ network: { allow: [] }, privileged: true }, true)).toBeUndefined();
  expect(reasonOf({ runnerLabels: ["executor=process"] }, true)).toBe("executor_refused");
});
