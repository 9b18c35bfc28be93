import { expect, test } from "vitest";
import { isOutdated } from "@forgeline/server/domains/pipelines/runners/outdated.ts";

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.1.1", true],
  ["0.9.9", "0.10.0", true],
  ["1.0.0", "0.10.0", false],
  ["0.2.0", "0.1.9", false],
  ["0.1.0-test", "0.2.0", true],
  ["", "0.2.0", false],
  ["new", "0.2.0", false],
])("%s beside a server of %s: %s", (version, server, expected) => {
  expect(isOutdated(version, server)).toBe(expected);
});
