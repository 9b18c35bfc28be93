import { readdirSync, readFileSync } from "node:fs";
import { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { compile } from "@forgeline/compiler/compile.ts";
import { expect, test } from "vitest";

const directory = new URL("../../fixtures/pipelines/valid/", import.meta.url);
const files = readdirSync(directory).filter((name) => name.endsWith(".yml"));

test.each(files)("%s gives its plan", (name) => {
  const result = compile({
    file: `.forgeline/${name}`,
    text: readFileSync(new URL(name, directory), "utf8"),
  });
  expect(result.diagnostics.filter((one) => one.severity === "error")).toEqual([]);
  expect(Plan.parse(result.plan)).toEqual(result.plan);
  const expected: unknown = JSON.parse(
    readFileSync(new URL(name.replace(".yml", ".json"), directory), "utf8"),
  );
  expect({ plan: result.plan, on: result.on }).toEqual(expected);
});

test("defaults are filled in", () => {
  const { plan, on } = compile({ file: ".forgeline.yml", text: "image: a\nsteps: [x]" });
  expect(on).toMatchObject({ tag: { tags: null }, manual: true, api: true });
  expect(plan).toMatchObject({
    name: "forgeline",
    timeoutMs: 21_600_000,
    stages: [{ name: "main", needs: null }],
  });
  expect(plan?.jobs[0]).toMatchObject({
    key: "main",
    retry: { max: 2, on: ["infra", "image_pull"], delayMs: 5000, factor: 2, maxDelayMs: 300_000 },
    timeoutMs: 3_600_000,
    queueTimeoutMs: 86_400_000,
    idleTimeoutMs: null,
    clone: { depth: 50, filter: "none", tags: false, lfs: false },
    rerunIfLost: true,
    allowFailure: false,
    steps: [{ position: 0, name: "x", shell: "auto", timeoutMs: null }],
  });
});

test("jobs and services may be called as keys of the file are", () => {
  const text = `
jobs:
  ready: { image: a, steps: [x], services: { ready: { image: b } } }`;
  const { plan, diagnostics } = compile({ file: "f", text });
  expect(diagnostics).toEqual([]);
  expect(plan?.jobs[0]).toMatchObject({ key: "ready", services: [{ key: "ready", ready: null }] });
});

test("a mapping's own keys win over merged ones, and of these the first", () => {
  const text = `
env: &top { A: top, B: top, C: top }
jobs:
  one: { image: a, env: &one { B: one, C: one }, steps: [x] }
  two: { image: a, env: { <<: [*one, *top], C: two }, steps: [x] }`;
  const { plan, diagnostics } = compile({ file: "f", text });
  expect(diagnostics).toEqual([]);
  expect(plan?.jobs[1]?.env).toEqual({ A: "top", B: "one", C: "two" });
});

test("retry as a plain number means any reason", () => {
  const { plan } = compile({ file: "f", text: "jobs: { a: { image: a, retry: 0, steps: [x] } }" });
  expect(plan?.jobs[0]?.retry).toMatchObject({ max: 0, on: ["any"] });
});

test("with an event, unknown variables are errors; coalesce gives them a default", () => {
  const event: PipelineEvent = {
    name: "api",
    ref: "refs/heads/main",
    branch: "main",
    tag: null,
    sha: "a".repeat(40),
    beforeSha: null,
    actor: "ada",
    commitMessage: "",
    commitAuthor: "",
    changedPaths: null,
    repository: { owner: "o", name: "r", defaultBranch: "main" },
    inputs: {},
    variables: { REGION: "eu" },
  };
  const file = (expression: string): string => `image: a\nenv: { A: "\${{ ${expression} }}" }\nsteps: [x]`;
  const codes = (text: string): string[] =>
    compile({ file: "f", text, event }).diagnostics.map((one) => one.code);
  expect(codes(file("vars.REGON"))).toEqual(["P202"]);
  expect(codes(file("vars.REGION"))).toEqual([]);
  expect(codes(file("coalesce(vars.REGON, 'eu')"))).toEqual([]);
  expect(compile({ file: "f", text: file("vars.REGON") }).diagnostics).toEqual([]);
});

test("a job whose need waits for the stages before passes none of them, and outputs may be for other pipelines", () => {
  const codes = (text: string): string[] => compile({ file: "f", text }).diagnostics.map(({ code }) => code);
  const staged = (needs: string): string => `defaults: { image: a }
stages: [build, test, { name: deploy, when: { branch: main } }]
jobs:
  one: { stage: build, steps: [x] }
  two: { stage: test, steps: [x] }
  ship: { stage: deploy, ${needs === "ship" ? "" : "needs: [one], "}steps: [x] }
  tell: { stage: deploy, needs: [${needs}], steps: [x] }`;
  expect(codes(staged("ship"))).toEqual([]);
  expect(codes(staged("one"))).toEqual(["W903", "W903"]);
  const giving = (on: string): string => `on: ${on}
jobs: { a: { image: a, steps: [{ id: s, run: x }], outputs: { v: "\${{ steps.s.outputs.v }}" } } }`;
  expect(codes(giving("push"))).toEqual(["W902"]);
  for (const on of ["pipeline", "[push, pipeline]", "{ push: , pipeline: }"])
    expect(codes(giving(on))).toEqual([]);
});
