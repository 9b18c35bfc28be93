/** `forgeline convert`, which asks no server. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";

let cli: CommandLine;
const env = { HOME: "/nonexistent" };
const workflow =
  "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make\n      - uses: acme/x@v1\n";

beforeAll(async () => {
  cli = await commandLine({});
  await mkdir(join(cli.home, ".github/workflows"), { recursive: true });
  await writeFile(join(cli.home, ".github/workflows/ci.yml"), workflow);
});
afterAll(() => cli.remove());

const run = (...args: string[]) => cli.run(["convert", ...args], { env });

it("prints what the one file becomes, and says what is to be checked", async () => {
  const { code, stdout, stderr } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain("# CHECK line 7, jobs.*.steps.*.uses: the action acme/x is not run.");
  expect(stdout).toContain("image: buildpack-deps:noble");
  expect(stderr).toBe("✓ .github/workflows/ci.yml (GitHub Actions): 1 place to check\n");
});

it("prints JSON with the place of each note", async () => {
  const { stdout } = await run("--json");
  const { files } = JSON.parse(stdout) as { files: Record<string, unknown>[] };
  expect(files).toHaveLength(1);
  expect(files[0]).toMatchObject({
    source: ".github/workflows/ci.yml",
    system: "github",
    path: ".forgeline.yml",
    diagnostics: [],
  });
  expect(files[0]?.notes).toEqual([
    {
      line: 7,
      column: 9,
      construct: "jobs.*.steps.*.uses",
      message: "the action acme/x is not run",
      suggestion: "write what it does as a step",
    },
  ]);
});

it("writes, and replaces nothing unless told to", async () => {
  const written = await run("--write");
  expect(written.code).toBe(0);
  expect(written.stderr).toBe(
    `✓ .github/workflows/ci.yml (GitHub Actions) → .forgeline.yml: 1 place to check
  line 7, jobs.*.steps.*.uses: the action acme/x is not run. To do: write what it does as a step.\n`,
  );
  const path = join(cli.home, ".forgeline.yml");
  expect(await readFile(path, "utf8")).toContain("- make");
  await writeFile(path, "mine");
  const refused = await run("--write");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    "error: .forgeline.yml is there already; replace it with --force\n",
  ]);
  expect(await readFile(path, "utf8")).toBe("mine");
  expect((await run("--write", "--force")).code).toBe(0);
  await writeFile(join(cli.home, ".gitlab-ci.yml"), "a: { script: make }\n");
  expect((await run("--write")).stderr).toContain("a repository has either .forgeline.yml or .forgeline/");
  expect((await run("-o", "elsewhere")).code).toBe(0);
  expect(await readFile(join(cli.home, "elsewhere/gitlab-ci.yml"), "utf8")).toContain("- make");
});

it("knows files of other systems by what they hold", async () => {
  await writeFile(join(cli.home, "some.yml"), workflow);
  expect((await run("some.yml")).stderr).toContain("✓ some.yml (GitHub Actions)");
  await writeFile(join(cli.home, "other.yml"), "stages: [a]\nunit:\n  stage: a\n  script: [make]\n");
  expect((await run("other.yml")).stderr).toContain("✓ other.yml (GitLab CI/CD)");
  await writeFile(join(cli.home, "ours.yml"), "version: 1\non: push\njobs: { a: { steps: [make] } }\n");
  expect((await run("ours.yml")).stderr).toContain("cannot tell whose file ours.yml is");
});

it("tells where a broken file is broken, and whose file it cannot tell", async () => {
  await writeFile(join(cli.home, "bad.yml"), "jobs: [\n");
  const bad = await run("bad.yml", "--from", "github");
  expect(bad.code).toBe(1);
  expect(bad.stderr).toMatch(/bad\.yml:2:1: error\[P001\]/);
  expect((await run("bad.yml")).stderr).toContain("cannot tell whose file bad.yml is");
  const absent = await run("absent.yml", "--from", "gitlab");
  expect([absent.code, absent.stderr]).toEqual([2, "error: cannot read absent.yml\n"]);
  await writeFile(join(cli.home, "large.yml"), "#".repeat(1_100_000));
  expect((await run("large.yml", "--from", "gitlab")).stderr).toContain("at most 1048576 are allowed");
});
