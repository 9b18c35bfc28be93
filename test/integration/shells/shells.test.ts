/** Shells in jobs of a whole instance with two servers: the viewer is connected to one, the runner to the other. */
import { readFile } from "node:fs/promises";
import { localJson } from "@forgeline/launcher/https-client.ts";
import Dockerode from "dockerode";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { Shell } from "@forgeline/schemas/shells/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { readFigures } from "../../support/figures.ts";
import { pushFile, runnerId } from "../../support/instance-run.ts";
import { runnerIsOnline, startTestInstance, type TestInstance } from "../../support/instance.ts";
import { connectShell, type TestShell } from "../../support/shell-client.ts";

let instance: TestInstance;
let ca: string;
const docker = new Dockerode();

beforeAll(async () => {
  instance = await startTestInstance({
    servers: 2,
    runnerUrl: async (_direct, all) => all[1] ?? "",
    env: { FORGELINE_SHELLS_JOB: "2" },
  });
  ca = await readFile(instance.certificates.caFile, "utf8");
}, 120_000);
afterAll(() => instance?.stop());

const waiting = `
jobs:
  build:
    image: forgeline/base:1
    clone: false
    env: { COLOUR: blue }
    steps: ["echo begun; touch here; while [ ! -e done ]; do sleep 0.1; done"]
`;
const failing = `
jobs:
  build:
    image: forgeline/base:1
    clone: false
    steps: ["touch left; while [ ! -e go ]; do sleep 0.1; done; exit 3"]
`;

interface AuditEntry {
  action: string;
  details: Record<string, unknown>;
}
interface Run {
  path: string;
  read: () => Promise<Pipeline>;
  job: () => Promise<RunJob>;
}

async function begin(name: string, file: string): Promise<Run> {
  const read = await pushFile(instance, name, file);
  const path = `/repos/${instance.adminName}/${name}/pipelines/1`;
  const job = async () => (await read()).stages[0]!.jobs[0]!;
  await eventually(async () => expect((await job()).attempts[0]?.steps[0]?.status).toBe("running"), {
    timeoutMs: 60_000,
  });
  return { path, read, job };
}

async function open(run: Run, more: { columns?: number; rows?: number } = {}): Promise<[TestShell, Shell]> {
  const { id } = await run.job();
  const shell = await instance.api<Shell>("POST", `${run.path}/jobs/${id}/shells`, more);
  const client = connectShell(shell, { ca, token: instance.adminToken });
  await client.opened;
  await client.shows("# ");
  return [client, shell];
}

it("runs in the job's container with its environment, and is recorded", { timeout: 120_000 }, async () => {
  const run = await begin("attach", waiting);
  const [shell, { log }] = await open(run, { columns: 100, rows: 30 });
  shell.type("echo $COLOUR-$CI_JOB $(pwd) $(ls); stty size; tty\r");
  await shell.shows("blue-build /workspace here");
  await shell.shows("30 100");
  await shell.shows("/dev/pts/");
  shell.resize(120, 40);
  shell.type('until [ "$(stty size)" = "40 120" ]; do sleep 0.1; done; echo resized-$((40+2))\r');
  await shell.shows("resized-42");
  // The job's own token is masked on the screen and in the log.
  shell.type("echo to-$CI_JOB_TOKEN-ken\r");
  await shell.shows("to-***-ken");
  shell.type("touch done; exit 7\r");
  await shell.closed;
  expect(shell.ended()).toMatchObject({ reason: "exited", exit_code: 7 });
  await eventually(async () => expect((await run.read()).status).toBe("success"), { timeoutMs: 30_000 });
  const { lines } = await instance.api<{ lines: { text: string }[] }>(
    "GET",
    `${run.path}/logs?job=build&step=${log}`,
  );
  const text = lines.map((line) => line.text).join("\n");
  expect(text).toContain("blue-build /workspace here");
  expect(text).toContain("to-***-ken");
  expect(text).not.toMatch(/svc_job_/);
  const audit = await instance.api<AuditEntry[]>("GET", "/admin/audit-log?action=pipeline.*");
  expect(audit.find(({ action }) => action === "pipeline.shell_close")?.details).toMatchObject({
    job: "build",
    reason: "exited",
  });
  expect(audit.some(({ action }) => action === "pipeline.shell_open")).toBe(true);
  const figures = await readFigures(instance.servers.map(({ metricsUrl }) => metricsUrl));
  expect(figures.get("forgeline_shells_opened_total")).toBe(1);
});

it("ends with all that it started when its viewer goes, and with the job", { timeout: 120_000 }, async () => {
  const run = await begin("leave", waiting);
  const [shell] = await open(run);
  shell.type("sleep 4242 & sleep 4243\r");
  const filters = { label: [`forgeline.runner=${await runnerId(instance.runners[0]!)}`] };
  const processes = async () => {
    const texts = [];
    for (const { Id } of await docker.listContainers({ filters })) {
      const top = (await docker.getContainer(Id).top()) as { Processes: string[][] };
      texts.push(...top.Processes.map((row) => row.at(-1) ?? ""));
    }
    return texts;
  };
  await eventually(async () => expect((await processes()).join()).toMatch(/sleep 4242.*sleep 4243/));
  shell.socket.terminate();
  await eventually(async () => expect((await processes()).join()).not.toMatch(/sleep 424|bash/), {
    timeoutMs: 40_000,
  });
  expect((await run.job()).status).toBe("running");
  const [second] = await open(run);
  const [third] = await open(run);
  await expect(open(run)).rejects.toThrow(/2 shells are open in this job/);
  second.type("touch done\r");
  await Promise.all([second.closed, third.closed]);
  expect(second.ended()?.message).toBe("The job has ended.");
  await eventually(async () => expect((await run.read()).status).toBe("success"));
  await expect(open(run)).rejects.toThrow(/A shell needs a running job; this one is success/);
});

