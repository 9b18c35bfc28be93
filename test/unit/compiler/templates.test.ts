/** Templates: what comes of `uses`, and what is wrong with them, told at its place. */
import { compile } from "@forgeline/compiler/compile.ts";
import { limits } from "@forgeline/compiler/limits.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import type { TemplateFiles } from "@forgeline/compiler/templates/library.ts";
import { literalOf } from "@forgeline/compiler/templates/replace-names.ts";
import { evaluateWhen, mayOutliveStop, type Outcome } from "@forgeline/compiler/when.ts";
import { describe, expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";

const file = ".forgeline.yml";
function compiled(text: string, templates: Record<string, string | TemplateFiles[string]> = {}) {
  const files = Object.entries(templates).map(([key, given]) => [
    key,
    typeof given === "string" ? { text: given } : given,
  ]);
  return compile({ file, text, templates: Object.fromEntries(files) as TemplateFiles });
}
const stepOf = (uses: string, rest = "") => `image: a\nsteps: [{ uses: "${uses}"${rest} }]`;
const own = "./t.yml";
const told = (text: string, templates: Parameters<typeof compiled>[1]) =>
  compiled(text, templates).diagnostics.map(
    ({ code, file: at, line, column, message }) => `${at}:${line}:${column} ${code} ${message}`,
  );
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

describe("what is wrong is told at its place", () => {
  test.each<[string, string, Parameters<typeof compiled>[1], string[]]>([
    ["no path", stepOf("t.yml"), {}, [`${file}:2:17 P501 "t.yml": this is no path of a template`]],
    ["out of the repository", stepOf("./../t.yml"), {}, ["P501"]],
    ["without a ref", stepOf("o/r//t.yml"), {}, ["P501"]],
    [
      "not there",
      stepOf(own),
      { [own]: { problem: "t.yml does not exist at 1234", hint: null } },
      [`${file}:2:17 P502 t.yml does not exist at 1234`],
    ],
    [
      "unknown input",
      stepOf(own, ", with: { a: 1 }"),
      { [own]: "inputs: { b: { type: string } }\nsteps: [x]" },
      [`${file}:2:36 P504 the template ./t.yml has no input "a"`],
    ],
    [
      "missing input",
      stepOf(own),
      { [own]: "inputs: { b: { type: string, required: true } }\nsteps: [x]" },
      [`${file}:2:17 P504 the template ./t.yml needs the input "b"`],
    ],
    [
      "wrong value",
      stepOf(own, ", with: { b: many }"),
      { [own]: "inputs: { b: { type: number } }\nsteps: [x]" },
      [`${file}:2:39 P504 the input "b" must be a number, such as 5 or -1.5, not "many"`],
    ],
    [
      "wrong type",
      stepOf(own, `, with: { b: "\${{ branch }}" }`),
      { [own]: "inputs: { b: { type: boolean } }\nsteps: [x]" },
      [`${file}:2:40 P504 the input "b" must be true or false, but this is text`],
    ],
    ["a job for steps", stepOf(own), { [own]: "job: { steps: [x] }" }, ["P505"]],
    ["steps for a job", `jobs: { a: { image: a, uses: ${own} } }`, { [own]: "steps: [x]" }, ["P505"]],
    [
      "in a group",
      `image: a\nsteps: [{ parallel: [x, { uses: ${own} }] }]`,
      { [own]: "steps: [x]" },
      ["P505"],
    ],
    ["beside run", stepOf(own, ", run: x"), { [own]: "steps: [x]" }, ["P113"]],
    [
      "needs of the file",
      `jobs: { a: { image: a, uses: ${own} } }`,
      { [own]: "job: { needs: [b], steps: [x] }" },
      ['t.yml:1:8 P506 the job of a template cannot have "needs"'],
    ],
    [
      "names that only the run knows",
      stepOf(own),
      { [own]: `inputs: { a: { type: string } }\nsteps: [{ run: x, env: { A: "\${{ toJson(inputs) }}" } }]` },
      ['t.yml:2:29 P506 in a template, "inputs" can only be read by plain names'],
    ],
    [
      "unknown key",
      stepOf(own),
      { [own]: "step: [x]\nsteps: [x]" },
      ['t.yml:1:1 P101 unknown key "step" in a template'],
    ],
    ["neither form", stepOf(own), { [own]: "inputs: {}" }, ["P108"]],
    [
      "needs, which it has not",
      stepOf(own),
      { [own]: 'steps: [{ run: x, env: { A: "${{ needs.a.result }}" } }]' },
      ["P202"],
    ],
    ["an expression in a script", stepOf(own), { [own]: "steps: [{ run: 'x ${{ branch }}' }]" }, ["P205"]],
    [
      "an unknown output",
      `image: a\nsteps: [{ id: t, uses: ${own} }, { run: x, env: { A: "\${{ steps.t.outputs.no }}" } }]`,
      {
        [own]: "steps: [x]\noutputs: { yes: 'a' }",
      },
      ["P202"],
    ],
    [
      "a value that its place cannot have",
      `jobs:
  a: { image: a, steps: [x], outputs: { o: "1" } }
  b: { image: a, needs: [a], uses: ${own}, with: { n: "\${{ needs.a.outputs.o }}" } }`,
      { [own]: 'inputs: { n: { type: string } }\njob: { name: "x ${{ inputs.n }}", steps: [x] }' },
      [
        `${file}:3:36 P504 what \`with\` gives cannot be used at t.yml:2: "needs" is only available in jobs: image, env, services, when, steps, outputs`,
      ],
    ],
  ])("%s", (_name, text, templates, expected) => {
    const found = told(text, templates);
    expect(found).toHaveLength(expected.length);
    found.forEach((line, i) => expect(line).toContain(expected[i]));
    expect(compiled(text, templates).plan).toBeNull();
  });

  test("once, however often the template is used, with the way to it", () => {
    const text = `jobs:\n  a: { image: a, steps: [{ uses: ${own} }] }\n  b: { image: a, steps: [{ uses: ${own} }] }`;
    const { diagnostics } = compiled(text, {
      [own]: "steps:\n  - uses: ./u.yml",
      "./u.yml": "steps: [{ run: x, idd: y }]",
    });
    expect(diagnostics).toHaveLength(1);
    const [first] = diagnostics;
    expect(first && renderDiagnostic(first, { text, docsUrl: "D" })).toBe(
      [
        'u.yml:1:19: error[P101]: unknown key "idd" in job "template", step 1',
        '      = hint: did you mean "id"? Keys here: id, name, run, image, shell, workdir, env, secrets, when, timeout, idle_timeout, allow_failure, parallel, uses, with',
        "      = used by t.yml:2:11",
        "      = used by .forgeline.yml:2:34",
        "      = help: D/pipelines/errors#P101",
      ].join("\n"),
    );
  });

  test("together with all other mistakes, and none that only follows", () => {
    const text = `jobs:
  a: { uses: ./gone.yml, image: a }
  b: { image: a, needs: [a, nobody], steps: [{ id: t, uses: ./gone.yml }, { run: x, env: { A: "\${{ needs.a.outputs.o }}\${{ steps.t.outputs.p }}" } }] }`;
    const gone = { problem: "gone", hint: null };
    expect(told(text, { "./gone.yml": gone }).map((line) => line.split(" ")[1])).toEqual([
      "P502",
      "P104",
      "P502",
    ]);
  });

  test("circles, with all their members", () => {
    const circle = { "./a.yml": "steps: [{ uses: ./b.yml }]", "./b.yml": "steps: [{ uses: ./a.yml }]" };
    expect(told(stepOf("./a.yml"), circle)).toEqual([
      "b.yml:1:17 P503 templates use each other in a circle: ./a.yml → ./b.yml → ./a.yml",
    ]);
  });

  test("templates of a branch are not pinned, and others on a server are not checked here", () => {
    const text = stepOf("o/r//t.yml@main");
    expect(told(text, { "o/r//t.yml@main": { text: "steps: [x]", branch: "main" } })).toEqual([
      expect.stringContaining("W906 the template is not pinned"),
    ]);
    const offline = compiled(text, { "o/r//t.yml@main": { elsewhere: true } });
    expect(offline.diagnostics.map(({ code }) => code)).toEqual(["W907"]);
    expect(offline.plan?.jobs).toHaveLength(1);
  });

  test("what was not read makes no plan", () => {
    const { plan, missing } = compiled(stepOf(own));
    expect(plan).toBeNull();
    expect(missing).toEqual([own]);
  });
});

describe("limits", () => {
  test(`${limits.templateDepth} deep`, () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, i) => [
          `./t${i}.yml`,
          i === length - 1 ? "steps: [x]" : `steps: [{ uses: ./t${i + 1}.yml }]`,
        ]),
      );
    expect(told(stepOf("./t0.yml"), chain(4))).toEqual([]);
    expect(told(stepOf("./t0.yml"), chain(5)).join()).toContain(
      "P309 templates use templates more than 4 deep",
    );
  });

  test(`${limits.templates} templates`, () => {
    const many = (count: number) => {
      const keys = Array.from({ length: count }, (_, i) => `./t${i}.yml`);
      const text = `image: a\nsteps: [${keys.map((key) => `{ uses: ${key} }`).join(", ")}]`;
      return told(text, Object.fromEntries(keys.map((key) => [key, "steps: [x]"])));
    };
    expect(many(50)).toEqual([]);
    expect(many(51).join()).toContain("P309 more than 50 templates");
  });

  test("what they become together, quickly", () => {
    const step = `{ run: x, env: { A: ${"a".repeat(10_000)} } }`;
    const wide = `steps: [${Array.from({ length: 50 }, () => step).join(", ")}]`;
    const jobs = Array.from({ length: 60 }, (_, i) => `j${i}: { image: a, steps: [{ uses: ${own} }] }`);
    const began = performance.now();
    expect(told(`jobs: { ${jobs.join(", ")} }`, { [own]: wide }).join()).toContain(
      "P309 the templates expand",
    );
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test("steps of templates count as steps of the job", () => {
    const text = `image: a\nsteps: [${Array.from({ length: 3 }, () => `{ uses: ${own} }`).join(", ")}]`;
    const template = `steps: [${Array.from({ length: 40 }, () => "x").join(", ")}]`;
    expect(told(text, { [own]: template }).join()).toContain('P305 "steps" has 120 steps');
  });
});
