import { compile } from "@forgeline/compiler/compile.ts";
import { buildContexts } from "@forgeline/compiler/expression/values.ts";
import { evaluateWhen, type Outcome } from "@forgeline/compiler/when.ts";
import { expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";

function decide(when: string, outcome: Outcome = "success", event = exampleEvent()) {
  const text = `image: a\nsteps: [{ run: x${when === "" ? "" : `, when: ${when}`} }]`;
  const { plan, diagnostics } = compile({ file: "f", text });
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  return evaluateWhen(plan.jobs[0]?.steps[0]?.when ?? [], {
    event,
    contexts: buildContexts({ event }),
    outcome,
  });
}
const runs = { run: true };

test.each<[string, Outcome, boolean]>([
  ["", "success", true],
  ["", "failure", false],
  ["", "cancelled", false],
  ["{ status: failure }", "failure", true],
  ["{ status: failure }", "success", false],
  ["{ status: failure }", "cancelled", false],
  ["{ status: always }", "cancelled", true],
  ["{ branch: main }", "success", true],
  ["{ branch: main }", "failure", false],
  ["{ branch: ['*', '!main'] }", "success", false],
  ["{ tag: '**' }", "success", false],
  ["{ event: [push, tag] }", "success", true],
  ["{ event: '!push' }", "success", false],
  ["{ target: main }", "success", false],
  ["{ paths: 'src/*' }", "success", true],
  ["{ paths: 'lib/*' }", "success", false],
  ["{ paths_ignore: ['src/**', 'docs/**'] }", "success", false],
  ["{ if: \"branch == 'main'\", event: push }", "success", true],
  ["{ if: \"branch == 'main'\", event: tag }", "success", false],
  ["[{ branch: dev }, { status: failure }]", "failure", true],
  ["[{ branch: dev }, { status: failure }]", "success", false],
  ["\"${{ actor == 'ada' }}\"", "success", true],
  ["\"actor == 'bob'\"", "success", false],
])("%s after %s: %s", (when, outcome, expected) => {
  expect(decide(when, outcome).run).toBe(expected);
});

test("a branch or a tag matches where there is one only", () => {
  const tag = exampleEvent({ name: "tag", branch: null, tag: "v1" });
  expect(decide("{ branch: '**' }", "success", tag).run).toBe(false);
  expect(decide("{ branch: '!dev' }", "success", tag).run).toBe(false);
  expect(decide("{ tag: 'v*' }", "success", tag).run).toBe(true);
});

test("the reason names the clause", () => {
  expect(decide("{ branch: [dev, 'x/*'] }")).toEqual({ run: false, reason: "when:branch: [dev, x/*]" });
  expect(decide("[{ branch: dev }, { if: 'false || false' }]")).toEqual({
    run: false,
    reason: "when:branch: dev | if: false || false",
  });
  expect(decide("", "failure")).toEqual({ run: false, reason: "when:status: success" });
  const long = decide(`{ branch: ${"x".repeat(300)} }`);
  expect(long.run ? "" : long.reason).toHaveLength(195);
});

test("changed() follows the changed paths; unknown paths match", () => {
  expect(decide("\"changed('src/**')\"")).toEqual(runs);
  expect(decide("\"changed('lib/**', 'docs/*.md')\"")).toEqual(runs);
  expect(decide("\"changed('lib/**')\"").run).toBe(false);
  expect(decide("\"changed('lib/**')\"", "success", exampleEvent({ changedPaths: null }))).toEqual(runs);
});

test("a condition that gives text is refused when it runs", () => {
  expect(() => decide("fromJson(vars.LIST)")).toThrow("a condition must be true or false, but is list");
});

test.each([
  ["{ labels: x }", ["P101"]],
  ["{}", ["P103"]],
])("%s is told of once", (when, codes) => {
  const { diagnostics } = compile({ file: "f", text: `image: a\nsteps: [{ run: x, when: ${when} }]` });
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});
