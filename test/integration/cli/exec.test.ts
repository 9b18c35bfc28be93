/** `forgeline exec` as a developer uses it, with a real Docker and without any server. */
import { mkdir, mkdtemp, readdir, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { readJsonLines } from "../../support/play-here.ts";
import { isFull } from "../../support/size.ts";
import { createGitClient, type GitClient } from "../git/git-client.ts";

const docker = new Dockerode();
let git: GitClient;
let cli: CommandLine;
/** Where runs of this file keep what belongs to them. */
let home: string;

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

const image = "forgeline/base:1";

function tree(pipeline: string, files: Record<string, string> = {}): Promise<string> {
  return git.workTree({ ".forgeline.yml": pipeline, ...files });
}

/** Containers and networks of runs whose directory is in `home`. */
async function leftInDocker(): Promise<string[]> {
  const mine = (labels: Record<string, string> | undefined) =>
    known.has((labels ?? {})["forgeline.runner"] ?? "");
  const [containers, networks] = await Promise.all([
    docker.listContainers({ all: true }),
    docker.listNetworks(),
  ]);
  return [
    ...containers.filter(({ Labels }) => mine(Labels)).map(({ Id }) => Id),
    ...networks.filter(({ Labels }) => mine(Labels)).map(({ Id }) => Id),
  ];
}
const known = new Set<string>();

async function noteRuns(): Promise<void> {
  for (const name of await readdir(home)) known.add(name);
}

describe("forgeline exec", () => {
  it("runs the file on the working tree as it is, shows it as watch does, and leaves nothing behind", async () => {
    const place = await tree(
      `image: ${image}
steps:
  - { name: look, run: 'cat kept changed; cat added || true; ls gone 2>/dev/null || echo no gone; readlink link; ls ignored 2>/dev/null || echo no ignored' }
  - { name: write, run: 'echo by the job > kept; touch made' }
`,
      { kept: "kept\n", changed: "old\n", gone: "gone\n", ".gitignore": "ignored\n" },
    );
    await writeFile(join(place, "changed"), "new\n");
    await writeFile(join(place, "added"), "added\n");
    await writeFile(join(place, "ignored"), "ignored\n");
    await unlink(join(place, "gone"));
    await symlink("kept", join(place, "link"));
    const { code, stdout, stderr } = await cli.run(["exec"], { cwd: place });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const line of ["kept", "new", "added", "no gone", "no ignored"])
      expect(stdout).toContain(`main │ ${line}\n`);
    expect(stdout).toMatch(/^\.forgeline\.yml  push of main [0-9a-f]{10}  first\n/);
    expect(stdout).toMatch(/Added 4 changes of the working tree/);
    expect(stdout).toMatch(/✓ \.forgeline\.yml success in /);
    expect(await readdir(place)).not.toContain("made");
    expect(await readdir(home)).toEqual([]);

    const committed = await cli.run(["exec", "--commit"], { cwd: place });
    expect(committed.stdout).toContain("main │ old\n");
    expect(committed.stdout).toContain("main │ gone\n");
    expect(committed.stdout).toContain("cat: can't open 'added'");
  });

  it("takes inputs and variables, and refuses what does not fit", async () => {
    const place =
      await tree(`on: { manual: { inputs: { level: { type: number, required: true } } }, push: {} }
image: ${image}
env: { LEVEL: "\${{ inputs.level }}" }
steps: [{ name: show, run: 'echo "$LEVEL $ONE $TWO $CI_EVENT $CI_EXEC"' }]
`);
    await writeFile(join(place, "variables.env"), "# comment\nONE=file\nTWO='two words'\n");
    const given = ["exec", "-i", "level=3", "--var", "ONE=option", "--env-file", "variables.env"];
    const { stdout, code } = await cli.run(given, { cwd: place });
    expect(stdout).toContain("main │ 3 option two words manual true\n");
    expect(code).toBe(0);
    const refused = async (...args: string[]) => {
      const { code: status, stderr } = await cli.run(["exec", ...args], { cwd: place });
      expect(status).toBe(2);
      return stderr;
    };
    expect(await refused("-i", "level=high")).toContain("-i level: ");
    expect(await refused("--event", "manual")).toContain("level is required");
    expect(await refused("-i", "levle=3")).toContain("no input named levle");
    expect(await refused("--var", "CI_X=1")).toContain('"CI_X" cannot be the name of a variable');
    expect(await refused("--event", "pull")).toContain("no event is named pull");
    expect(await refused("--event", "tag")).toContain("--tag NAME");
    expect(await refused("--job", "mian")).toContain("no job is named mian. Jobs here: main.");
    expect(await refused("--since", "nowhere")).toContain("no commit is named nowhere");
    expect(await refused("other")).toContain("no pipeline is named other");
  });

  it("runs chosen jobs with what they depend on, or alone", async () => {
    const place = await tree(`stages: [build, test, ship]
defaults: { image: ${image} }
jobs:
  compile:
    stage: build
    steps: [{ id: v, run: 'echo "v=1" >> "$CI_OUTPUT"' }]
    outputs: { v: "\${{ steps.v.outputs.v }}" }
  other: { stage: build, steps: ["true"] }
  unit:
    stage: test
    needs: [compile]
    matrix: { n: [a, b] }
    env: { V: "\${{ needs.compile.outputs.v }}" }
    steps: [{ name: show, run: 'echo "with <$V>"' }]
  ship: { stage: ship, steps: ["true"] }
`);
    const jobsOf = async (...args: string[]) => {
      const { run, lines } = readJsonLines(await cli.run(["exec", "--json", ...args], { cwd: place }));
      expect(run.status).toBe("success");
      const jobs = run.stages.flatMap((stage) => stage.jobs.map(({ name }) => name));
      return { jobs, said: lines.filter(({ step }) => step === "show").map(({ text }) => text) };
    };
    expect(await jobsOf("--job", "unit (b)")).toEqual({ jobs: ["compile", "unit (b)"], said: ["with <1>"] });
    const alone = await jobsOf("--job", "unit", "--no-needs");
    expect(alone).toEqual({ jobs: ["unit (a)", "unit (b)"], said: ["with <>", "with <>"] });
    const last = await cli.run(["exec", "--plan", "--json", "--job", "ship"], { cwd: place });
    const { nodes } = JSON.parse(last.stdout) as { nodes: { node: string; name: string; runs: boolean }[] };
    const jobs = nodes.filter(({ node, runs }) => node === "job" && runs).map(({ name }) => name);
    expect(jobs).toEqual(["compile", "other", "unit (a)", "unit (b)", "ship"]);
  });

  it("shows what would run without Docker, and why the rest would not", async () => {
    const place = await tree(`defaults: { image: ${image} }
jobs:
  always: { steps: ["true"] }
  tagged: { when: { tag: "v*" }, steps: ["true"] }
`);
    const env = { DOCKER_HOST: "unix:///nonexistent.sock" };
    const plan = await cli.run(["exec", "--plan"], { cwd: place, env });
    expect(plan.stdout).toContain("✓ always");
    expect(plan.stdout).toContain("– tagged  skipped: Its condition is not met: tag: v*.");
    const tagged = await cli.run(["exec", "--plan", "--tag", "v1", "--json"], { cwd: place, env });
    const { nodes } = JSON.parse(tagged.stdout) as { nodes: { name: string; runs: boolean }[] };
    expect(nodes.filter(({ runs }) => runs).map(({ name }) => name)).toContain("tagged");
    const run = await cli.run(["exec"], { cwd: place, env });
    expect(run.stderr).toContain("Docker does not answer: unix:///nonexistent.sock (ENOENT)");
    expect(run.code).toBe(1);
  });

  it("tells what is wrong with the file as lint does, before anything runs", async () => {
    const place = await tree(`image: ${image}\nstep: [make]\n`);
    const broken = await cli.run(["exec"], { cwd: place });
    expect(broken).toMatchObject({ code: 1, stdout: "" });
    expect(broken.stderr).toMatch(/\.forgeline\.yml:2:1: error\[P\d+\]/);
    const json = await cli.run(["exec", "--json"], { cwd: place });
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, diagnostics: [{ line: 2 }] });
    const elsewhere = await cli.run(["exec"], { cwd: cli.home });
    expect(elsewhere.stderr).toContain("has no .forgeline.yml");
    expect(elsewhere.code).toBe(2);
    const borrowed = await tree(`defaults: { image: ${image} }
jobs:
  other: { steps: [{ uses: "acme/ci//test.yml@v2" }, make] }
  own: { steps: ["echo of its own"] }
`);
    const own = await cli.run(["exec", "--job", "own"], { cwd: borrowed });
    expect(own.code).toBe(0);
    const refused = await cli.run(["exec"], { cwd: borrowed });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(
      "uses templates of other repositories, which only the server reads: acme/ci//test.yml@v2",
    );
  });

  it("says why nothing runs for an event that the file does not name", async () => {
    const place = await tree(`on: { push: { branches: [release/**] } }\nimage: ${image}\nsteps: ["true"]\n`);
    const { code, stderr } = await cli.run(["exec"], { cwd: place });
    expect(code).toBe(2);
    expect(stderr).toContain("does not run for the push of main (on:branches)");
    expect((await cli.run(["exec", "--plan", "--branch", "release/1"], { cwd: place })).code).toBe(0);
  });

  it("runs in a directory that no Git keeps, and before the first commit", async () => {
    const plain = join(cli.home, "plain");
    await mkdir(join(plain, ".forgeline"), { recursive: true });
    const text = `image: ${image}\nsteps: [{ run: 'cat data; echo "$CI_COMMIT_SHORT_SHA"' }]\n`;
    await writeFile(join(plain, ".forgeline", "one.yml"), text);
    await writeFile(join(plain, ".forgeline", "two.yml"), text);
    await writeFile(join(plain, "data"), "data\n");
    const without = await cli.run(["exec"], { cwd: plain });
    expect(without.stderr).toContain("Pipelines here: .forgeline/one.yml, .forgeline/two.yml.");
    const ran = await cli.run(["exec", "one"], { cwd: plain });
    expect(ran.stdout).toContain("main │ data\n");
    await git.ok(["init", "-q", plain]);
    const unborn = await cli.run(["exec", "../.forgeline/two.yml"], { cwd: join(plain, ".forgeline") });
    expect(unborn.stdout).toContain("main │ data\nmain │ 00000000\n");
    expect((await cli.run(["exec", "one", "--commit"], { cwd: plain })).stderr).toContain(
      "nothing is committed",
    );
  });

  it("stops at Ctrl-C as a cancel does: TERM, steps that run always, nothing left", async () => {
    const place = await tree(`image: ${image}
steps:
  - { name: long, run: "trap 'echo asked; exit 1' TERM; echo begun; while :; do sleep 0.1; done" }
  - { name: after, when: { status: always }, run: echo told }
`);
    const running = cli.start(["exec"], { cwd: place });
    await eventually(async () => running.stdout().includes("begun"), { timeoutMs: 50_000 });
    await noteRuns();
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    expect(code).toBe(3);
    expect(stdout).toContain("main │ asked\n");
    expect(stdout).toContain("main │ told\n");
    expect(stderr).toContain("Stopping: jobs have 10 s to end");
    expect(await leftInDocker()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });

  it("puts everything away when nobody reads any more", async () => {
    const place = await tree(`image: ${image}\nsteps: ['while :; do echo more; sleep 0.1; done']\n`);
    const running = cli.start(["exec"], { cwd: place });
    await eventually(async () => running.stdout().includes("more"), { timeoutMs: 50_000 });
    await noteRuns();
    running.child.stdout.destroy();
    await running.finished;
    expect(await leftInDocker()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });

  it.runIf(isFull)(
    "puts everything away when the process of an older Node that started it is killed",
    async () => {
      const pretend = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";
      const bin = join(import.meta.dirname, "../../../cli/bin.mjs");
      const older = await commandLine({ FORGELINE_EXEC_DIR: home, NODE_OPTIONS: `--import=${pretend}` }, bin);
      const place = await tree(`image: ${image}\nsteps: ['echo begun; sleep 600']\n`);
      const running = older.start(["exec"], { cwd: place });
      await eventually(async () => running.stdout().includes("begun"), { timeoutMs: 50_000 });
      await noteRuns();
      expect(await leftInDocker()).not.toEqual([]);
      running.child.kill("SIGKILL");
      await eventually(async () => (await leftInDocker()).length === 0, { timeoutMs: 50_000 });
      await running.finished;
      expect(await readdir(home)).toEqual([]);
      await older.remove();
    },
  );

  it("removes what an earlier run left that was killed", async () => {
    const place = await tree(`image: ${image}\nsteps: ['echo begun; sleep 600']\n`);
    const running = cli.start(["exec"], { cwd: place });
    await eventually(async () => running.stdout().includes("begun"), { timeoutMs: 50_000 });
    await noteRuns();
    running.child.kill("SIGKILL");
    await running.finished;
    expect(await leftInDocker()).not.toEqual([]);
    await writeFile(join(place, ".forgeline.yml"), `image: ${image}\nsteps: ["true"]\n`);
    expect((await cli.run(["exec"], { cwd: place })).code).toBe(0);
    expect(await leftInDocker()).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });
});
