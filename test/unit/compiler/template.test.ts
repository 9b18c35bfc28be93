import { compile } from "@forgeline/compiler/compile.ts";
import { buildContexts } from "@forgeline/compiler/expression/values.ts";
import { stepEnvironment } from "@forgeline/compiler/job-env.ts";
import { knownStepNames } from "@forgeline/compiler/step-names.ts";
import { renderJob } from "@forgeline/compiler/render-job.ts";
import { renderTemplate, splitTemplate } from "@forgeline/compiler/template.ts";
import { expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";

const contexts = buildContexts({
  event: exampleEvent(),
  needs: { a: { result: "success", outputs: { version: "22" } } },
});

test.each([
  ["plain $VAR {{ }}", "plain $VAR {{ }}"],
  ["${{branch}}-${{ inputs.count }}", "main-3"],
  ["${{ '}}' }}", "}}"],
  ["${{ '${{' }}", "${{"],
  ["[${{ null }}]", "[]"],
  ["${{ inputs.dry }}", "false"],
])("%s", (text, expected) => {
  expect(renderTemplate(text, contexts)).toBe(expected);
});

test("values are not read as templates again", () => {
  const sly = buildContexts({ event: exampleEvent({ branch: "${{ vars.REGION }}" }) });
  expect(renderTemplate("${{ branch }}", sly)).toBe("${{ vars.REGION }}");
});

test("lists have no text; an open expression is told", () => {
  expect(() => renderTemplate("${{ repo }}", contexts)).toThrow(
    "a list or mapping cannot be converted to text",
  );
  expect(() => splitTemplate("a ${{ b")).toThrow("the expression is not closed");
});

test.each(["\\u0000", "\\ud800"])("%s, which nothing can hold, is no text", (made) => {
  expect(() => renderTemplate(`\${{ fromJson('"${made}"') }}`, contexts)).toThrow(
    "must not contain NUL or unpaired",
  );
});

test("environment: later wins, nothing wins over CI_*", () => {
  const env = stepEnvironment({
    ci: { CI: "true", CI_JOB: "j" },
    top: { A: "${{ a branch of this name }}", B: "top", C: "top" },
    job: { B: "job", C: "job", CI_JOB: "mine" },
    step: { env: { C: "${{ branch }}" } },
    contexts,
  });
  expect(env).toEqual({ CI: "true", CI_JOB: "j", A: "${{ a branch of this name }}", B: "job", C: "main" });
});

test("environment: a bad value names its variable, and the size is capped", () => {
  const parts = { ci: {}, top: {}, job: {}, contexts };
  expect(() => stepEnvironment({ ...parts, step: { env: { A: "${{ vars.NOPE }}" } } })).toThrow(
    "A: there is no",
  );
  expect(() => stepEnvironment({ ...parts, step: { env: { A: "x".repeat(70_000) } } })).toThrow(
    "at most 65536",
  );
});

test("a job of a plan from before labels had limits is refused", () => {
  const plan = compile({ file: "f", text: "image: x\nsteps: [x]" }).plan?.jobs[0];
  const render = (label: string) => plan && renderJob({ ...plan, runnerLabels: [label] }, contexts);
  expect(render("x".repeat(127))?.runnerLabels).toHaveLength(1);
  expect(() => render("x".repeat(128))).toThrow("at most 127 are allowed");
});

test("a job's priority becomes a number, or is left to the event", () => {
  const plan = compile({ file: "f", text: "image: x\nsteps: [x]" }).plan?.jobs[0];
  const render = (priority: string | number) => plan && renderJob({ ...plan, priority }, contexts);
  expect(render(7)?.priority).toBe(7);
  expect(render("${{ branch == 'main' && 90 || 50 }}")?.priority).toBe(90);
  expect(render("${{ '-5' }}")?.priority).toBe(-5);
  for (const nothing of ["${{ null }}", "${{ tag }}"]) expect(render(nothing)).not.toHaveProperty("priority");
  for (const wrong of ["'urgent'", "101", "-101", "1.5", "branch == 'main'"])
    expect(() => render(`\${{ ${wrong} }}`)).toThrow("must be a whole number from -100 to 100, but is");
});

test("names of steps are filled in as far as they are known before the job runs", () => {
  const names = ["make", "on ${{ branch }}: ${{ steps.s.outputs.v }}", "${{ vars.NOPE }} ${{ sha }}", "${{"];
  const plan = compile({ file: "f", text: "image: x\nsteps: [x]" }).plan?.jobs[0];
  const steps = names.flatMap((name) => plan?.steps.map((step) => ({ ...step, name })) ?? []);
  expect(knownStepNames({ steps }, contexts)).toEqual([
    "make",
    "on main: ${{ steps.s.outputs.v }}",
    `\${{ vars.NOPE }} ${exampleEvent().sha}`,
    "${{",
  ]);
});

test("a job's own templates are rendered, steps and outputs are left", () => {
  const text = `
on: { manual: { inputs: { count: { type: number } } } }
jobs:
  a: { image: x, outputs: { version: "\${{ steps.s.outputs.v }}" }, steps: [{ id: s, run: x }] }
  b:
    needs: [a]
    name: on \${{ branch }}
    image: "node:\${{ needs.a.outputs.version }}"
    env: { V: "\${{ needs.a.outputs.version }}" }
    services: { db: { image: "db:\${{ inputs.count }}", env: { E: "\${{ sha }}" } } }
    outputs: { o: "\${{ steps.t.outputs.o }}" }
    steps: [{ id: t, name: "step \${{ branch }}", run: x }]`;
  const job = compile({ file: "f", text }).plan?.jobs[1];
  if (!job) throw new Error("no plan");
  expect(renderJob(job, contexts)).toMatchObject({
    name: "on main",
    image: { name: "node:22" },
    env: { V: "22" },
    services: [{ image: { name: "db:3" }, env: { E: exampleEvent().sha } }],
    outputs: { o: "${{ steps.t.outputs.o }}" },
    steps: [{ name: "step ${{ branch }}" }],
  });
  const empty = buildContexts({ event: exampleEvent({ variables: { IMAGE: " " } }) });
  const sly = { ...job, image: { name: "${{ vars.IMAGE }}", user: null } };
  expect(() => renderJob({ ...sly, env: {}, services: [] }, empty)).toThrow("is empty");
});
