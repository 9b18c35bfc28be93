/** Templates: what comes of `uses`. */
import { literalOf } from "@forgeline/compiler/templates/replace-names.ts";
import { evaluateWhen, mayOutliveStop, type Outcome } from "@forgeline/compiler/when.ts";
import { describe, expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";
import { compiled, own, stepOf } from "./with-templates.ts";

/** Of the only job. */
function stepsOf(text: string, templates: Parameters<typeof compiled>[1]) {
  const { plan, diagnostics } = compiled(text, templates);
  expect(diagnostics).toEqual([]);
  return plan?.jobs[0]?.steps ?? [];
}

describe("steps of a template", () => {
  test("stand in the place of `uses`, with what is beside it", () => {
    const steps = stepsOf(
      `image: a
env: { TOP: x }
steps:
  - first
  - { name: Deploy, uses: ./t.yml, env: { A: outer, B: outer }, timeout: 5m, secrets: [TOKEN], with: { to: prod } }
  - last`,
      {
        [own]: `
inputs: { to: { type: choice, options: [prod, test] }, force: { type: boolean, default: false } }
steps:
  - { run: go, env: { A: inner, TO: "\${{ inputs.to }}" } }
  - { name: quick, timeout: 1m, run: x, when: "inputs.force" }`,
      },
    );
    expect(steps.map(({ name, position }) => [position, name])).toEqual([
      [0, "first"],
      [1, "Deploy: go"],
      [2, "Deploy: quick"],
      [3, "last"],
    ]);
    expect(steps[1]).toMatchObject({
      env: { A: "inner", B: "outer", TO: "${{ 'prod' }}" },
      timeoutMs: 300_000,
      secrets: [{ name: "TOKEN" }],
    });
    expect(steps[2]).toMatchObject({ timeoutMs: 60_000, when: [{ if: "false" }] });
  });

  test("keep their ids apart, and give outputs", () => {
    const template = `
inputs: { n: { type: number } }
steps: [{ id: x, run: "1" }, { run: "2", env: { X: "\${{ steps.x.outputs.v }}" } }]
outputs: { v: "\${{ steps.x.outputs.v }}-\${{ inputs.n }}" }`;
    const steps = stepsOf(
      `image: a
steps:
  - { id: t1, run: taken }
  - { id: a, uses: ./t.yml, with: { n: 1 } }
  - { id: b, uses: ./t.yml, with: { n: 2 } }
  - { run: end, env: { E: "\${{ steps.a.outputs.v }} \${{ steps.b.outputs.v }}" } }`,
      { [own]: template },
    );
    expect(steps.map(({ id }) => id)).toEqual(["t1", "tt1-1", null, "tt2-1", null, null]);
    expect(steps[2]?.env).toEqual({ X: "${{ steps.tt1-1.outputs.v }}" });
    expect(steps[5]?.env["E"]).toBe(
      "${{ format('{0}-{1}', (steps.tt1-1.outputs.v), (1)) }} ${{ format('{0}-{1}', (steps.tt2-1.outputs.v), (2)) }}",
    );
  });

  test("can be groups, each with its own steps", () => {
    const steps = stepsOf(stepOf(own), {
      [own]: "steps: [{ parallel: [a, b] }, { parallel: [c, d] }, e]",
    });
    expect(steps.map(({ parallel }) => parallel)).toEqual([0, 0, 2, 2, null]);
  });

  test("never let a value become part of an expression", () => {
    const hostile = "x') == 'y' || ${{ 1 }} }} ' \"";
    const [step] = stepsOf(`image: a\nsteps: [{ uses: ${own}, with: { v: "a'}} b" } }]`, {
      [own]: `inputs: { v: { type: string } }\nsteps: [{ run: x, env: { V: "<\${{ inputs.v }}>" } }]`,
    });
    expect(step?.env["V"]).toBe("<${{ 'a''}} b' }}>");
    expect(literalOf(hostile)).toBe(`'x'') == ''y'' || \${{ 1 }} }} '' "'`);
    expect(literalOf(1e-7)).toBe("0.00000010000000000000");
  });
});

describe("the condition beside `uses`", () => {
  const judge = (outer: string | null, inner: string | null, outcome: Outcome, branch = "main") => {
    const beside = outer === null ? "" : `, when: ${outer}`;
    const [step] = stepsOf(stepOf(own, beside), {
      [own]: `steps: [{ run: x${inner === null ? "" : `, when: ${inner}`} }]`,
    });
    const event = exampleEvent({ branch });
    const facts = { event, contexts: { names: {}, changedPaths: null }, outcome };
    return evaluateWhen(step?.when ?? [], facts).run;
  };
  test.each([
    ["{ branch: main }", null, "success", true],
    ["{ branch: other }", null, "success", false],
    ["{ branch: main }", null, "failure", false],
    ["{ branch: main }", "{ status: failure }", "failure", true],
    ["{ branch: other }", "{ status: always }", "failure", false],
    ["{ status: failure }", null, "failure", true],
    ["{ status: failure }", null, "success", false],
    ["{ status: failure }", "{ status: success }", "failure", false],
    ["{ status: always }", null, "cancelled", true],
    ["{ status: always }", "{ branch: other }", "cancelled", false],
    ["[{ branch: other }, { status: failure }]", null, "failure", true],
    [null, "{ status: always }", "cancelled", true],
  ] as const)("%s and %s after %s", (outer, inner, outcome, runs) => {
    expect(judge(outer, inner, outcome)).toBe(runs);
  });

  test("decides whether a step may outlive a stop", () => {
    const [inner, outer] = stepsOf(
      `image: a\nsteps: [{ uses: ${own} }, { uses: ${own}, when: { status: always } }]`,
      { [own]: "steps: [x]" },
    );
    expect(mayOutliveStop(inner?.when ?? [])).toBe(false);
    expect(mayOutliveStop(outer?.when ?? [])).toBe(true);
  });
});

describe("a job of a template", () => {
  test("has the keys of both, its own first", () => {
    const { plan, diagnostics } = compiled(
      `stages: [s]
jobs:
  a: { stage: s, image: a, steps: [{ id: x, run: x }], outputs: { v: "\${{ steps.x.outputs.v }}" } }
  b:
    stage: s
    needs: [a]
    uses: org/r//job.yml@v1
    with: { image: alpine, v: "\${{ needs.a.outputs.v }}" }
    env: { A: own }
    secrets: [OWN]
    timeout: 5m
  c: { stage: s, image: a, needs: [b], steps: [{ run: x, env: { R: "\${{ needs.b.outputs.r }}" } }] }`,
      {
        "org/r//job.yml@v1": `
inputs: { image: { type: string }, v: { type: string } }
job:
  image: "\${{ inputs.image }}:3"
  timeout: 1m
  retry: 1
  env: { A: given, V: "\${{ inputs.v }}" }
  secrets: { DEPLOY: key }
  steps: [{ id: y, run: y }]
  outputs: { r: "\${{ steps.y.outputs.r }}" }`,
      },
    );
    expect(diagnostics).toEqual([]);
    expect(plan?.jobs[1]).toMatchObject({
      image: { name: "${{ 'alpine' }}:3" },
      timeoutMs: 300_000,
      retry: { max: 1 },
      env: { A: "own", V: "${{ (needs.a.outputs.v) }}" },
      secrets: [
        { name: "key", env: "DEPLOY" },
        { name: "OWN", env: "OWN" },
      ],
      outputs: { r: "${{ steps.y.outputs.r }}" },
    });
  });

  test("may use templates of its own repository", () => {
    const { plan, templates } = compiled("jobs: { a: { image: a, uses: o/r//a.yml@v1 } }", {
      "o/r//a.yml@v1": "job: { steps: [{ uses: ./dir/b.yml }] }",
      "o/r//dir/b.yml@v1": "steps: [deep]",
    });
    expect(plan?.jobs[0]?.steps.map(({ run }) => run)).toEqual(["deep"]);
    expect(templates).toEqual(["o/r//a.yml@v1", "o/r//dir/b.yml@v1"]);
  });
});
