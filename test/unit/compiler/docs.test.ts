import { readFileSync } from "node:fs";
import { codes } from "@forgeline/compiler/codes.ts";
import { compile } from "@forgeline/compiler/compile.ts";
import { functionNames } from "@forgeline/compiler/expression/functions.ts";
import { FileInput } from "@forgeline/schemas/pipeline-file/file-input.ts";
import { FileClause, FileOn, FileSchedule } from "@forgeline/schemas/pipeline-file/file-when.ts";
import { FileJob, FileStage, FileStep, FileService } from "@forgeline/schemas/pipeline-file/file-job.ts";
import { FullPipelineFile, TinyPipelineFile } from "@forgeline/schemas/pipeline-file/file.ts";
import { stepVariables } from "@forgeline/schemas/pipeline-file/step-variables.ts";
import { expect, test } from "vitest";
import { z } from "zod";

const page = (name: string): string =>
  readFileSync(new URL(`../../../docs/pipelines/${name}.md`, import.meta.url), "utf8");

test("errors.md has a section for each code, with its title", () => {
  const sections = [...page("errors").matchAll(/^## (\w+)\n\n\*\*(.+?)\.\*\* /gm)];
  expect(Object.fromEntries(sections.map(([, code, title]) => [code, title]))).toEqual(codes);
});

test("expressions.md names every function", () => {
  for (const name of functionNames) expect(page("expressions")).toContain(`\`${name}(`);
});

function keysOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodUnion ? schema.options.flatMap((option) => keysOf(option as z.ZodType)) : [];
}

test("file.md names every key", () => {
  const text = page("file");
  const schemas = [
    FullPipelineFile,
    TinyPipelineFile,
    FileJob,
    FileStage,
    FileStep,
    FileService,
    FileClause,
    FileOn,
    FileSchedule,
    FileInput,
  ];
  for (const key of schemas.flatMap(keysOf)) {
    expect(text).toMatch(new RegExp(`\`${key}\`|\\n  ${key}:`));
  }
});

/** Parts of a file, put where they belong. */
const places: ((part: string) => string)[] = [
  (part) => part,
  (part) => `${part}\nimage: a\nsteps: [x]`,
  (part) => `image: a\n${part}`,
  (part) => inJob(part),
  (part) =>
    `${part}\njobs: { compile: { stage: build, image: a, steps: [x] }, unit: { stage: test, image: a, steps: [x] } }`,
  (part) => `image: a\nsteps: [x]\nservices:\n  db:\n    image: a\n${indented(part, 4)}`,
  (part) =>
    `${part}\n  compile: { stage: build, image: a, steps: [x] }\n  unit: { stage: test, image: a, steps: [x] }`,
  (part) => `jobs:\n  unit:\n    image: a\n    steps: [{ id: ver, run: x }]\n${indented(part, 4)}`,
];
const indented = (part: string, spaces: number) => part.replace(/^/gm, " ".repeat(spaces));
const inJob = (part: string) =>
  `jobs:\n  compile: { image: a, steps: [x] }\n  unit:\n    image: a\n${/^steps:/m.test(part) ? "" : "    steps: [x]\n"}${indented(part, 4)}`;

test("the examples of errors.md have the errors of their sections", () => {
  const sections = page("errors").matchAll(/^## (\w+)\n(?:(?!^## )[\s\S])*?```yaml\n([^`]*)```/gm);
  // Some are too long to be written out, or about other files.
  const whole = [...sections].filter(([, , text = ""]) => !/…|^# |uses:/.test(text));
  expect(whole.length).toBeGreaterThan(40);
  const wrong = whole.filter(([, code, text = ""]) => {
    const privileged = code === "P421" ? "untrusted" : "not_allowed";
    const said = places.map((place) =>
      compile({ file: "f", text: place(text.trimEnd()), privileged, permissionsMax: "read" }),
    );
    return !said.some(({ diagnostics }) => diagnostics.some((one) => one.code === code));
  });
  expect(wrong.map(([, code, text]) => `${code}: ${text}`)).toEqual([]);
});

test("the examples of priorities.md compile", () => {
  const texts = [...page("priorities").matchAll(/```yaml\n([^`]*)```/g)].map(([, text = ""]) => text);
  const compiled = texts.map((text) => compile({ file: "f", text }));
  expect(compiled.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(compiled.map(({ plan }) => plan?.jobs.map(({ priority }) => priority))).toEqual([
    [undefined, 50, -50],
    ["${{ inputs.hotfix && 90 || 50 }}"],
  ]);
});

test("the examples of templates.md compile together", () => {
  const blocks = [...page("templates").matchAll(/```yaml\n# ([^\n]+)\n([^`]*)```/g)];
  const templates = blocks.flatMap(([, title = "", text = ""]): [string, { text: string }][] =>
    title.startsWith("template ") ? [[`./${title.slice("template ".length)}`, { text }]] : [],
  );
  const [, , text = ""] = blocks.find(([, title]) => title === "uses the templates") ?? [];
  const result = compile({ file: "f", text, templates: Object.fromEntries(templates) });
  expect(result.diagnostics).toEqual([]);
  expect(result.plan?.jobs.map(({ steps }) => steps.map(({ name }) => name))).toEqual([
    ["npm ci", "npm test"],
    ["Deploy: upload", "Deploy: switch over", "tell"],
  ]);
});

test("the demo repository's file compiles without a warning", () => {
  const text = readFileSync(new URL("../../../examples/hello/.forgeline.yml", import.meta.url), "utf8");
  const result = compile({ file: ".forgeline.yml", text });
  expect(result.diagnostics).toEqual([]);
  expect(result.plan?.stages.map((stage) => stage.name)).toEqual(["build", "test", "report"]);
});

test("file.md lists the variables that steps have", () => {
  const rows = page("file").match(/^\| (?:`CI_[A-Z_]+`(?:, )?)+ \|/gm) ?? [];
  const listed = rows.flatMap((row) => row.match(/CI_[A-Z_]+/g) ?? []);
  expect(listed.toSorted()).toEqual(stepVariables.toSorted());
});
