/** What is wrong with templates and their use, told at its place; and what keeps them small. */
import { defaultLimits } from "@forgeline/compiler/held-limits.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { describe, expect, test } from "vitest";
import { compiled, file, own, stepOf, told } from "./with-templates.ts";

describe("what is wrong is told at its place", () => {
  test.each<[string, string, Parameters<typeof compiled>[1], string[]]>([
    ["no path", stepOf("t.yml"), {}, [`${file}:2:17 P501 "t.yml": this is no path of a template`]],
    ["out of the repository", stepOf("./../t.yml"), {}, ["P501"]],
    ["without a ref", stepOf("o/r//t.yml"), {}, ["P501"]],
    // Row 47: what a program would fetch or open names nothing.
    ...[
      "https://example.com/t.yml",
      "https://example.com//t.yml@main",
      "http://127.0.0.1:8080//t.yml@main",
      "file:///etc/t.yml",
      "file:///etc//t.yml@main",
      "git@example.com:o/r//t.yml@main",
      "ssh://git@example.com/o/r//t.yml@main",
      "//etc/t.yml@main",
      "/etc/t.yml",
      "../r/t.yml",
      "./a/../../t.yml",
      "o/r//../../t.yml@main",
      "o/r//.git//t.yml@main",
    ].map((uses): [string, string, Record<string, string>, string[]] => [uses, stepOf(uses), {}, ["P501"]]),
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

test("text for a number is told how to become one", () => {
  const text = `defaults: { image: a }
jobs:
  gen: { steps: [{ id: s, run: x }], outputs: { n: "\${{ steps.s.outputs.n }}" } }
  use: { needs: [gen], uses: ${own}, with: { n: "\${{ needs.gen.outputs.n }}" } }`;
  const template = 'inputs: { n: { type: number } }\njob: { env: { N: "${{ inputs.n }}" }, steps: [x] }';
  expect(compiled(text, { [own]: template }).diagnostics).toMatchObject([
    { code: "P504", hint: "make a number of it: ${{ fromJson(needs.gen.outputs.n) }}" },
  ]);
  const mended = text.replace("needs.gen.outputs.n }", "fromJson(needs.gen.outputs.n) }");
  expect(compiled(mended, { [own]: template }).diagnostics).toEqual([]);
});

describe("limits", () => {
  test(`${defaultLimits.template_depth.value} deep`, () => {
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

  test(`${defaultLimits.templates.value} templates`, () => {
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