it("holds more output than anybody reads at once back", { timeout: 120_000 }, async () => {
  const run = await begin("much", waiting);
  const [shell] = await open(run);
  shell.socket.pause();
  shell.type("seq 1 200000; echo over-and-$((40+2))\r");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  shell.socket.resume();
  await eventually(() => shell.shows("over-and-42"), { timeoutMs: 60_000 });
  expect(shell.screen()).toMatch(/\r\n199999\r\n200000\r\n/);
  shell.type("yes | head -c 7000000\r");
  await shell.closed;
  expect(shell.ended()).toMatchObject({ reason: "output_limit" });
});

it("is ended by a cancel, which leaves a failed job failed", { timeout: 120_000 }, async () => {
  const run = await begin("cancelled", failing);
  await instance.api("PUT", `${run.path}/keep-open`, {});
  const [shell] = await open(run);
  shell.type("touch go\r");
  await eventually(async () => expect((await run.job()).kept_until).not.toBeNull(), { timeoutMs: 20_000 });
  await instance.api("POST", `${run.path}/cancel`, {});
  await shell.closed;
  await eventually(async () => expect((await run.read()).finished_at).not.toBeNull());
  expect((await run.job()).attempts[0]).toMatchObject({ status: "failed", reason: "exit:3" });
});

it(
  "keeps the container of a failed job open until it is released, also when the runner's program is killed",
  { timeout: 120_000 },
  async () => {
    const run = await begin("kept", failing);
    const { id } = await run.job();
    const kept = await instance.api<{ keep_open: boolean }[]>("PUT", `${run.path}/keep-open`, { jobs: [id] });
    expect(kept).toMatchObject([{ id, keep_open: true, refused: null }]);
    const [before] = await open(run);
    before.type("touch go; sleep 4244\r");
    await eventually(async () => expect((await run.job()).kept_until).not.toBeNull(), { timeoutMs: 20_000 });
    const { kept_until: until, ...shown } = await run.job();
    expect(shown).toMatchObject({
      status: "running",
      message: expect.stringMatching(/^The job has failed. Its container is kept open for a shell until/),
    });
    const { name, program } = instance.runners[0]!;
    await program.kill();
    await before.closed;
    expect(before.ended()).toMatchObject({ reason: "runner_gone" });
    program.start();
    await runnerIsOnline(instance.api, name);
    const [after] = await open(run);
    after.type('until ! ps | grep "[s]leep 4244"; do sleep 0.1; done; echo gone-$((40+2))\r');
    await after.shows("gone-42");
    after.type("ls\r");
    await after.shows(/left/);
    const again = (await run.job()).kept_until;
    expect(Math.abs(Date.parse(again ?? "") - Date.parse(until ?? ""))).toBeLessThan(1_000);
    await instance.api("DELETE", `${run.path}/keep-open`);
    await after.closed;
    await eventually(async () => expect((await run.read()).status).toBe("failed"));
    expect(await run.job()).toMatchObject({ status: "failed", reason: "exit:3", kept_until: null });
    expect((await run.job()).attempts).toMatchObject([{ status: "failed", reason: "exit:3" }]);
  },
);

it("ends with the kept container at its time, and the slot is free", { timeout: 120_000 }, async () => {
  const { program } = instance.servers[1]!;
  await program.end("SIGTERM");
  program.start({ FORGELINE_KEEP_OPEN_SECONDS: "8" });
  const { name } = instance.runners[0]!;
  await runnerIsOnline(instance.api, name);
  const busy = async () => {
    const runners = await instance.api<{ name: string; running: number }[]>("GET", "/runners");
    return runners.find((runner) => runner.name === name)?.running;
  };
  const before = await busy();
  const run = await begin("timed", failing);
  expect(await busy()).not.toBe(before);
  await instance.api("PUT", `${run.path}/keep-open`, {});
  const [shell, { id }] = await open(run);
  shell.type("touch go\r");
  await eventually(async () => expect((await run.job()).kept_until).not.toBeNull());
  await shell.closed;
  expect(shell.ended()).toMatchObject({ reason: "exited", message: "The job has ended." });
  await eventually(async () => expect((await run.read()).status).toBe("failed"));
  expect(await run.job()).toMatchObject({ reason: "exit:3", kept_until: null });
  await eventually(async () => expect(await busy()).toBe(before));
  const closed = await instance.api<AuditEntry[]>("GET", "/admin/audit-log?action=pipeline.shell_close");
  expect(closed.find(({ details }) => details["shell"] === id)?.details).toMatchObject({ reason: "exited" });
});

it("is ended by the other server when the viewer's is killed", { timeout: 120_000 }, async () => {
  const run = await begin("orphan", waiting);
  const [shell, { id }] = await open(run);
  shell.type("sleep 4245\r");
  await shell.shows("sleep 4245");
  await instance.servers[0]!.program.kill();
  await shell.closed;
  const { certificates, adminToken, servers } = instance;
  const options = { caFile: certificates.caFile, token: adminToken };
  const url = `${servers[1]!.url}/api/v1/admin/audit-log?action=pipeline.shell_close`;
  await eventually(
    async () =>
      expect(await localJson<AuditEntry[]>(url, options)).toContainEqual(
        expect.objectContaining({ details: expect.objectContaining({ shell: id, reason: "lost" }) }),
      ),
    { timeoutMs: 60_000 },
  );
});
