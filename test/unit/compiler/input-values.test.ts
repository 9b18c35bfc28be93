/** What may be given for an input, by its type. */
import { expect, test } from "vitest";
import { readInput } from "@forgeline/compiler/input-values.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";

const input = (type: PlanInput["type"]): PlanInput => ({
  name: "it",
  type,
  options: type === "choice" ? ["staging", "1.10", "true"] : [],
  default: null,
  required: false,
  description: null,
});

test.each([
  ["string", "", ""],
  ["string", "1.5", "1.5"],
  ["string", 1.5, "1.5"],
  ["string", true, "true"],
  ["string", "${{ sha }} $(id)", "${{ sha }} $(id)"],
  ["string", "x".repeat(65_536), "x".repeat(65_536)],
  ["number", 0, 0],
  ["number", "1.5", 1.5],
  ["number", "-2e3", -2000],
  ["number", "+7", 7],
  ["number", "9007199254740991", Number.MAX_SAFE_INTEGER],
  ["boolean", true, true],
  ["boolean", "true", true],
  ["boolean", "false", false],
  ["choice", "staging", "staging"],
  ["choice", "1.10", "1.10"],
  ["choice", true, "true"],
] as const)("%s takes %j", (type, given, value) => {
  expect(readInput(input(type), given)).toEqual({ value });
});

test.each([
  ["string", "x".repeat(65_537), "text of at most 65,536 characters"],
  ["string", "a\0b", "text without NUL or unpaired surrogates"],
  ["string", "\ud800", "text without NUL or unpaired surrogates"],
  ["number", "", "a number"],
  ["number", " 1", "a number"],
  ["number", "0x10", "a number"],
  ["number", "1,5", "a number"],
  ["number", "Infinity", "a number"],
  ["number", "1e999", "a number"],
  ["number", NaN, "a number"],
  ["number", true, "a number"],
  ["number", "9007199254740993", "a number between"],
  ["boolean", "yes", "true or false"],
  ["boolean", 1, "true or false"],
  ["boolean", "", "true or false"],
  ["choice", "Staging", "one of: staging, 1.10, true"],
  ["choice", 1.1, "one of: staging, 1.10, true"],
  ["choice", "", "one of: "],
] as const)("%s does not take %j", (type, given, problem) => {
  expect(readInput(input(type), given)).toEqual({ problem: expect.stringContaining(problem) });
});
