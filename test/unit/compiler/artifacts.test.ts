import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import { buildContexts } from "@forgeline/compiler/expression/values.ts";
import { renderJob } from "@forgeline/compiler/render-job.ts";
import { plainEvent } from "../../support/plain-event.ts";

const file = ".forgeline.yml";

function problems(text: string): string[] {
  const { diagnostics } = compile({ file, text });
  return diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}

function planned(text: string) {
  const { plan, diagnostics } = compile({ file, text });
  expect(diagnostics).toEqual([]);
  return plan!.jobs;
}

test("artifacts have their defaults filled in, in both forms of the file", () => {
  const [job] = planned(`image: x
steps: [ls]
artifacts: [{ name: dist, paths: dist }]
`);
  const all = { expireMs: 30 * 86_400_000, when: "success", required: false, exclude: [] };
  expect(job?.artifacts).toEqual([{ name: "dist", paths: ["dist"], ...all }]);
  const [full] = planned(`jobs:
  a:
    image: x
    steps: [ls]
    artifacts: [{ name: d, paths: [a, "!b"], exclude: c, expire: 7d, when: always, required: true }]
`);
  expect(full?.artifacts).toEqual([
    {
      name: "d",
      paths: ["a", "!b"],
      exclude: ["c"],
      expireMs: 7 * 86_400_000,
      when: "always",
      required: true,
    },
  ]);
});

test("a job without artifacts is planned as before there were any", () => {
  expect(planned("image: x\nsteps: [ls]\n")[0]).not.toHaveProperty("artifacts");
});

test("what is wrong with artifacts is told at its place", () => {
  expect(
    problems(`jobs:
  a:
    image: x
    steps: [ls]
    artifacts:
      - { name: "a/b", paths: [x] }
      - { name: dist, paths: ["../x", /etc/x, ~/x, ""] }
      - { name: dist, paths: ["!x"], expire: 0s }
      - { name: long, paths: [x], expire: 99999d }
      - { paths: [x] }
`),
  ).toEqual([
    "6:17 P117 the name of an artifact must be 1 to 128 letters, digits, ., _ and -, beginning with a letter or digit",
    '7:31 P117 "paths": "../x" may not contain ".."',
    '7:39 P117 "paths": "/etc/x" is outside the workspace',
    '7:47 P117 "paths": "~/x" is outside the workspace',
    '7:52 P117 "paths": a pattern must not be empty',
    '8:17 P111 two artifacts of this job have the name "dist"',
    '8:23 P117 "paths" must name at least one file or directory',
    '8:46 P103 "expire" must be longer than 0',
    '9:43 P307 "expire" can be at most 3650 days',
    '10:11 P108 job "a" is missing the key "name"',
  ]);
});

test("needs can only name artifacts that their job has", () => {
  const text = (artifacts: string) => `jobs:
  a: { image: x, steps: [ls], artifacts: [{ name: dist, paths: [x] }] }
  b: { image: x, steps: [ls] }
  c: { image: x, steps: [ls], needs: [${artifacts}] }
`;
  expect(problems(text("{ job: a, artifacts: [dits] }"))).toEqual([
    '4:61 P117 job "a" has no artifact "dits"',
  ]);
  expect(problems(text("{ job: b, artifacts: true }"))).toEqual(['4:60 P117 job "b" has no artifacts']);
  expect(planned(text("{ job: a, artifacts: [dist] }"))[2]?.needs).toEqual([
    { job: "a", optional: false, artifacts: ["dist"] },
  ]);
  expect(planned(text("{ job: a, artifacts: true }"))[2]?.needs?.[0]?.artifacts).toBe(true);
  expect(planned(text("{ job: a, artifacts: false }"))[2]?.needs).toEqual([{ job: "a", optional: false }]);
});

test("the examples of the page compile", () => {
  const page = readFileSync(new URL("../../../docs/pipelines/artifacts.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```yaml\n([^`]*)```/g)].map(([, text = ""]) => text);
  expect(blocks.length).toBeGreaterThan(0);
  for (const text of blocks) expect(planned(text)).not.toEqual([]);
});

test("a name with values of a matrix is judged when they are known", () => {
  const [job] = planned(`jobs:
  a:
    image: x
    steps: [ls]
    matrix: { v: [one, "a/b"] }
    artifacts: [{ name: "x-\${{ matrix.v }}", paths: [x] }]
`);
  const rendered = (v: string) => {
    const pipeline = { id: "", number: 1, name: "", url: "" };
    const contexts = buildContexts({
      event: plainEvent("a".repeat(40)),
      pipeline,
      needs: {},
      matrix: { v },
      steps: {},
    });
    return renderJob(job!, contexts).artifacts?.[0]?.name;
  };
  expect(rendered("one")).toBe("x-one");
  expect(() => rendered("a/b")).toThrow(
    'the name of an artifact must be 1 to 128 letters, digits, ., _ and -, beginning with a letter or digit, not "x-a/b"',
  );
});
