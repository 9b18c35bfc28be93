import { compile } from "@forgeline/compiler/compile.ts";
import { defaultLimits, holdLimits, lengthOf, limitSentence } from "@forgeline/compiler/held-limits.ts";
import {
  pipelineLimitNames,
  pipelineLimits,
  type PipelineLimitName,
} from "@forgeline/schemas/pipeline-limits/limits.ts";
import { expect, test } from "vitest";
import { readFile } from "node:fs/promises";

const minute = 60_000;
const set = (
  limits: Partial<Record<PipelineLimitName, number>>,
  setBy: "instance" | "organization" = "instance",
) => holdLimits(Object.entries(limits).map(([name, value]) => ({ name, value, setBy })));
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

function problems(text: string, limits: Partial<Record<PipelineLimitName, number>>) {
  const { diagnostics } = compile({ file: "f", text, limits: set(limits) });
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

test("an organization's limit comes before the instance's, and that before the default", () => {
  const limits = holdLimits([
    { name: "jobs", value: 60, setBy: "instance" },
    { name: "jobs", value: 900, setBy: "organization" },
    { name: "steps", value: 7, setBy: "instance" },
    { name: "of_a_later_version", value: 1, setBy: "instance" },
    { name: "stages", value: 1_000_000, setBy: "organization" },
  ]);
  expect(limits.jobs).toEqual({ value: 900, setBy: "organization" });
  expect(limits.steps).toEqual({ value: 7, setBy: "instance" });
  expect(limits.needs).toEqual({ value: 100, setBy: "default" });
  expect(limits.stages.value).toBe(pipelineLimits.stages.highest);
  expect(Object.keys(limits)).toEqual(pipelineLimitNames);
});

test("lengths of time and sentences for people", () => {
  expect([7 * 1440, 1440, 120, 60, 90, 1].map(lengthOf)).toEqual([
    "7 days",
    "1 day",
    "2 hours",
    "1 hour",
    "90 minutes",
    "1 minute",
  ]);
  expect(limitSentence(defaultLimits.jobs)).toBe("");
  expect(limitSentence(set({ jobs: 1 }, "organization").jobs)).toBe(
    " An administrator of the instance has set this limit for this organization, and can raise it.",
  );
});

const job = "defaults: { image: a }\njobs:\n  a: { steps: [x] }\n  b: ";
test.each<[string, Partial<Record<PipelineLimitName, number>>, string]>([
  ["image: a\nsteps: [x, y, z]", { steps: 2 }, 'P305 "steps" has 3 entries; at most 2 are allowed here'],
  [
    "image: a\nsteps: [x, { parallel: [y, z] }]",
    { steps: 2 },
    'P305 "steps" has 3 steps, counting those in "parallel" and templates; at most 2 are allowed here',
  ],
  [`${job}{ steps: [x] }`, { jobs: 1 }, "P305 2 jobs; at most 1 are allowed here"],
  [
    `${job}{ steps: [x], matrix: { v: [1, 2, 3] } }`,
    { jobs: 3 },
    "P305 with all combinations of their matrices there are 4 jobs; at most 3 are allowed here",
  ],
  [
    `${job}{ steps: [x], matrix: { v: [1, 2, 3] } }`,
    { matrix_combinations: 2 },
    'P305 job "b": the matrix has 3 combinations; at most 2 are allowed here',
  ],
  [
    "stages: [u, v]\ndefaults: { image: a }\njobs: { a: { stage: u, steps: [x] }, b: { stage: v, steps: [x] } }",
    { stages: 1 },
    'P305 "stages" has 2 entries; at most 1 are allowed here',
  ],
  [
    `${job}{ steps: [x] }\n  c: { steps: [x], needs: [a, b] }`,
    { needs: 1 },
    'P305 "needs" has 2 entries; at most 1 are allowed here',
  ],
  [
    "image: a\nservices: { d: { image: b } }\nsteps: [x]",
    { services: 0 },
    "P305 1 service; at most 0 are allowed here",
  ],
  [
    "image: a\nsteps: [x]\ncache: [{ key: k, paths: p }, { key: l, paths: p }]",
    { caches: 1 },
    'P305 "cache" has 2 entries; at most 1 are allowed here',
  ],
  [
    "image: a\nsteps: [x]\nartifacts: [{ name: n, paths: p }, { name: m, paths: p }]",
    { artifacts: 1 },
    'P305 "artifacts" has 2 entries; at most 1 are allowed here',
  ],
  [
    `image: a\nsteps: ["${"x".repeat(16 * 1024)}"]`,
    { file_kib: 16 },
    "P301 the file is 16404 bytes; at most 16384 are allowed here",
  ],
  ["image: a\nsteps: [x]\ntimeout: 2h", { run_minutes: 90 }, 'P307 "timeout" can be at most 90 minutes'],
  [`${job}{ steps: [x], timeout: 61m }`, { job_minutes: 60 }, 'P307 "timeout" can be at most 1 hour'],
  [
    "image: a\nsteps: [{ run: x, timeout: 61m }]",
    { job_minutes: 60 },
    'P307 "timeout" can be at most 1 hour',
  ],
  [
    `${job}{ steps: [x], approval: { expires: 3d } }`,
    { approval_days: 2 },
    'P307 "expires" can be at most 2 days',
  ],
])("a file beyond a limit that is set is told so: %#", (text, limits, expected) => {
  expect(problems(text, {})).toEqual([]);
  expect(problems(text, limits)).toEqual([expected]);
  const { diagnostics } = compile({ file: "f", text, limits: set(limits) });
  expect(diagnostics[0]?.hint).toBe(
    "an administrator of the instance has set this limit for this instance, and can raise it",
  );
});

test("raised limits let through what the defaults refuse, up to the highest value", () => {
  const steps = (count: number) => `image: a\nsteps:\n${many(count, (i) => `  - echo ${i}`)}`;
  expect(problems(steps(250), {})).toEqual(['P305 "steps" has 250 entries; at most 100 are allowed']);
  expect(problems(steps(250), { steps: 250 })).toEqual([]);
  const jobs = `defaults: { image: a }\njobs:\n${many(1000, (i) => `  j${i}: { steps: [x] }`)}`;
  expect(problems(jobs, { jobs: 1000 })).toEqual([]);
  expect(problems("image: a\nsteps: [x]\ntimeout: 30d", { run_minutes: 30 * 1440 })).toEqual([]);
});

test("times that a file does not give are shortened to the limits, and a job that starts a pipeline follows the run's", () => {
  const text =
    "defaults: { image: a }\njobs: { a: { steps: [x] }, b: { trigger: { pipeline: x } }, c: { trigger: { pipeline: x }, timeout: 2h } }";
  const { plan } = compile({ file: "f", text, limits: set({ job_minutes: 10, run_minutes: 180 }) });
  expect(plan?.timeoutMs).toBe(180 * minute);
  expect(plan?.jobs.map(({ timeoutMs }) => timeoutMs / minute)).toEqual([10, 180, 120]);
});

test("limits of templates hold, also inside of them", () => {
  const templates = {
    "./one.yml": { text: "steps: [{ uses: ./two.yml }]" },
    "./two.yml": { text: "steps: [a, b, c]" },
  };
  const text = "image: a\nsteps: [{ uses: ./one.yml }]";
  const compiled = (limits: Partial<Record<PipelineLimitName, number>>) =>
    compile({ file: "f", text, templates, limits: set(limits) }).diagnostics.map(({ message }) => message);
  expect(compiled({})).toEqual([]);
  expect(compiled({ templates: 1 })).toEqual(["more than 1 template"]);
  expect(compiled({ template_depth: 1 })).toEqual(["templates use templates more than 1 deep"]);
  expect(compiled({ steps: 2 })).toEqual(['"steps" has 3 entries; at most 2 are allowed here']);
});

const page = await readFile("docs/pipelines/limits.md", "utf8");

test("the page of limits says of each what it is by default and can be", () => {
  for (const name of pipelineLimitNames) {
    const { default: standard, lowest, highest } = pipelineLimits[name];
    const [n, l, h] = [standard, lowest, highest].map((number) => number.toLocaleString("en"));
    expect(page).toMatch(
      new RegExp(`^\\| \`${name}\` \\| [^|]+ \\| ${n} \\| ${l} to ${h} \\| [^|]+ \\|$`, "m"),
    );
  }
});

const inline = (count: number, entry: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => entry(i)).join(", ");
const list = (count: number, entry: (i: number) => string) => `[${inline(count, entry)}]`;
const tiny = (keys: string) => `image: a\nsteps: [x]\n${keys}`;
/** One more than a row of the page allows. */
const beyond: Partial<Record<PipelineLimitName, string>> = {
  file_kib: tiny(`x-a: "${"x".repeat(512 * 1024)}"`),
  stages: `stages: ${list(51, (i) => `s${i}`)}\njobs: { a: { stage: s0, image: a, steps: [x] } }`,
  jobs: `defaults: { image: a }\njobs:\n${many(501, (i) => `  j${i}: { steps: [x] }`)}`,
  matrix_combinations: `${job}{ steps: [x], matrix: { v: ${list(257, String)} } }`,
  steps: `image: a\nsteps: ${list(101, () => "x")}`,
  needs: `${job}{ steps: [x], needs: ${list(101, () => "a")} }`,
  services: tiny(`services: { ${inline(11, (i) => `s${i}: { image: a }`)} }`),
  caches: tiny(`cache: ${list(11, (i) => `{ key: k${i}, paths: p }`)}`),
  artifacts: tiny(`artifacts: ${list(51, (i) => `{ name: n${i}, paths: p }`)}`),
  job_minutes: `${job}{ steps: [x], timeout: 8d }`,
  run_minutes: tiny("timeout: 8d"),
  approval_days: `${job}{ steps: [x], approval: { expires: 31d } }`,
};

test("the page of limits says what is told beyond each", () => {
  for (const [name, text] of Object.entries(beyond)) {
    const row = new RegExp(`^\\| \`${name}\` .* \\| \\[(\\w+)\\]\\(.*\\): (.+) \\|$`, "m").exec(page);
    const told = problems(text, {}).map((problem) => problem.replaceAll(/\b\d+\b/g, "N"));
    const [, code, message] = row ?? [];
    expect(
      told.find((one) => one.startsWith(`${code} `) && one.endsWith(message ?? "?")),
      `${name}: ${told[0]}`,
    ).toBeDefined();
  }
});

/** A row of the fixed limits, and a file that is just beyond it. */
const fixed: Record<string, string> = {
  "Lists and mappings inside each other": `x-a: ${"[".repeat(65)}${"]".repeat(65)}`,
  "Values that aliases stand for": tiny(`x-a: &a [${"x,".repeat(200)}]\nx-b: [${"*a,".repeat(60)}]`),
  "Keys and values of a file": tiny(`x-a: [${"x,".repeat(40_000)}]`),
  "Steps of one `parallel`": `image: a\nsteps: [{ parallel: ${list(17, () => "x")} }]`,
  "Clauses of one `when`": `${job}{ steps: [x], when: ${list(21, () => "{ branch: a }")} }`,
  "Inputs of a file": tiny(`on: { manual: { inputs: { ${inline(26, (i) => `i${i}: { type: string }`)} } } }`),
  "Runner labels of a job": `${job}{ steps: [x], runner: ${list(51, (i) => `l${i}`)} }`,
  "Secrets in one list": tiny(`secrets: ${list(51, (i) => `S${i}`)}`),
  "Combinations of a matrix before `exclude`": `${job}{ steps: [x], matrix: { v: ${list(100, String)}, w: ${list(50, String)} } }`,
  "Names in a matrix": `${job}{ steps: [x], matrix: { ${inline(21, (i) => `m${i}: [x]`)} } }`,
  "One `env`": tiny(`env: { A: "${"x".repeat(64 * 1024)}" }`),
  "`queue_timeout`": `${job}{ steps: [x], queue_timeout: 31d }`,
  "A runner label": `${job}{ steps: [x], runner: ["${"l".repeat(128)}"] }`,
};

test("the page names the codes of fixed limits", () => {
  const lines = page.split("\n");
  const told = Object.entries(fixed).map(([row, text]) => {
    const codes = problems(text, {}).map((problem) => problem.split(" ")[0]);
    return [
      row,
      lines.some((line) => line.startsWith(`| ${row} |`) && line.includes(`[${codes[0]}]`)) ? "" : codes[0],
    ];
  });
  expect(told.filter(([, code]) => code !== "")).toEqual([]);
});
