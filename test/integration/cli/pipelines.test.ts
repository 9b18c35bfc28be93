/** `forgeline pipeline …` against a real instance: what it prints, and the exit status that scripts rely on. */
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { commandLine, type CommandLine } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { serverIsReady } from "../../support/instance.ts";
import { createProject, type Project } from "../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
let cli: CommandLine;

const file = `
stages: [build, test]
defaults: { image: forgeline/base:1 }
jobs:
  compile:
    stage: build
    steps:
      - { name: Say it, run: 'for n in 1 2 3; do echo "line $n"; done' }
      - { name: Plant it, run: 'ln -s /nowhere "$(dirname "$CI_OUTPUT")/step-2.ci"' }
      - { name: Go on, run: 'true' }
  unit:
    stage: test
    when: 'coalesce(vars.BREAK, "") == "yes"'
    steps: [{ name: Break, run: 'echo about to break; exit 7' }]
  long:
    stage: test
    when: 'coalesce(vars.LONG, "") == "yes"'
    steps:
      - run: 'n=0; while [ $n -lt 3000 ]; do n=$((n+1)); echo "tick $n"; sleep 0.1; done'
`;

beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "cli");
  await project.push({ ".forgeline.yml": file }, { branch: "main" });
  cli = await commandLine({
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: instance.certificates.caFile,
  });
});
afterAll(async () => {
  await cli.remove();
  await project.remove();
});

const pipeline = (...args: string[]) => ["pipeline", ...args, "-R", project.fullName];

function numberIn(text: string): string {
  return /#(\d+)/.exec(text)?.[1] ?? "";
}

async function startLongRun(): Promise<string> {
  const number = numberIn((await cli.call(pipeline("run", "-v", "LONG=yes"))).stdout);
  await eventually(
    async () => (await cli.call(pipeline("logs", number, "--job", "long"))).stdout.includes("tick 3"),
    {
      timeoutMs: 40_000,
      intervalMs: 200,
    },
  );
  return number;
}

