/** Plays one scenario on a running instance: pushes, asks, acts, waits for the end and compares. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { z } from "zod";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Pipeline, PipelineEventRecord } from "@forgeline/schemas/pipelines/resource.ts";
import type { LintResult, PlanResult } from "@forgeline/schemas/pipelines/plan.ts";
import type { LogPage } from "@forgeline/schemas/logs/resource.ts";
import { addressWithToken, type GitClient } from "../integration/git/git-client.ts";
import { compareRun, describeOutcome, type LogLine } from "./compare-run.ts";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";
import { lfsObject, lfsUpload } from "./lfs-server.ts";
import { expectReported } from "./reported.ts";
import { expectInvariants } from "./run-invariants.ts";
import type { RunExpectation, Scenario } from "./scenario.ts";
import { silence } from "./silence.ts";

type Run = z.infer<typeof Pipeline>;
const endMs = 100_000;

export interface Stage {
  instance: TestInstance;
  git: GitClient;
}

interface Answer {
  status: number;
  etag: string | undefined;
  text: string;
}

interface Play extends Stage {
  name: string;
  scenario: Scenario;
  sha: string;
  /** `/repos/OWNER/NAME/pipelines` */
  path: string;
  ask(
    method: string,
    path: string,
    more?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  json<T>(path: string): Promise<T>;
}

