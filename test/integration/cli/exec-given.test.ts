/** What a developer gives `forgeline exec` in place of a server: secrets, approvals, and a place for artifacts; and what it shows of reports. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";
import { readJsonLines } from "../../support/play-here.ts";
import { createGitClient, type GitClient } from "../git/git-client.ts";

let git: GitClient;
let cli: CommandLine;
let home: string;
const image = "forgeline/base:1";

beforeAll(async () => {
  git = await createGitClient("/nonexistent");
  home = await mkdtemp(join(tmpdir(), "forgeline-exec-"));
  cli = await commandLine({ FORGELINE_EXEC_DIR: home });
});
afterAll(async () => {
  await git.remove();
  await cli.remove();
  await rm(home, { recursive: true, force: true });
});

const tree = (pipeline: string, files: Record<string, string> = {}) =>
  git.workTree({ ".forgeline.yml": pipeline, ...files });

describe("forgeline exec", () => {
  it("shows what jobs reported, with the place of each failed test", async () => {
    const junit = `<testsuite name="cart"><testcase name="adds up"><failure message="expected 3 to be 4">at Cart.test (/workspace/cart.test.ts:14:5)</failure></testcase><testcase name="is empty"/></testsuite>`;
    const sarif = {
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "scan" } },
          results: [{ ruleId: "r1", level: "error", message: { text: "Eval is evil" } }],
        },
      ],
    };
    const place = await tree(
      `image: ${image}
steps:
  - echo "warning file=kept line=2::Look here" >> "$CI_ANNOTATIONS"
  - { name: Test, run: exit 1 }
reports: { junit: junit.xml, coverage: lcov.info, sarif: scan.sarif }
`,
      {
        kept: "kept\n",
        "cart.test.ts": "",
        "junit.xml": junit,
        "scan.sarif": JSON.stringify(sarif),
        "lcov.info": "SF:src/cart.ts\nDA:1,1\nDA:2,0\nDA:3,1\nend_of_record\n",
      },
    );
    const { code, stdout } = await cli.run(["exec", "--no-logs"], { cwd: place });
    expect(code).toBe(1);
    const [, shown] = stdout.split("✗ main › Test  exit code 1\n");
    expect(shown).toBe(`
2 tests, 1 failed
  ✗  cart › adds up: expected 3 to be 4  cart.test.ts:14  main

1 error, 1 warning
  error  Eval is evil  scan r1  main
  warning  Look here  kept:2  main

66% of 3 lines covered, in 1 file
`);
    const json = await cli.run(["exec", "--json"], { cwd: place });
    const told = json.stdout.split("\n").filter((line) => line.startsWith('{"reports"'));
    expect(told.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        reports: expect.objectContaining({
          job: "main",
          tests: [expect.objectContaining({ status: "failed", duration_ms: null }), expect.anything()],
          annotations: [expect.objectContaining({ line: 2, end_line: 2 }), expect.anything()],
          coverage: [{ path: "src/cart.ts", covered: 2, total: 3 }],
        }) as unknown,
      },
    ]);
  });

  it("keeps caches from one run to the next", async () => {
    const place = await tree(`image: ${image}
cache: [{ key: "deps-\${{ hashFiles('lock') }}", restore: [deps-], paths: [deps] }]
steps: ['cat deps/made 2>/dev/null || echo nothing; mkdir -p deps; cat lock > deps/made']
`);
    const says = async (lock: string) => {
      await writeFile(join(place, "lock"), lock);
      const { code, stdout } = await cli.run(["exec"], { cwd: place });
      expect(code).toBe(0);
      return stdout;
    };
    expect(await says("one\n")).toContain("main │ nothing\n");
    const [project = ""] = await readdir(join(home, "caches"));
    const begun = join(home, "caches", project, ".cache_killed");
    await mkdir(begun);
    await utimes(begun, 0, 0);
    // Another key: the newest that begins alike is restored, and what the job leaves is saved anew.
    expect(await says("two\n")).toContain("main │ one\n");
    expect(existsSync(begun)).toBe(false);
    expect(await says("two\n")).toContain("main │ two\n");
    expect(await readdir(home)).toEqual(["caches"]);
    await rm(join(home, "caches"), { recursive: true });
  });

  it("runs what needs approval or deploys only when told to, and hands secrets to jobs that name them", async () => {
    const place = await tree(`defaults: { image: ${image} }
jobs:
  quiet: { steps: [{ name: quiet, run: 'echo "quiet <$KEY>"' }] }
  deploy:
    approval: { approvers: [ada] }
    secrets: [KEY, { name: CERT, file: CERT_FILE }, { name: NONE, optional: true }]
    steps: [{ name: deploy, run: 'test "$KEY" = "one two" && wc -l < "$CERT_FILE" && echo "it is $KEY<$NONE>"' }]
  after: { needs: [deploy], steps: ["true"] }
  release: { environment: production, steps: ['test "$CI_ENVIRONMENT" = production'] }
`);
    await writeFile(join(place, ".env"), `KEY="one two"\nOTHER=other\nCERT="a\nb\n"\n`);
    const statuses = async (...options: string[]) => {
      const { run, lines } = readJsonLines(await cli.run(["exec", "--json", ...options], { cwd: place }));
      const jobs = run.stages.flatMap((stage) =>
        stage.jobs.map(({ key, status, reason }) => ({ key, status, reason })),
      );
      return {
        jobs,
        said: lines.filter(({ step }) => step === "quiet" || step === "deploy").map(({ text }) => text),
      };
    };
    const careful = await statuses("--secrets", ".env");
    expect(careful.jobs).toEqual([
      { key: "quiet", status: "success", reason: null },
      { key: "deploy", status: "skipped", reason: "approval" },
      { key: "after", status: "skipped", reason: "need_skipped:deploy" },
      { key: "release", status: "skipped", reason: "environment" },
    ]);
    const without = await statuses("--approve");
    expect(without.jobs[1]).toEqual({ key: "deploy", status: "error", reason: "secret_missing:KEY" });
    const whole = await statuses("--approve", "--secrets", ".env");
    expect(whole.jobs.map(({ status }) => status)).toEqual(["success", "success", "success", "success"]);
    expect(whole.said.toSorted()).toEqual(["2", "it is ***<>", "quiet <>"]);
    const plan = await cli.run(["exec", "--plan"], { cwd: place });
    expect(plan.stdout).toContain("Only with --approve: deploy, release\n");
  });

  it("gives artifacts to jobs that need them, and keeps them where the developer wants them", async () => {
    const place = await tree(`defaults: { image: ${image} }
jobs:
  build:
    matrix: { v: [a, b] }
    steps:
      - 'mkdir out; echo "$CI_MATRIX_V" > "out/$CI_MATRIX_V"; chmod 755 "out/$CI_MATRIX_V"'
      # What it reports is no artifact.
      - 'echo built >> "$CI_SUMMARY"; echo "notice::built" >> "$CI_ANNOTATIONS"'
    artifacts: [{ name: "out-\${{ matrix.v }}", paths: out }]
  use: { needs: [{ job: build, artifacts: true }], clone: false, steps: ["cat out/a out/b"] }
`);
    const keeping = await cli.run(["exec", "--artifacts", "../kept artifacts"], { cwd: place });
    expect(keeping).toMatchObject({ code: 0 });
    expect(keeping.stdout).toContain("use       │ a\nuse       │ b\n");
    const kept = join(place, "../kept artifacts");
    expect(await readFile(join(kept, "build (b)/out-b/out/b"), "utf8")).toBe("b\n");
    expect(await readdir(home)).toEqual([]);
    await rm(kept, { recursive: true });
  });
});
