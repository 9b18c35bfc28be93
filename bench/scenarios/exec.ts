/** `forgeline exec` of one job whose image is here, against `docker run` of the same commands with the same files. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { baseImageName } from "@forgeline/launcher/base-image.ts";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { makeDownloads } from "@forgeline/launcher/downloads.ts";
import { commandLine, type CommandLine } from "../../test/support/command-line.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { median, nowMs } from "../statistics.ts";

const run = promisify(execFile);

async function makeProject(directory: string, seconds: number): Promise<string> {
  const project = join(directory, "exec-project");
  await mkdir(join(project, ".forgeline"), { recursive: true });
  const file = (script: string) => `image: ${baseImageName}\nsteps: [${JSON.stringify(script)}]\n`;
  await writeFile(join(project, ".forgeline", "works.yml"), file(`sleep ${seconds}; cat README.md`));
  await writeFile(join(project, ".forgeline", "empty.yml"), file("cat README.md"));
  await writeFile(join(project, "README.md"), "read me\n");
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: project });
  await git("init", "-q", "-b", "main");
  await git("add", ".");
  await git("commit", "-q", "-m", "first");
  return project;
}

/** The command line as people install it; the file that starts it. */
async function installed({ directory, instance }: Bench): Promise<string> {
  const downloads = join(directory, "exec-downloads");
  await mkdir(downloads);
  const { caFile, caSha256 } = instance.certificates;
  await makeDownloads({
    directory: downloads,
    caFile,
    caSha256,
    publicUrl: instance.url,
    cache: loadLauncherConfig().cache,
  });
  await run("tar", ["-xzf", "forgeline.tgz"], { cwd: downloads });
  return join(downloads, "package/start.cjs");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = nowMs();
  await work();
  return nowMs() - beganMs;
}

function bare(project: string, script: string): Promise<number> {
  const mount = ["-v", `${project}:/workspace`, "-w", "/workspace"];
  return timed(() => run("docker", ["run", "--rm", ...mount, baseImageName, "sh", "-c", script]));
}

function ours(cli: CommandLine, project: string, pipeline: string): Promise<number> {
  return timed(async () => {
    const { code, stderr } = await cli.run(["exec", pipeline], { cwd: project });
    if (code !== 0) throw new Error(`forgeline exec ended with ${code}: ${stderr}`);
  });
}

async function measure(bench: Bench): Promise<ScenarioResult> {
  const { directory, size } = bench;
  const { seconds } = size.exec;
  const project = await makeProject(directory, seconds);
  const program = await installed(bench);
  const cli = await commandLine({ FORGELINE_EXEC_DIR: join(directory, "exec-home") }, program);
  const times = {
    works: [] as number[],
    empty: [] as number[],
    bareWorks: [] as number[],
    bareEmpty: [] as number[],
  };
  try {
    // Compiles what is compiled once.
    await ours(cli, project, "empty");
    for (let round = 0; round < size.rounds; round++) {
      times.bareEmpty.push(await bare(project, "cat README.md"));
      times.empty.push(await ours(cli, project, "empty"));
      times.bareWorks.push(await bare(project, `sleep ${seconds}; cat README.md`));
      times.works.push(await ours(cli, project, "works"));
    }
  } finally {
    await cli.remove();
  }
  const [works, bareWorks] = [median(times.works), median(times.bareWorks)];
  const [empty, bareEmpty] = [median(times.empty), median(times.bareEmpty)];
  return {
    figures: [
      ratioFigure(`a job that works for ${seconds} s`, { ours: works, theirs: bareWorks, atMost: 1.15 }),
      {
        what: "what a job costs in addition, whatever it does",
        value: `${(empty - bareEmpty).toFixed(0)} ms (${empty.toFixed(0)} ms against ${bareEmpty.toFixed(0)} ms)`,
      },
    ],
    parts: [],
  };
}

export const execScenario: Scenario = {
  number: 30,
  title: () => "`forgeline exec` of a job with a waiting image, against `docker run` of the same",
  run: measure,
};