export async function playScenario(
  stage: Stage,
  name: string,
  scenario: Scenario,
  file: string,
): Promise<void> {
  const { instance } = stage;
  const ca = await readFile(instance.certificates.caFile);
  const ask: Play["ask"] = (method, path, more = {}) =>
    new Promise((resolve, reject) => {
      const body = more.body === undefined ? undefined : JSON.stringify(more.body);
      const headers = {
        authorization: `Bearer ${instance.adminToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...more.headers,
      };
      const call = request(`${instance.url}/api/v1${path}`, { method, ca, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, etag: response.headers.etag, text }),
        );
      });
      call.on("error", reject);
      call.end(body);
    });
  const json = async <T>(path: string) => {
    const answer = await ask("GET", path);
    expect(answer.status, `${path}: ${answer.text}`).toBe(200);
    return JSON.parse(answer.text) as T;
  };
  await instance.api("POST", "/repos", { name });
  const repository = `/repos/${instance.adminName}/${name}`;
  for (const [variable, value] of Object.entries(scenario.set))
    await instance.api("PUT", `${repository}/variables/${variable}`, { value });
  const path = `${repository}/pipelines`;
  const play = { ...stage, name, scenario, sha: "", path, ask, json };
  play.sha = await push(play, file);
  await checkTexts(play, file);
  const number = await start(play);
  if (number === null) return;
  for (const action of scenario.actions) await act(play, number, action);
  await expectEnd(play, number);
}

/** The pointers of what the case has in Git LFS. */
async function sendObjects({ instance, name, scenario }: Play): Promise<Record<string, string>> {
  const pointers: Record<string, string> = {};
  const server = { webUrl: instance.url, ca: await readFile(instance.certificates.caFile, "utf8") };
  for (const [path, content] of Object.entries(scenario.lfs)) {
    const object = lfsObject(content);
    const sent = await lfsUpload(server, `${instance.adminName}/${name}`, object, instance.adminToken);
    expect(sent.status, sent.bytes.toString()).toBe(200);
    pointers[path] =
      `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.size}\n`;
  }
  return pointers;
}

async function push(play: Play, file: string): Promise<string> {
  const { git, instance, name, scenario } = play;
  const tree = await git.workTree(scenario.before ?? { "README.md": "read me\n" });
  const address = addressWithToken(instance.url, `${instance.adminName}/${name}`, instance.adminToken);
  if (scenario.before) await git.ok(["push", "-q", address, "HEAD:main"], { cwd: tree });
  const pointers = await sendObjects(play);
  const files = {
    ...scenario.files,
    ...pointers,
    ...(scenario.path === null ? {} : { [scenario.path]: file }),
  };
  for (const path of Object.keys(files)) await mkdir(dirname(join(tree, path)), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(tree, path), text);
  const sha = await git.commit(tree, {}, scenario.message);
  const target =
    scenario.tag === undefined ? `HEAD:refs/heads/${scenario.branch}` : `HEAD:refs/tags/${scenario.tag}`;
  await git.ok(["push", "-q", address, target], { cwd: tree });
  return sha;
}

async function checkTexts({ scenario, ask, path }: Play, content: string): Promise<void> {
  if (scenario.lint) {
    const answer = await ask("POST", `${path}/lint`, { body: { content } });
    const result = JSON.parse(answer.text) as z.infer<typeof LintResult>;
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(scenario.lint);
  }
  if (scenario.plan) {
    const answer = await ask("POST", `${path}/plan`, { body: scenario.plan.body });
    const { nodes } = JSON.parse(answer.text) as PlanResult;
    expect(
      Object.fromEntries(
        nodes.map((n) => [`${n.node} ${n.name}`, n.runs ? "runs" : `skipped ${n.reason ?? ""}`]),
      ),
    ).toEqual(scenario.plan.nodes);
  }
}

/** The number of the run that is looked at; null when there is none, as expected. */
async function start({ scenario, ask, json, path }: Play): Promise<number | null> {
  if (scenario.api) {
    const answer = await ask("POST", path, { body: scenario.api });
    if (scenario.refused) {
      const { errors = [] } = JSON.parse(answer.text) as { errors?: { field: string }[] };
      expect({ status: answer.status, field: errors[0]?.field }).toEqual(scenario.refused);
      return null;
    }
    expect(answer.status, answer.text).toBe(201);
    return (JSON.parse(answer.text) as Run).number;
  }
  const runs = await json<Run[]>(path);
  if (scenario.run === null) {
    expect(runs).toEqual([]);
    return null;
  }
  const wanted = scenario.run.pipeline ?? (scenario.path || ".forgeline.yml");
  const mine = runs.find((run) => run.pipeline === wanted);
  expect(mine, `a run of ${wanted} among ${runs.map((run) => run.pipeline).join()}`).toBeDefined();
  return mine?.number ?? 0;
}

async function act(play: Play, number: number, action: Scenario["actions"][number]): Promise<void> {
  const { instance, json, ask, path } = play;
  const at = `${path}/${number}`;
  await reached(play, number, action.until, action.printed ?? {});
  const runner = instance.runners.find((candidate) => candidate.name === action.runner);
  if (action.do === "kill runner") await runner?.program.kill();
  else if (action.do === "start runner") runner?.program.start();
  else if (action.do === "outlast leases") await silence(instance, (await json<Run>(at)).id, "1 hour");
  else if (action.do === "drain runner" || action.do === "resume runner") {
    const known = await json<{ id: string; name: string }[]>("/runners");
    const id = known.find((candidate) => candidate.name === action.runner)?.id ?? "";
    const answer = await ask("POST", `/runners/${id}/${action.do.replace(" runner", "")}`, { body: {} });
    expect(answer.status, answer.text).toBeLessThan(300);
  } else if (action.do !== "look") {
    const answer = await ask("POST", `${at}/${action.do}`, { body: action.body ?? {} });
    expect(answer.status, answer.text).toBe(202);
  }
}

/** Waits until the run is as wanted; says how it is when that takes too long or can no longer happen. */
async function reached(
  play: Play,
  number: number,
  wanted: RunExpectation,
  printed: Readonly<Record<string, string>>,
): Promise<void> {
  await eventually(
    async () => {
      const run = await play.json<Run>(`${play.path}/${number}`);
      const compared = compareRun(wanted, { run, lines: [], events: [] }, valuesOf(play, run));
      expect(compared.found).toEqual(compared.wanted);
      for (const [job, text] of Object.entries(printed)) {
        const log = await play.ask("GET", `${play.path}/${number}/logs?job=${job}&format=text`);
        expect(log.text).toContain(text);
      }
      return true;
    },
    { timeoutMs: endMs, intervalMs: 300 },
  );
}

async function expectEnd(play: Play, number: number): Promise<void> {
  const { scenario, json, ask, path } = play;
  const at = `${path}/${number}`;
  const run = await eventually(
    async () => {
      const now = await json<Run>(at);
      if (isFinal(now.status)) return now;
      throw new Error(
        `the run is still ${describeOutcome(now)}: ${JSON.stringify(now.stages.map((s) => s.jobs.map(describeOutcome)))}`,
      );
    },
    { timeoutMs: endMs, intervalMs: 500 },
  );
  const events = await allEvents(play, at);
  const log = await ask("GET", `${at}/logs?format=ndjson`);
  const lines = log.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogLine);
  const { wanted, found } = compareRun(scenario.run ?? {}, { run, lines, events }, valuesOf(play, run));
  expect(found).toEqual(wanted);
  expectInvariants(run, events);
  await expectOtherViews(play, run, lines);
  if (scenario.reports) await expectReported((part) => json(`${at}/${part}`), scenario.reports);
  for (const [file, status] of Object.entries(scenario.others ?? {})) {
    await eventually(
      async () => {
        const runs = await json<Run[]>(path);
        expect(runs.find((other) => other.pipeline === file)?.status).toBe(status);
        return true;
      },
      { timeoutMs: endMs, intervalMs: 500 },
    );
  }
}

async function allEvents({ json }: Play, at: string): Promise<PipelineEventRecord[]> {
  const events: PipelineEventRecord[] = [];
  for (let page = 1; ; page += 1) {
    const some = await json<PipelineEventRecord[]>(`${at}/events?per_page=100&page=${page}`);
    events.push(...some);
    if (some.length < 100) return events;
  }
}

/** The same run through the other endpoints: 304, jobs, JSON pages of the log in the order of stages. */
async function expectOtherViews(play: Play, run: Run, lines: readonly LogLine[]): Promise<void> {
  const { ask, json, path, sha } = play;
  const at = `${path}/${run.id}`;
  const first = await ask("GET", at);
  expect(JSON.parse(first.text)).toMatchObject({ id: run.id, number: run.number, sha });
  const again = await ask("GET", at, { headers: { "if-none-match": first.etag ?? "" } });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
  const jobs = run.stages.flatMap((stage) => stage.jobs);
  const listed = await json<typeof jobs>(`${at}/jobs`);
  expect(listed.toSorted(byId)).toEqual(jobs.toSorted(byId));
  const order = run.stages.map((stage) => stage.name);
  const stages = lines.map((line) => order.indexOf(jobs.find((job) => job.id === line.job_id)?.stage ?? ""));
  expect(stages).toEqual([...stages].sort((a, b) => a - b));
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: z.infer<typeof LogPage> = await json(`${at}/logs?limit=500${query}`);
    paged.push(...page.lines.map((line) => line.text));
    expect(page.finished).toBe(true);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(lines.map((line) => line.text));
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

function valuesOf({ instance, name, sha }: Play, run: Run): Record<string, string> {
  const { port } = new URL(instance.url);
  const jobs = run.stages.flatMap((stage) => stage.jobs);
  return {
    sha,
    short_sha: sha.slice(0, 8),
    id: run.id,
    number: String(run.number),
    owner: instance.adminName,
    repo: name,
    job_url: `https://host.docker.internal:${port}`,
    web_url: instance.url,
    first_job_id: jobs[0]?.id ?? "",
  };
}
