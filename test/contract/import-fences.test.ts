/** Who may import whom (`docs/architecture/house.md`): each rule of `.oxlintrc.json` is shown to bite, in a copy of the tree's shape. */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const fences: [file: string, line: string, allowed: boolean][] = [
  ["schemas/core/a.ts", 'import { z } from "zod"; export const a = z;', true],
  ["schemas/core/b.ts", 'import { b } from "../pipelines/b.ts"; export const c = b;', true],
  ["schemas/core/c.ts", 'import { readFile } from "node:fs"; export const a = readFile;', false],
  ["schemas/core/d.ts", 'import { a } from "@forgeline/compiler/a.ts"; export const b = a;', false],
  ["compiler/a.ts", 'import { parse } from "yaml"; export const a = parse;', true],
  ["compiler/b.ts", 'import { readFile } from "node:fs"; export const a = readFile;', false],
  ["compiler/c.ts", 'import { a } from "@forgeline/server/platform/db/a.ts"; export const b = a;', false],
  ["compiler/d.ts", 'import pg from "pg"; export const b = pg;', false],
  ["markdown/a.ts", 'import { sanitize } from "hast-util-sanitize"; export const a = sanitize;', true],
  ["markdown/b.ts", 'import { readFile } from "node:fs"; export const a = readFile;', false],
  ["markdown/c.ts", 'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;', false],
  ["server/domains/x/a.ts", 'import { a } from "@forgeline/compiler/a.ts"; export const b = a;', true],
  [
    "server/domains/x/b.ts",
    'import { a } from "@forgeline/workflows/definitions/a.ts"; export const b = a;',
    false,
  ],
  ["server/domains/x/c.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', false],
  ["server/domains/x/d.ts", 'import { a } from "@temporalio/worker"; export const b = a;', false],
  ["server/platform/f.ts", 'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;', true],
  [
    "server/platform/g.ts",
    'import { a } from "@forgeline/schemas/pipelines/a.ts"; export const b = a;',
    false,
  ],
  ["server/platform/h.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', false],
  ["server/main.ts", 'import { a } from "@forgeline/launcher/a.ts"; export const b = a;', false],
  ["workflows/definitions/a.ts", 'import { a } from "./b.ts"; export const b = a;', true],
  ["workflows/definitions/b.ts", 'import { a } from "@temporalio/workflow"; export const b = a;', true],
  [
    "workflows/definitions/c.ts",
    'import type { A } from "@forgeline/schemas/core/a.ts"; export type B = A;',
    true,
  ],
  [
    "workflows/definitions/d.ts",
    'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;',
    false,
  ],
  ["workflows/definitions/e.ts", 'import { z } from "zod"; export const b = z;', false],
  ["workflows/definitions/f.ts", 'import { a } from "../activities/a.ts"; export const b = a;', false],
  [
    "workflows/definitions/g.ts",
    'import { randomUUID } from "node:crypto"; export const b = randomUUID;',
    false,
  ],
  [
    "workflows/activities/a.ts",
    'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;',
    true,
  ],
  [
    "workflows/activities/b.ts",
    'import type { A } from "@forgeline/server/platform/db/a.ts"; export type B = A;',
    true,
  ],
  [
    "workflows/activities/c.ts",
    'import { a } from "@forgeline/server/platform/db/a.ts"; export const b = a;',
    false,
  ],
  ["workflows/activities/d.ts", 'import { a } from "../definitions/a.ts"; export const b = a;', false],
  [
    "workflows/activities/e.ts",
    'import type { A } from "@forgeline/server/x/store.ts"; export type B = A;',
    false,
  ],
  ["workflows/worker/a.ts", 'import { a } from "@forgeline/server/container.ts"; export const b = a;', true],
  ["workflows/worker/b.ts", 'import { a } from "../definitions/a.ts"; export const b = a;', false],
  ["runner/job/a.ts", 'import { a } from "@forgeline/compiler/a.ts"; export const b = a;', true],
  ["runner/job/b.ts", 'import { a } from "@forgeline/server/platform/db/a.ts"; export const b = a;', false],
  ["runner/job/c.ts", 'import { a } from "@temporalio/client"; export const b = a;', false],
  ["runner/job/d.ts", 'import pg from "pg"; export const b = pg;', false],
  ["clients/ts/a.ts", 'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;', false],
  ["cli/commands/a.ts", 'import { a } from "@forgeline/client/a.ts"; export const b = a;', true],
  ["cli/commands/b.ts", 'import { a } from "@forgeline/compiler/a.ts"; export const b = a;', true],
  ["cli/commands/c.ts", 'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;', false],
  ["cli/commands/d.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', false],
  ["cli/commands/f.ts", 'import { a } from "../exec/execute.ts"; export const b = a;', false],
  ["cli/exec/a.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', true],
  [
    "cli/exec/b.ts",
    'import { a } from "@forgeline/workflows/definitions/run-state.ts"; export const b = a;',
    true,
  ],
  [
    "cli/exec/c.ts",
    'import { a } from "@forgeline/workflows/definitions/pipeline.ts"; export const b = a;',
    false,
  ],
  ["cli/exec/d.ts", 'import { a } from "@forgeline/server/container.ts"; export const b = a;', false],
  [
    "cli/exec/e.ts",
    'import { a } from "@forgeline/server/domains/pipelines/runs/jobs.store.ts"; export const b = a;',
    false,
  ],
  ["cli/exec/f.ts", 'import { a } from "../output/a.ts"; export const b = a;', false],
  ["cli/exec/g.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["launcher/a.ts", 'import { a } from "@forgeline/server/platform/db/a.ts"; export const b = a;', false],
  ["web/src/a.ts", 'import { a } from "@forgeline/client/schemas.ts"; export const b = a;', true],
  ["web/src/f.ts", 'import { a } from "@forgeline/markdown/a.ts"; export const b = a;', true],
  ["web/src/b.ts", 'import { a } from "@forgeline/schemas/core/a.ts"; export const b = a;', false],
  ["web/src/c.ts", 'import { a } from "../../server/platform/db/a.ts"; export const b = a;', false],
  ["schemas/core/e.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["compiler/e.ts", 'import { a } from "../scripts/a.ts"; export const b = a;', false],
  ["server/platform/e.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["workflows/worker/c.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["runner/job/e.ts", 'import { a } from "../../bench/a.ts"; export const b = a;', false],
  ["clients/ts/b.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["cli/commands/e.ts", 'import { a } from "../../scripts/a.ts"; export const b = a;', false],
  ["launcher/b.ts", 'import { a } from "../test/support/a.ts"; export const b = a;', false],
  ["web/src/e.ts", 'import { a } from "../../test/support/a.ts"; export const b = a;', false],
  ["bench/a.ts", 'import { a } from "../test/support/bed.ts"; export const b = a;', true],
  ["bench/b.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', false],
  ["bench/c.ts", 'import { a } from "../scripts/a.ts"; export const b = a;', false],
  ["bench/d.ts", 'import { a } from "../server/container.ts"; export const b = a;', false],
  ["bench/e.ts", 'import { a } from "@forgeline/server/container.ts"; export const b = a;', false],
  ["bench/baselines/a.ts", 'import { a } from "../../runner/job/a.ts"; export const b = a;', false],
  ["bench/baselines/b.ts", 'import { a } from "../../clients/ts/client.ts"; export const b = a;', false],
  [
    "bench/baselines/c.ts",
    'import { a } from "@forgeline/server/platform/addresses.ts"; export const b = a;',
    true,
  ],
  ["scripts/d.ts", 'import { a } from "../runner/job/a.ts"; export const b = a;', false],
  ["scripts/e.ts", 'import { a } from "../server/container.ts"; export const b = a;', false],
  ["scripts/f.ts", 'import { a } from "../workflows/definitions/a.ts"; export const b = a;', false],
  ["scripts/g.ts", 'import { a } from "../cli/app.ts"; export const b = a;', false],
  ["scripts/h.ts", 'import { a } from "../runner/job/job-states.ts"; export const b = a;', true],
  ["scripts/a.ts", 'import { a } from "@forgeline/server/config/config.ts"; export const b = a;', true],
  ["scripts/b.ts", 'import { a } from "@forgeline/cli/app.ts"; export const b = a;', false],
  ["scripts/c.ts", 'import { a } from "../bench/a.ts"; export const b = a;', false],
  ["test/support/a.ts", 'import { a } from "@forgeline/runner/job/a.ts"; export const b = a;', true],
  [
    "test/integration/a.test.ts",
    'import { a } from "@forgeline/workflows/definitions/a.ts"; export const b = a;',
    false,
  ],
  ["web/src/d.ts", 'import { readFile } from "node:fs"; export const a = readFile;', false],
];

const root = join(import.meta.dirname, "../..");
let directory: string;
let refused: Set<string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-fences-"));
  await cp(join(root, ".oxlintrc.json"), join(directory, ".oxlintrc.json"));
  await cp(join(root, "scripts/lint"), join(directory, "scripts/lint"), { recursive: true });
  for (const [file, line] of fences) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), `${line}\n`);
  }
  const report = await lint(directory);
  const messages = (JSON.parse(report) as { diagnostics: { code: string; filename: string }[] }).diagnostics;
  refused = new Set(messages.filter((m) => /no-restricted-imports/.test(m.code)).map((m) => m.filename));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The linter ends with 1 when it finds something, which is what is wanted here. */
function lint(cwd: string): Promise<string> {
  const program = join(root, "node_modules/oxlint/bin/oxlint");
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "--format", "json"], { cwd }, (_error, stdout) => resolve(stdout));
  });
}

test.each(fences)("%s: %s → %s", (file, _line, allowed) => {
  expect(refused.has(file)).toBe(!allowed);
});

test("each exception that the fences of tools name is imported by one", () => {
  const config = readFileSync(join(root, ".oxlintrc.json"), "utf8");
  const exceptions = [...config.matchAll(/"!\*\*(\/.+\.ts)"/g)].map(([, path = ""]) =>
    path.replace("/*", ""),
  );
  const sources = ["bench", "scripts"].flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root }));
  const text = sources.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  expect(exceptions.length).toBeGreaterThan(5);
  expect(exceptions.filter((path) => !text.includes(`${path}"`))).toEqual([]);
});
