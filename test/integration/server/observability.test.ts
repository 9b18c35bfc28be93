/** What operators see of a real run: the figures of `/metrics`, and log lines that name run, job and request. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import { createProject, oneJob, type Project } from "../../support/project.ts";
import { eventually } from "../../support/eventually.ts";

let instance: TestInstance;
let project: Project;
let run: Pipeline;
let job: RunJob;

beforeAll(async () => {
  instance = await startTestInstance();
  project = await createProject(instance, "observed");
  await project.runFile(oneJob("echo pushed"), { branch: "main" });
  const asked = await instance.api<Pipeline>("POST", `${project.path}/pipelines`, { ref: "main" });
  run = await eventually(
    async () => {
      const now = await instance.api<Pipeline>("GET", `${project.path}/pipelines/${asked.id}`);
      return now.finished_at === null ? undefined : now;
    },
    { timeoutMs: 60_000 },
  );
  const [found] = await instance.api<RunJob[]>("GET", `${project.path}/pipelines/${run.id}/jobs`);
  if (!found) throw new Error("the run has no job");
  job = found;
});
afterAll(async () => {
  await project?.remove();
  await instance?.stop();
});

describe("metrics", () => {
  const metrics = async (address: string) => (await fetch(`${address}/metrics`)).text();

  it.each([
    ["queue length", /^# TYPE forgeline_queue_length gauge$/m],
    ["queue wait", /^forgeline_queue_wait_seconds_count 2$/m],
    ["running jobs", /^forgeline_job_attempts\{state="leased"\} 0$/m],
    ["open runs", /^# TYPE forgeline_open_pipelines gauge$/m],
    ["job durations by outcome", /^forgeline_job_duration_seconds_count\{outcome="success"\} 2$/m],
    ["log bytes", /^forgeline_log_bytes_total\{form="raw"\} [1-9]/m],
    ["sockets of runners", /^forgeline_runner_sockets 1$/m],
    ["sockets of viewers", /^forgeline_log_viewers 0$/m],
    [
      "request times",
      /^forgeline_http_request_seconds_count\{method="POST",route="\/repos\/:owner\/:repo\/pipelines",status="201"\} 1$/m,
    ],
    ["database connections", /^forgeline_database_connections\{state="waiting"\} \d/m],
    ["work for Temporal", /^forgeline_outbox_items\{state="waiting"\} \d+$/m],
  ])("of a server tell %s", async (_what, line) => {
    expect(await metrics(instance.servers[0]?.metricsUrl ?? "")).toMatch(line);
  });

  it.each([
    ["that it works", /^forgeline_worker_up 1$/m],
    ["what it holds", /^forgeline_worker_items\{kind="numInFlightLocalActivities"\} \d/m],
    ["durations of runs by outcome", /^forgeline_pipeline_duration_seconds_count\{outcome="success"\} 2$/m],
    ["database connections", /^forgeline_database_connections\{state="idle"\} \d/m],
  ])("of a worker tell %s", async (_what, line) => {
    expect(await metrics(instance.workerMetricsUrl)).toMatch(line);
  });

  it("name each figure once, with a line of help", async () => {
    for (const address of [instance.servers[0]?.metricsUrl ?? "", instance.workerMetricsUrl]) {
      const text = await metrics(address);
      const help = [...text.matchAll(/^# HELP (forgeline_\w+) \S/gm)].map(([, name]) => name);
      const types = [...text.matchAll(/^# TYPE (forgeline_\w+) /gm)].map(([, name]) => name);
      expect(help).toEqual(types);
      expect(new Set(help).size).toBe(help.length);
    }
  });
});

describe("log lines", () => {
  type Line = Record<string, unknown>;
  const levels = ["trace", "debug", "info", "warn", "error", "fatal"];
  const lines = async (file: string): Promise<Line[]> =>
    (await readFile(file, "utf8"))
      .split("\n")
      .filter((line) => line.startsWith('{"level"'))
      .map((line) => JSON.parse(line) as Line);

  it("of a server lead from the request to the run, and from the run to job, attempt and runner", async () => {
    const said = await lines(instance.servers[0]?.program.logFile ?? "");
    const ours = said.filter((line) => line["pipeline_id"] === run.id);
    expect(ours).toContainEqual(
      expect.objectContaining({
        msg: "pipeline triggered",
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    const names = { job_id: job.id, attempt_id: expect.any(String), runner_id: expect.any(String) };
    expect(ours).toContainEqual(expect.objectContaining({ ...names, msg: "job attempt leased" }));
    expect(ours).toContainEqual(
      expect.objectContaining({ ...names, msg: "job attempt ended", status: "success" }),
    );
  });

  it("of a worker tell how each run ended", async () => {
    const said = await lines(instance.worker?.logFile ?? "");
    expect(said).toContainEqual(
      expect.objectContaining({ msg: "pipeline ended", pipeline_id: run.id, status: "success" }),
    );
  });

  it("of all programs have a time and a level in words, and no secret", async () => {
    const files = [instance.servers[0]?.program, instance.worker, instance.runners[0]?.program];
    for (const program of files) {
      const file = program?.logFile ?? "";
      const said = await lines(file);
      expect(said.length).toBeGreaterThan(0);
      for (const line of said) {
        expect(levels).toContain(line["level"]);
        expect(new Date(String(line["time"])).getTime()).not.toBeNaN();
      }
      expect(await readFile(file, "utf8")).not.toMatch(/svc_(pat|job|reg|runner)_\w{8}/);
    }
  });
});
