/** Runs one job and says on stdout how it went; the test starts it as a user who may use Docker and nothing else. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import { readJobFile } from "@forgeline/runner/engine/job-file.ts";
import { plainJob } from "./docker-job.ts";
import { testLimits } from "../../support/runner-limits.ts";

const [runnerId, workDir] = process.argv.slice(2);
if (runnerId === undefined || workDir === undefined)
  throw new Error("usage: unprivileged-agent.ts RUNNER DIRECTORY");
const { signal } = new AbortController();
const engine = createDockerEngine({
  limits: testLimits,
  runnerId,
  workDir,
  scriptsDir: join(workDir, "in"),
  poolSize: 0,
});
const environment = await engine.prepare(
  plainJob(`att_plain${String(process.pid)}-1`, { image: { name: "forgeline/base:1", user: "1000:1000" } }),
);
await writeFile(join(environment.workspaceDir, "cloned"), "");
await environment.ready(signal);
const script = "id -u; rm cloned; mkdir -p locked/in; touch locked/in/file; chmod 0 locked/in; ls";
const running = await environment.runStep(
  { position: 0, script, shell: "auto", env: {}, workdir: null, image: null },
  signal,
);
const exit = await running.wait(signal);
const output = (await readJobFile(running.outputFile, 65_536))?.toString();
await environment.destroy();
const left = (await readdir(workDir)).filter((name) => name !== "in" && name !== ".init");
process.stdout.write(`${JSON.stringify({ uid: process.getuid?.(), exit, output, left })}\n`);
