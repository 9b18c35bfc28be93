/** What `/downloads/` serves works where nothing of ours is: the pasted line installs a runner, which runs jobs. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { makeDownloads } from "@forgeline/launcher/downloads.ts";
import { runnerIsOnline, startTestInstance, type TestInstance } from "../../support/instance.ts";
import { machineSettings, spawnGroup, type Running } from "../../support/launched.ts";
import { needs } from "../../support/programs/needs.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";

let instance: TestInstance;
let project: Project;
let machine: string;
let downloads: string;
let started: Running | undefined;

beforeAll(async () => {
  needs("curl");
  downloads = await mkdtemp(join(tmpdir(), "forgeline-downloads-"));
  instance = await startTestInstance({ env: { FORGELINE_DOWNLOADS_DIR: downloads } });
  const { caFile, caSha256 } = instance.certificates;
  const { cache } = loadLauncherConfig();
  await makeDownloads({ directory: downloads, caFile, caSha256, publicUrl: instance.url, cache });
  project = await createProject(instance, "downloads");
  machine = await mkdtemp(join(tmpdir(), "forgeline-machine-"));
});
afterAll(async () => {
  started?.signal("SIGINT");
  await started?.finished;
  await project.remove();
  await instance.stop();
  for (const directory of [machine, downloads]) await rm(directory, { recursive: true, force: true });
});

/** Another machine's environment: nothing of the checkout, an empty home. */
function elsewhere(): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: machine,
    FORGELINE_RUNNER_DIR: join(machine, "runner"),
    // The machine's way to the registry, and its cache, as an operator has them; nothing of the home.
    ...machineSettings(["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "NODE_EXTRA_CA_CERTS"]),
    ...machineSettings(["npm_config_registry", "npm_config_cafile", "npm_config_globalconfig"]),
    npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "/root", ".npm"),
    npm_config_prefer_offline: "true",
  };
}

async function paste(sum: string, token: string, env = elsewhere()) {
  const line = `curl -fsSk ${instance.url}/downloads/install-runner.sh | sh -s -- ${sum} ${token} --name elsewhere --labels place=elsewhere`;
  return spawnGroup("sh", ["-c", line], env).finished;
}

/** The same with a `PATH` of what the script needs, no Docker and nothing that makes checksums. */
async function withoutDocker(): Promise<NodeJS.ProcessEnv> {
  const bin = join(machine, "bin");
  const names = "sh env node npm git tar gzip curl cut mkdir chmod ln".split(" ");
  const find = names.map((name) => `ln -sf "$(command -v ${name})" ${bin}/${name}`).join("; ");
  const made = await spawnGroup("sh", ["-ec", `mkdir -p ${bin}; ${find}`], elsewhere()).finished;
  if (made.code !== 0) throw new Error(made.output);
  return { ...elsewhere(), PATH: bin, FORGELINE_RUNNER_DIR: join(machine, "bare") };
}

async function registrationToken(): Promise<string> {
  return (await instance.api<{ token: string }>("POST", "/runners/registration-tokens", {})).token;
}

it("refuses a certificate that is not the expected one, before anything is installed", async () => {
  const { code, output } = await paste("0".repeat(64), await registrationToken());
  expect(output).toContain("is not the expected one");
  expect(code).toBe(1);
  await expect(stat(join(machine, "runner", "node_modules"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("installs and registers a runner by the pasted line, and it runs what asks for its label", async () => {
  const { code, output } = await paste(instance.certificates.caSha256, await registrationToken());
  expect(output).toContain("Registered. Start it with:");
  expect(code).toBe(0);
  const file = join(machine, "runner", "runner.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const program = join(machine, "runner", "node_modules", ".bin", "forgeline-runner");
  const args = ["start", "--dir", join(machine, "runner")];
  started = spawnGroup(program, args, elsewhere());
  await runnerIsOnline(instance.api, "elsewhere");
  const run = await project.runFile(
    `jobs: { main: { image: "forgeline/base:1", runner: [place=elsewhere], steps: ["echo made elsewhere"] } }\n`,
  );
  expect({ status: run.status, why: run.message, error: run.error }).toMatchObject({ status: "success" });
  expect(jobOf(run).attempts[0]?.runner?.name).toBe("elsewhere");
  expect((await project.log(run)).toString()).toContain("made elsewhere");
});

it("drains and ends at TERM", async () => {
  started?.signal("SIGTERM");
  expect((await started?.finished)?.code).toBe(0);
  started = undefined;
});

/** As older Macs have it, in place of `sha256sum`. */
async function addShasum({ PATH: bin = "" }: NodeJS.ProcessEnv): Promise<void> {
  const script = `#!/bin/sh\n[ "$1 $2" = "-a 256" ] && PATH=${process.env["PATH"]} exec sha256sum "$3"\n`;
  await writeFile(join(bin, "shasum"), script, { mode: 0o755 });
}

it("installs a runner where no Docker is, once it is told that jobs are processes", async () => {
  const { caSha256 } = instance.certificates;
  const bare = await withoutDocker();
  const unchecked = await paste(caSha256, await registrationToken(), bare);
  expect(unchecked.output).toContain("please install sha256sum or shasum first");
  expect(unchecked.code).toBe(1);
  await addShasum(bare);
  const wrong = { ...bare, FORGELINE_RUNNER_EXECUTOR: "process" };
  expect((await paste("0".repeat(64), await registrationToken(), wrong)).output).toContain(
    "not the expected one",
  );
  const refused = await paste(caSha256, await registrationToken(), bare);
  expect(refused.output).toMatch(/install docker first; .*FORGELINE_RUNNER_EXECUTOR=process/);
  expect(refused.code).toBe(1);
  const env = { ...bare, FORGELINE_RUNNER_EXECUTOR: "process" };
  const { output, code } = await paste(caSha256, await registrationToken(), env);
  expect(output).toMatch(/Start it with: {2}FORGELINE_RUNNER_EXECUTOR=process \S+forgeline-runner start/);
  expect(code).toBe(0);
});

it("installs the command line, which speaks to the server", async () => {
  const place = join(machine, "cli");
  await mkdir(place);
  const tarball = join(downloads, "forgeline.tgz");
  const install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", place, tarball];
  const installed = await spawnGroup("npm", install, elsewhere()).finished;
  expect(installed).toMatchObject({ code: 0 });
  const env = {
    ...elsewhere(),
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: join(downloads, "ca.pem"),
  };
  const program = join(place, "node_modules", ".bin", "forgeline");
  const { output, code } = await spawnGroup(program, ["runner", "list"], env).finished;
  expect(output).toContain("\trunner-0\tonline\t");
  expect(code).toBe(0);
  expect(await readFile(join(downloads, "ca.pem"), "utf8")).toContain("BEGIN CERTIFICATE");
  const project = join(machine, "project");
  await mkdir(project);
  await writeFile(join(project, ".forgeline.yml"), "image: forgeline/base:1\nsteps: [echo here]\n");
  const ran = await spawnGroup("sh", ["-c", `cd ${project} && exec ${program} exec`], elsewhere()).finished;
  expect(ran.output).toContain("main │ here");
  expect(ran.code).toBe(0);
});