describe("watching", () => {
  it("shows a run that succeeds as plain text when piped, and exits 0", async () => {
    const { code, stdout, stderr } = await cli.run(pipeline("run", "-w"));
    expect(stderr).toBe("");
    expect(stdout).toBe(stripVTControlCharacters(stdout));
    expect(stdout).toMatch(/^compile ▸ Say it\ncompile │ line 1\ncompile │ line 2\ncompile │ line 3$/m);
    expect(stdout).toMatch(/^✓ admin\/cli #\d+ success in /m);
    expect(code).toBe(0);
  });

  it("exits 1 for a run that failed, and says which step, how, and what to do next", async () => {
    const { code, stdout } = await cli.call(pipeline("run", "-v", "BREAK=yes", "-w"));
    const number = numberIn(stdout);
    expect(stdout).toContain("unit    │ about to break");
    expect(stdout).toMatch(/^✗ admin\/cli #\d+ failed in /m);
    expect(stdout).toMatch(/^ +✗ unit › Break +exit code 7$/m);
    expect(stdout).toContain(`forgeline pipeline logs ${number} --job unit -R admin/cli`);
    expect(stdout).toContain(`forgeline pipeline rerun ${number} -w -R admin/cli`);
    expect(code).toBe(1);
  });

  it("exits 3 for a run that somebody cancelled", async () => {
    const number = await startLongRun();
    const watching = cli.start(pipeline("watch", number));
    await eventually(() => watching.stdout().includes("tick 2"), { timeoutMs: 40_000 });
    const cancelled = await cli.call(pipeline("cancel", number));
    expect(cancelled.stdout).toContain(`#${number} is being cancelled`);
    expect((await watching.finished).code).toBe(3);
  });

  it("has colours and what runs now on a terminal", async () => {
    const { code, stdout } = await cli.run(pipeline("run", "-w"), { terminal: true });
    expect(stdout).toContain("\u001b[32m✓");
    // The first job can be over before we watch.
    expect(stripVTControlCharacters(stdout)).toMatch(/● (compile|unit|long) \d+s/);
    expect(code).toBe(0);
  });

  it("goes on after a restart of the server, without a line missing or doubled", async () => {
    const number = await startLongRun();
    const watching = cli.start(pipeline("logs", number, "-f", "--job", "long"));
    await eventually(() => watching.stdout().includes("tick 5\n"), { timeoutMs: 40_000 });
    const server = instance.servers[0];
    if (!server) throw new Error("no server");
    await server.program.kill();
    server.program.start();
    await serverIsReady(server, instance.certificates);
    const seen = watching.stdout().split("\n").length;
    await eventually(() => watching.stdout().split("\n").length > seen + 10, { timeoutMs: 40_000 });
    await cli.call(pipeline("cancel", number, "--force"));
    const { stdout } = await watching.finished;
    const ticks = stdout.split("\n").filter((line) => line.startsWith("tick "));
    expect(ticks).toEqual(ticks.map((_, i) => `tick ${i + 1}`));
  });

  it("prints one JSON value a line with --json, the run last", async () => {
    const { stdout: started } = await cli.call(pipeline("run", "--json"));
    const { id } = JSON.parse(started) as { id: string };
    const { code, stdout } = await cli.call(pipeline("watch", id, "--json"));
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({ id, status: "success" });
    expect(code).toBe(0);
  });
});

describe("looking", () => {
  it("lists runs, newest first, and as many as asked for", async () => {
    const { stdout } = await cli.call(pipeline("list", "-n", "2"));
    const rows = stdout
      .trim()
      .split("\n")
      .map((row) => row.split("\t"));
    expect(rows).toHaveLength(2);
    expect(rows[0]?.[2]).toBe("main");
    expect(rows[0]?.at(-1)).toMatch(/^\.forgeline/);
    expect(Number(rows[0]?.[0]?.slice(1))).toBeGreaterThan(Number(rows[1]?.[0]?.slice(1)));
    const json = JSON.parse((await cli.call(pipeline("list", "--json"))).stdout) as unknown[];
    expect(json.length).toBeGreaterThan(2);
    const ofAnother = await cli.call(pipeline("list", "--pipeline", "nightly", "--json"));
    expect(JSON.parse(ofAnother.stdout)).toEqual([]);
  });

  it("shows one run with its jobs and why they failed; the log, and its tail", async () => {
    const list = JSON.parse((await cli.call(pipeline("list", "--status", "failed", "--json"))).stdout) as {
      number: number;
    }[];
    const number = String(list[0]?.number);
    const { stdout } = await cli.call(pipeline("view", number));
    expect(stdout).toMatch(new RegExp(`^✗ #${number} failed`));
    expect(stdout).toMatch(/✗ unit {2}failed/);
    const planted =
      /Before step 3 started, something in the job had already created its files \(step-2\.ci\)/;
    expect(stdout).toMatch(planted);
    expect((await cli.call(pipeline("watch", number))).stdout).toMatch(planted);
    await tellsHistory(number);
    const tail = await cli.call(pipeline("logs", number, "--job", "compile", "--step", "0", "--tail", "2"));
    expect(tail.stdout).toBe("line 2\nline 3\n");
    for (const more of [[], ["-f"], ["--search", "line"], ["--first-error"]])
      expect(await cli.call(pipeline("logs", number, "--job", "compil", ...more))).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining('the run has no job "compil"; its jobs: compile, ') as string,
      });
  });

  it("says in one sentence what is wrong, without a stack", async () => {
    for (const command of [
      ["view"],
      ["watch"],
      ["watch", "--json"],
      ["events"],
      ["logs"],
      ["logs", "-f"],
      ["cancel"],
      ["rerun"],
    ]) {
      const absent = await cli.call(pipeline(...command, "9999"));
      expect([command, absent.code, absent.stdout]).toEqual([command, 1, ""]);
      expect(absent.stderr).toMatch(/admin\/cli has no run 9999, or you may not see it/);
      expect(absent.stderr).toMatch(/^[^\n]+\n$/);
    }
    const noRef = await cli.call(pipeline("run", "--ref", "nope"));
    expect(noRef.stderr).toMatch(/^error: [^\n]*nope[^\n]*\n$/);
    const nowhere = await cli.call(["pipeline", "list"]);
    expect(nowhere).toMatchObject({ code: 2 });
    expect(nowhere.stderr).toContain("which repository? Use --repo OWNER/NAME");
    const away = await cli.call(pipeline("list"), {
      FORGELINE_URL: `https://localhost:${await freeLowPort()}`,
    });
    expect(away.stderr).toMatch(/^error: cannot reach the server [^\n]*ECONNREFUSED[^\n]*\n$/);
  });

  it("follows all jobs at once, each line behind its job and step, and ends as the run did", async () => {
    const number = numberIn((await cli.call(pipeline("run", "-v", "BREAK=yes"))).stdout);
    const { code, stdout } = await cli.call(pipeline("logs", number, "-f"));
    expect(code).toBe(1);
    const lines = stdout.split("\n").filter((line) => !line.includes("› setup]"));
    expect(lines).toEqual([
      "[compile › Say it] line 1",
      "[compile › Say it] line 2",
      "[compile › Say it] line 3",
      "[unit › Break] about to break",
      "",
    ]);
    await findsLines(number);
  });

  it("ends quietly when its reader goes away", async () => {
    const running = cli.start(pipeline("logs", "1"));
    running.child.stdout.destroy();
    const { code, stderr } = await running.finished;
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });
});

