import { expect, test } from "vitest";
import { isPainted } from "@forgeline/cli/output/colors.ts";

test.for([
  ["a terminal", { isTTY: true, env: { TERM: "xterm" }, painted: true }],
  ["a pipe", { isTTY: false, env: { TERM: "xterm" }, painted: false }],
  ["a pipe in a CI job", { isTTY: false, env: { CI: "true" }, painted: false }],
  ["a terminal that knows no colours", { isTTY: true, env: { TERM: "dumb" }, painted: false }],
  ["NO_COLOR on a terminal", { isTTY: true, env: { NO_COLOR: "1" }, painted: false }],
  ["an empty NO_COLOR on a terminal", { isTTY: true, env: { NO_COLOR: "" }, painted: true }],
  ["FORCE_COLOR in a pipe", { isTTY: false, env: { FORCE_COLOR: "1" }, painted: true }],
  ["FORCE_COLOR=0 on a terminal", { isTTY: true, env: { FORCE_COLOR: "0" }, painted: false }],
  ["NO_COLOR against FORCE_COLOR", { isTTY: true, env: { NO_COLOR: "1", FORCE_COLOR: "1" }, painted: false }],
] as const)("%s", ([, { isTTY, env, painted }]) => {
  expect(isPainted({ isTTY }, env)).toBe(painted);
});
