/** The Docker daemon is killed while a job runs: the step is seen to its end, and everything works when it is back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnDocker, type OwnDocker } from "../../support/own-docker.ts";
import { engineBed, never, runToEnd, step, textOf, type EngineBed } from "./docker-job.ts";

const lines =
  "i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo line $i; [ $((i % 30)) = 0 ] && sleep 0.2; done";
const expected = Array.from({ length: 300 }, (_, index) => `line ${String(index + 1)}\n`).join("");

describe("a Docker daemon that is killed", () => {
  let own: OwnDocker;
  let bed: EngineBed;
  beforeAll(async () => {
    own = await startOwnDocker();
    await ensureBaseImage(own.docker);
    bed = await engineBed({ docker: own.docker });
  });
  afterAll(async () => {
    await bed.close();
    await own.close();
  });

  it("costs a job nothing: steps end without it, services' logs go on, the next job waits for it", async () => {
    const environment = await bed.prepare();
    await environment.ready(never);
    const command = ["sh", "-c", `${lines}; sleep 1000`];
    const none = { cpu: null, memoryBytes: null, shmBytes: null };
    const image = { name: "forgeline/base:1", user: null };
    const service = { key: "web", image, env: {}, command, ready: null, resources: none };
    await environment.startServices([service], () => undefined, never);
    const running = await environment.runStep(step(0, `${lines}; exit 6`), never);
    await eventually(async () => (await textOf(running.outputFile)).includes("line 30\n"));
    await own.kill();
    expect(await running.wait(never)).toEqual({ kind: "exited", code: 6 });
    expect(await textOf(running.outputFile)).toBe(expected);
    const second = await runToEnd(environment, step(1, "echo without a daemon"));
    expect(second).toEqual({ exit: { kind: "exited", code: 0 }, output: "without a daemon\n" });
    const next = bed.prepare();
    await own.start();
    const other = await next;
    const [log] = environment.services();
    await eventually(async () => (await textOf(log?.outputFile ?? "")) === expected);
    await Promise.all([environment.destroy(), other.destroy()]);
    const filters = { label: [`forgeline.runner=${bed.runnerId}`] };
    expect(await own.docker.listContainers({ all: true, filters })).toEqual([]);
    expect(await own.docker.listNetworks({ filters })).toEqual([]);
  });

  it("is said to be down when it stays away", async () => {
    await own.kill();
    const impatient = bed.another({ docker: own.docker, daemonPatienceMs: 300 });
    await expect(impatient.images()).rejects.toMatchObject({ code: "engine_down" });
    await own.start();
  });
});
