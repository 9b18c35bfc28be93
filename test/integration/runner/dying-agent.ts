/**
 * An agent for tests to kill: prepares a job in the directory it is given, starts a service and a step that both print
 * numbered lines, and says the job's handle on stdout.
 */
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import { testLimits } from "../../support/runner-limits.ts";
import { plainJob } from "./docker-job.ts";

const [runnerId, workDir, poolSize] = process.argv.slice(2);
if (runnerId === undefined || workDir === undefined)
  throw new Error("usage: dying-agent.ts RUNNER DIRECTORY [POOL]");
const { signal } = new AbortController();
const none = { cpu: null, memoryBytes: null, shmBytes: null };
const image = { name: "forgeline/base:1", user: null };
const lines =
  "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo line $i; [ $((i % 100)) = 0 ] && sleep 0.2; done";

const engine = createDockerEngine({
  runnerId,
  workDir,
  limits: testLimits,
  scriptsDir: `${workDir}-in`,
  poolSize: Number(poolSize ?? 0),
});
const environment = await engine.prepare(plainJob(`att_dying${String(process.pid)}-1`, { signal }));
await environment.ready(signal);
const command = ["sh", "-c", `${lines}; sleep 1000`];
const service = { key: "web", image, env: {}, command, ready: null, resources: none };
await environment.startServices([service], () => undefined, signal);
const script = `echo begun >>effects; ${lines}; exit 5`;
await environment.runStep(
  { position: 0, script, shell: "auto", env: {}, workdir: null, image: null },
  signal,
);
// Beside containers, a network is made for the next job; the daemon may finish it after the agent's death.
if (Number(poolSize ?? 0) > 0) void engine.warm();
process.stdout.write(`${JSON.stringify(environment.handle)}\n`);
setInterval(() => undefined, 1000);
