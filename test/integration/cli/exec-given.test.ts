/** What a developer gives `forgeline exec` in place of a server: secrets, approvals, and a place for artifacts. */
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

const tree = (pipeline: string) => git.workTree({ ".forgeline.yml": pipeline });

describe("forgeline exec", () => {
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
    expect(await says("one\n")).toContain("main │ one\n");
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

  it("runs what needs approval only when told to, and hands secrets to jobs that name them", async () => {
    const place = await tree(`defaults: { image: ${image} }
jobs:
  quiet: { steps: [{ name: quiet, run: 'echo "quiet <$KEY>"' }] }
  deploy:
    approval: { approvers: [ada] }
    secrets: [KEY, { name: CERT, file: CERT_FILE }, { name: NONE, optional: true }]
    steps: [{ name: deploy, run: 'test "$KEY" = "one two" && wc -l < "$CERT_FILE" && echo "it is $KEY<$NONE>"' }]
  after: { needs: [deploy], steps: ["true"] }
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
    ]);
    const without = await statuses("--approve");
    expect(without.jobs[1]).toEqual({ key: "deploy", status: "error", reason: "secret_missing:KEY" });
    const whole = await statuses("--approve", "--secrets", ".env");
    expect(whole.jobs.map(({ status }) => status)).toEqual(["success", "success", "success"]);
    expect(whole.said.toSorted()).toEqual(["2", "it is ***<>", "quiet <>"]);
    const plan = await cli.run(["exec", "--plan"], { cwd: place });
    expect(plan.stdout).toContain("Only with --approve: deploy\n");
  });

  it("gives artifacts to jobs that need them, and keeps them where the developer wants them", async () => {
    const place = await tree(`defaults: { image: ${image} }
jobs:
  build:
    matrix: { v: [a, b] }
    steps: ['mkdir out; echo "$CI_MATRIX_V" > "out/$CI_MATRIX_V"; chmod 755 "out/$CI_MATRIX_V"']
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
