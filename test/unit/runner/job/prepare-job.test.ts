import { expect, test } from "vitest";
import { stepContainersOf } from "@forgeline/runner/job/prepare-job.ts";
import { buildStep } from "../../../support/lease-spec.ts";

const image = { name: "a", user: null };
const steps = (...over: Parameters<typeof buildStep>[2][]) => over.map((one, i) => buildStep(i, "true", one));

test("containers of steps are counted that are there at the same time", () => {
  expect(stepContainersOf(steps({}, {}))).toBe(0);
  expect(stepContainersOf(steps({ image }, { image }))).toBe(1);
  const groups = steps({ image }, { image, parallel: 1 }, { parallel: 1 }, { image, parallel: 1 }, { image });
  expect(stepContainersOf(groups)).toBe(2);
});
