/** The JSON Schema for editors and the compiler say the same of a file's shape; so does the contract's own schema. */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { compile } from "@forgeline/compiler/compile.ts";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { generatePipelineSchema } from "../../../scripts/generate/pipeline-schema.ts";

const root = new URL("../../../", import.meta.url);
const fixtures = new URL("test/fixtures/pipelines/", root);
const read = (name: string): string => readFileSync(new URL(name, fixtures), "utf8");
const ajv = (schema: string) =>
  new Ajv({ strict: false, allErrors: false }).compile(JSON.parse(schema) as object);

const generated = generatePipelineSchema();
const ours = ajv(generated.text);
const contract = ajv(read("contract-schema.json"));
const data = (text: string): unknown => parse(text, { merge: true, logLevel: "silent" });

test("the committed schema is what would be generated", () => {
  expect(readFileSync(new URL(generated.path, root), "utf8")).toBe(generated.text);
});

/** Of keys that the contract leaves to us. */
const beyondContract = new Set([
  "approval-level.yml",
  "environment.yml",
  "id-token.yml",
  "network.yml",
  "priorities.yml",
  "trigger.yml",
]);

describe("core examples are valid in all three", () => {
  const names = readdirSync(new URL("valid/", fixtures)).filter((name) => name.endsWith(".yml"));
  test.each(names)("%s", (name) => {
    const value = data(read(`valid/${name}`));
    expect(ours(value)).toBe(true);
    expect(contract(value)).toBe(!beyondContract.has(name));
  });
});

