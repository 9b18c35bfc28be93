import { expect, test } from "vitest";
import { stepLabel } from "@forgeline/cli/output/step-label.ts";

test("a step is called by its name, or as much of it as leaves room for its lines", () => {
  expect(stepLabel("npm test")).toBe("npm test");
  const long = "docker run --rm --volume $PWD:/src builder:1 make -C /src all";
  expect(stepLabel(long)).toBe("docker run --rm --volume $PWD:/src buil…");
  expect(stepLabel("é😀".repeat(30))).toHaveLength(59);
});