/** Of a run that failed in step Break: what began and ended, in words and as the API says it. */
async function tellsHistory(number: string): Promise<void> {
  const { stdout } = await cli.call(pipeline("events", number));
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
  const changesOf = (what: string) => rows.filter(([, name]) => name === what).map((row) => row.slice(2, 5));
  expect(rows.every(([at = ""]) => !Number.isNaN(Date.parse(at)))).toBe(true);
  expect(rows[0]).toMatchObject({ 1: "run", 2: "", 3: "created", 5: "admin" });
  expect(changesOf("run").at(-1)?.slice(0, 2)).toEqual(["running", "failed"]);
  expect(changesOf("stage build").at(-1)?.slice(0, 2)).toEqual(["running", "success"]);
  expect(changesOf("job long").at(-1)?.[1]).toBe("skipped");
  expect(changesOf("attempt 1 of unit").map(([, to]) => to)).toEqual(["queued", "running", "failed"]);
  expect(changesOf("step unit › Break").at(-1)).toEqual([
    "running",
    "failed",
    "The step ended with exit code 7.",
  ]);
  const json = JSON.parse((await cli.call(pipeline("events", number, "--json"))).stdout) as unknown[];
  expect(json).toHaveLength(rows.length);
}

/** In the logs of a run that failed in step Break, and in those of all. */
async function findsLines(number: string): Promise<void> {
  const found = await cli.call(pipeline("logs", number, "--search", "LINE 2"));
  expect([found.code, found.stdout]).toEqual([0, "compile › Say it:2: line 2\n"]);
  const error = await cli.call(pipeline("logs", number, "--first-error"));
  expect(error.stdout).toContain(
    "No line looks like an error; the last one:\nunit › Break:1: about to break\n",
  );
  expect(error.stdout).toContain(`/admin/cli/pipelines/${number}#unit@1:0:1`);
  const all = await cli.call(pipeline("search", "about to", "--runs", "1", "--json"));
  expect(JSON.parse(all.stdout)).toMatchObject([{ pipeline_number: Number(number), job: "unit", number: 1 }]);
  const none = await cli.call(pipeline("search", "nowhere to be found", "-n", "5"));
  expect([none.code, none.stdout, none.stderr]).toEqual([1, "", "No line holds these words.\n"]);
  const both = await cli.call(pipeline("logs", number, "-f", "--search", "a"));
  expect([both.code, both.stderr]).toEqual([2, "error: give only one of --follow and --search\n"]);
  const long = pipeline("logs", number, "--tail", "2");
  const [logs, same] = [await cli.call(long), await cli.call(long.slice(1))];
  expect([same.code, same.stdout]).toEqual([0, logs.stdout]);
  const badge = await cli.call(pipeline("badge", "--branch", "main"));
  expect(badge.stdout).toBe(
    `[![pipeline](${instance.url}/api/v1/repos/admin/cli/badges/pipeline.svg?branch=main)](${instance.url}/admin/cli/pipelines)\n`,
  );
  expect((await cli.call(pipeline("badge", "--coverage"))).stdout).toMatch(
    /^\[!\[coverage\]\(https:.*\/badges\/coverage\.svg\)\]\(https:.*\/admin\/cli\/pipelines\/coverage\)\n$/,
  );
}

it("says at once that a run has ended with an error, and exits 1", async () => {
  await project.push({ ".forgeline.yml": "image: a\nstep: [make]\n" }, { branch: "broken" });
  const { code, stdout } = await cli.call(pipeline("run", "--ref", "broken"));
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^created #\d+ .*\n\n! admin\/cli #\d+ error\n/)]);
  expect(stdout).toContain("forgeline pipeline lint");
});

it("runs again what failed, with debug output if asked for", async () => {
  const list = JSON.parse((await cli.call(pipeline("list", "--status", "failed", "--json"))).stdout) as {
    number: number;
  }[];
  const number = String(list[0]?.number);
  const before = await cli.call(pipeline("logs", number, "--job", "unit"));
  expect(before.stdout).toContain("about to break");
  expect(before.stdout).not.toContain("+ echo about to break");
  const { code, stdout } = await cli.call(pipeline("rerun", number, "--debug", "-w"));
  expect(stdout).toContain("runs again");
  expect(stdout).toContain("(attempt 2)");
  expect(stdout).toContain("+ echo about to break");
  expect(code).toBe(1);
});