const job = (rest: string): string => `jobs: { a: { image: x, steps: [x], ${rest} } }`;
const inputs = (rest: string): string => `on: { manual: { inputs: { ${rest} } } }\nimage: a\nsteps: [x]`;
const step = (rest: string): string => `image: x\nsteps: [{ run: x, ${rest} }]`;
/** Each is judged by shape alone: valid or not in the contract's schema, ours and the compiler. */
const shapes: readonly [string, boolean][] = [
  ["image: a\nsteps: [x]", true],
  ["on: { schedule: [{ cron: '0 3 * * *', branch: dev }] }\nimage: a\nsteps: [x]", true],
  ["on: { schedule: [{ name: x }] }\nimage: a\nsteps: [x]", false],
  ["on: { schedule: { cron: '0 3 * * *' } }\nimage: a\nsteps: [x]", false],
  ["image: a", false],
  ["steps: []\nimage: a", false],
  ["image: a\nsteps: ['']", false],
  ["image: a\nsteps: [x]\njobs: { a: { steps: [x] } }", false],
  ["image: a\nsteps: [x]\nunknown: 1", false],
  ["image: a\nsteps: [x]\nx-own: { any: 1 }", true],
  ["version: 2\nimage: a\nsteps: [x]", false],
  ["image: { name: a, user: 5 }\nsteps: [x]", true],
  ["image: { user: 5 }\nsteps: [x]", false],
  ["image: { name: a, pull: always }\nsteps: [x]", true],
  ["image: { name: a, pull: never }\nsteps: [x]", false],
  [job("services: { db: { image: { name: a, pull: if-missing, entrypoint: [a, ''] } } }"), true],
  [job("services: { db: { image: { name: a, entrypoint: a } } }"), false],
  ["jobs: { A: { image: a, steps: [x] } }", false],
  ["stages: [Bad]\njobs: { a: { image: a, steps: [x] } }", false],
  ["on: push\nimage: a\nsteps: [x]", true],
  ["on: [push, pull]\nimage: a\nsteps: [x]", false],
  ["on: { push: , tag: { tags: 'v*' }, api: , manual: {} }\nimage: a\nsteps: [x]", true],
  ["on: { merge_request: { types: [opened, labeled, merged] } }\nimage: a\nsteps: [x]", true],
  ["on: { merge_request: { types: [synchronize] } }\nimage: a\nsteps: [x]", false],
  ["on: { push: { branch: main } }\nimage: a\nsteps: [x]", false],
  [inputs("a: { type: string }, B_c-9: { type: number, default: 1.5, description: x }"), true],
  [
    inputs("a: { type: choice, options: [x, 1, true], default: x }, b: { type: boolean, required: true }"),
    true,
  ],
  [inputs(""), true],
  [inputs("a: {}"), false],
  [inputs("a: { type: text }"), false],
  [inputs("a: { type: string, label: x }"), false],
  [inputs("a: { type: choice, options: [] }"), false],
  [inputs("a: { type: string, required: 1 }"), false],
  [inputs("a: { type: string, default: [x] }"), false],
  [job("timeout: 1h30m"), true],
  [job("timeout: 90"), false],
  [job("retry: 3"), true],
  [job("retry: 11"), false],
  [job("retry: { on: [infra] }"), false],
  [job("retry: { max: 1, on: ['exit:1-9', timeout], factor: 1.5 }"), true],
  [job("retry: { max: 1, on: [] }"), false],
  [job("needs: []"), true],
  [job("needs: x"), false],
  [job("allow_failure: { exit: [0] }"), false],
  [job("allow_failure: { exit: [1, 255] }"), true],
  [job("clone: false"), true],
  [job("clone: true"), false],
  [job("clone: { submodules: true }"), true],
  [job("clone: { submodules: recursive }"), true],
  [job("clone: { submodules: false }"), true],
  [job("clone: { submodules: all }"), false],
  [job("clone: { filter: 'tree:0', depth: 0 }"), true],
  [job("resources: { cpu: 0 }"), false],
  [job("resources: { memory: 512Mi, cpu: 0.5, shm: 1.5Gi }"), true],
  [job("resources: { memory: 512M }"), false],
  [job("resources: { disk: 1.5Gi }"), true],
  [job("resources: { disk: 10 }"), false],
  [job("env: { 'A-B': x }"), false],
  [job("env: { A: 1, B: true, C: x }"), true],
  [job("services: { db: { image: a, ready: false } }"), true],
  [job("services: { db: { ready: false } }"), false],
  [job("runner: { os: linux, cores: 4 }"), true],
  ["image: a\nsteps: [{ parallel: [x, { run: y, id: y }], name: both, timeout: 1m }]", true],
  ["image: a\nsteps: [{ parallel: [x] }]", false],
  ["image: a\nsteps: [{ parallel: [x, y], run: z }]", false],
  [`image: a\nsteps: [{ parallel: [${"x,".repeat(17)}] }]`, false],
  [job("when: []"), false],
  [job("when: {}"), false],
  [job("when: [{ branch: main }, { status: always, if: 'true' }]"), true],
  [job("when: { status: never }"), false],
  [job("outputs: { a: b }"), true],
  [job("matrix: { a: [b, 1, true] }"), true],
  [job("matrix: { a: [] }"), false],
  [job("matrix: { a: b }"), false],
  [
    job("matrix: { a: [b], include: [{ c: 1 }], exclude: [{ a: b }] }, max_parallel: 2, fail_fast: true"),
    true,
  ],
  [job("matrix: { a: [b] }, max_parallel: 0"), false],
  [job("workspace: own"), true],
  [job("permissions: [repo:read, repo:write, pipeline:read, pipeline:write]"), true],
  [job("permissions: []"), true],
  [job("permissions: repo:read"), false],
  [step("shell: sh"), true],
  [step("shell: pwsh"), true],
  ["image: x\nsteps: [{ shell: none, run: '#!/bin/sh' }]", true],
  [step("shell: zsh"), false],
  [step("allow_failure: 1"), false],
  [step("id: 'Not an id'"), false],
];

test.each(shapes)("%s: %s", (text, valid) => {
  const value = data(text);
  expect(ours(value)).toBe(valid);
  expect(contract(value)).toBe(valid);
  expect(compile({ file: "f", text }).plan !== null).toBe(valid);
});
