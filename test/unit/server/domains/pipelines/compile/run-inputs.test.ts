/** The inputs of a run: given, by default, missing, and all that are wrong. */
import { describe, expect, test } from "vitest";
import { AppError } from "@forgeline/server/platform/app-error.ts";
import type { GivenInputs } from "@forgeline/compiler/given-inputs.ts";
import { requireInputs, resolveInputs } from "@forgeline/server/domains/pipelines/compile/run-inputs.ts";
import type { PlanInput } from "@forgeline/schemas/pipeline-file/plan.ts";

const input = (name: string, more: Partial<PlanInput>): PlanInput => ({
  name,
  type: "string",
  options: [],
  default: null,
  required: false,
  description: null,
  ...more,
});
const inputs = [
  input("target", { type: "choice", options: ["staging", "production"], default: "staging" }),
  input("version", { required: true }),
  input("count", { type: "number" }),
];

function errorsOf(work: () => unknown): [string, string][] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError)
      return (error.options.errors ?? []).map(({ field, code }) => [field, code]);
    throw error;
  }
  return [];
}

test("each has its value, in the order of the file", () => {
  const values = requireInputs(inputs, { count: "3", version: "1.4" }, "manual");
  expect(Object.entries(values)).toEqual([
    ["target", "staging"],
    ["version", "1.4"],
    ["count", 3],
  ]);
});

test("all that are wrong are told at once", () => {
  const given = { target: "moon", count: "many", tarfet: "x" };
  expect(errorsOf(() => requireInputs(inputs, given, "api"))).toEqual([
    ["inputs.tarfet", "unknown"],
    ["inputs.target", "invalid"],
    ["inputs.count", "invalid"],
    ["inputs.version", "required"],
  ]);
  expect(() => requireInputs(inputs, { version: "1", target: "moon" }, "api")).toThrow(
    "The input target must be one of: staging, production.",
  );
  expect(() => requireInputs(inputs, { version: "1", x: "" }, "api")).toThrow(
    "The pipeline has no input named x. Inputs here: target, version, count.",
  );
});

describe("a required one", () => {
  test.each(["manual", "api", "schedule"] as const)("must be given for %s", (event) => {
    expect(errorsOf(() => requireInputs(inputs, {}, event))).toEqual([["inputs.version", "required"]]);
    expect(errorsOf(() => requireInputs(inputs, { version: "" }, event))).toEqual([
      ["inputs.version", "required"],
    ]);
  });

  test.each(["push", "tag", "mirror_sync", "fork_sync"] as const)("does not matter for %s", (event) => {
    expect(requireInputs(inputs, {}, event)).toEqual({ target: "staging", version: null, count: null });
    expect(errorsOf(() => requireInputs(inputs, { version: "1" }, event))).toEqual([
      ["inputs.version", "unknown"],
    ]);
  });

  test("is told as missing where that is no error", () => {
    expect(resolveInputs(inputs, { count: 1 }, "manual")).toEqual({
      values: { target: "staging", version: null, count: 1 },
      missing: ["version"],
    });
  });
});

test("names of what every object has are names like others", () => {
  const own = [input("constructor", {}), input("toString", { default: "x" })];
  expect(requireInputs(own, {}, "manual")).toEqual({ constructor: null, toString: "x" });
  const proto = JSON.parse('{ "__proto__": "x", "valueOf": "y" }') as GivenInputs;
  expect(errorsOf(() => requireInputs(own, proto, "manual"))).toEqual([
    ["inputs.__proto__", "unknown"],
    ["inputs.valueOf", "unknown"],
  ]);
});

test("very many unknown ones, and long names, make no long answer", () => {
  const given = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`${i}${"x".repeat(9_000)}`, "x"]),
  );
  const told = errorsOf(() => requireInputs(inputs, given, "api"));
  expect([told.length, JSON.stringify(told).length < 10_000]).toEqual([50, true]);
});
