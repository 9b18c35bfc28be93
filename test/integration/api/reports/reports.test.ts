/** Summaries and annotations of jobs: a runner brings them, the server reads them, people see them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { manifestPath, reportsName } from "@forgeline/schemas/reports/manifest.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { sumOf } from "../../../support/figures.ts";
import { askFor, attemptAtWork, bringArtifact, endJob, jobAtWork } from "../../../support/job-artifacts.ts";
import { bringReports, endReporting, reportFrom } from "../../../support/job-reports.ts";
import { insertRun } from "../../../security/access-matrix/places.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
let repositoryId: string;
let runs = 0;

beforeAll(async () => {
  server = await startApiServer({});
  ada = await server.person("ada", { isAdmin: true });
  eve = await server.person("eve");
  const made = await server.api("POST", "/repos", {
    token: ada.token,
    body: { name: "app", readme: true, private: true },
  });
  repositoryId = made.json.id as string;
});
afterAll(() => server.stop());

async function newRun() {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  const pipelineId = await insertRun(server, run);
  return { pipelineId, path: `/repos/ada/app/pipelines/${runs}` };
}

async function newJob() {
  const run = await newRun();
  return { ...run, job: await jobAtWork(server, { ...run, repositoryId }) };
}

const get = (path: string, token = ada.token) => server.api("GET", path, { token });

test("summaries of steps are joined, and shown once the result of the job is accepted", async () => {
  const { job, path } = await newJob();
  const upload = await bringReports(server, job, [
    { kind: "summary", from: 0, content: "# Built\n" },
    { kind: "summary", from: 2, content: "<script>alert(1)</script>\0" },
  ]);
  expect((await get(`${path}/reports`)).json).toEqual([]);
  await endReporting(server, job, upload);
  const { json, headers } = await get(`${path}/reports`);
  expect(headers["x-total-count"]).toBe("1");
  expect(json).toEqual([
    {
      job: { id: job.jobId, key: "build", name: "build", label: "build" },
      attempt: 1,
      state: "read",
      // As it was written: pages let nothing harmful of it through.
      summary: "# Built\n<script>alert(1)</script>",
      annotations_count: 0,
      tests: null,
      coverage: null,
      problems: [],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ]);
  // It is no artifact, and takes no room once it was read.
  expect((await get(`${path}/artifacts`)).json).toEqual([]);
  const used = await server.container.platform.db.query(
    "select id from artifacts where repository_id = $1 and removed_at is null",
    [repositoryId],
  );
  expect(used).toEqual([]);
  expect((await get(`${path}/reports`, eve.token)).status).toBe(404);
});

test("annotations are listed by level, chosen by level and file, with what could not be understood as a problem", async () => {
  const { job, path } = await newJob();
  const lines = [
    "notice::Just so",
    'error file=src/a.ts line=3 end_line=5 title="A \\"b\\""::No such name: x\\ny',
    '{"level":"warning","file":"/workspace/src/b.ts","line":7,"message":"<img src=x onerror=alert(1)>"}',
    "error file=../../etc/passwd line=1::Out",
    "nonsense",
    "warning file=src/a.ts::Anywhere in it",
  ];
  await reportFrom(server, job, [{ kind: "annotations", from: 0, content: lines.join("\n") }]);
  const { json } = await get(`${path}/annotations`);
  expect(
    json.map(({ level, path: file, line, message }: Record<string, unknown>) => [level, file, line, message]),
  ).toEqual([
    ["error", "src/a.ts", 3, "No such name: x\ny"],
    ["warning", "src/b.ts", 7, "<img src=x onerror=alert(1)>"],
    ["warning", "src/a.ts", null, "Anywhere in it"],
    ["notice", null, null, "Just so"],
  ]);
  expect(json[0]).toMatchObject({ title: 'A "b"', end_line: 5, source: null, job: { key: "build" } });
  expect((await get(`${path}/annotations?level=warning&path=src/a.ts`)).json).toHaveLength(1);
  expect((await get(`${path}/annotations?per_page=1`)).headers["x-total-count"]).toBe("4");
  expect((await get(`${path}/reports`)).json[0]).toMatchObject({
    annotations_count: 4,
    problems: [
      { kind: "annotations", path: null, message: 'line 4: "file" must be a path in the repository' },
      { kind: "annotations", message: expect.stringContaining("line 5: write it as JSON") },
    ],
  });
});

test("of a commit, the newest run of each pipeline file that reported anything counts", async () => {
  const { json: commits } = await get("/repos/ada/app/commits");
  const sha = commits[0].sha as string;
  const { db } = server.container.platform;
  const newRuns = [];
  for (const [file, content] of [
    ["a.yml", "error file=README.md line=1::old"],
    ["a.yml", "error file=README.md line=1::new"],
    ["b.yml", "warning file=README.md line=2::other file\nnotice file=b.md::elsewhere"],
  ] as const) {
    const run = await newRun();
    await db.query("update pipelines set sha = $2, file = $3 where id = $1", [run.pipelineId, sha, file]);
    const job = await jobAtWork(server, { ...run, repositoryId });
    await reportFrom(server, job, [{ kind: "annotations", from: 0, content }]);
    newRuns.push(runs);
  }
  const shown = async (query: string) =>
    (await get(`/repos/ada/app/annotations${query}`)).json.map(
      (each: { message: string; pipeline: { number: number } }) => [each.message, each.pipeline.number],
    );
  const [, second, third] = newRuns;
  const expected = [
    ["new", second],
    ["other file", third],
  ];
  expect(await shown("?path=README.md")).toEqual(expected);
  expect(await shown(`?ref=${sha}&path=README.md`)).toEqual(expected);
  expect(await shown("?ref=main&level=notice")).toEqual([["elsewhere", third]]);
  expect((await get("/repos/ada/app/annotations?ref=nowhere")).status).toBe(404);
  expect((await get("/repos/ada/app/annotations", eve.token)).status).toBe(404);
});

test("a rerun of the job takes the place of what earlier attempts reported", async () => {
  const { job, path, pipelineId } = await newJob();
  await reportFrom(server, job, [{ kind: "summary", from: 0, content: "first" }]);
  const again = { ...job, attemptId: newId("att"), token: `svc_job_again_${pipelineId}` };
  await attemptAtWork(server, again, { repositoryId, artifacts: [], attempt: 2 });
  expect((await get(`${path}/reports`)).json).toMatchObject([{ summary: "first", attempt: 1 }]);
  await reportFrom(server, again, [{ kind: "annotations", from: 0, content: "error::x" }]);
  expect((await get(`${path}/reports`)).json).toMatchObject([{ summary: null, attempt: 2 }]);
  expect((await get(`${path}/annotations`)).json).toHaveLength(1);
});

test("what is not in our form, not text, or not the attempt's own, is told or ignored; the job stays as it ended", async () => {
  const { job, path } = await newJob();
  await reportFrom(server, job, [
    { kind: "summary", from: 0, content: Buffer.from([0xff, 0xfe, 0x00]) },
    { kind: "annotations", from: 0, content: "error::still read" },
  ]);
  expect((await get(`${path}/reports`)).json[0].problems).toEqual([
    { kind: "summary", path: null, step: null, message: "it is not valid UTF-8 text" },
  ]);
  expect((await get(`${path}/annotations`)).json).toHaveLength(1);

  const other = await newJob();
  const broken = await bringArtifact(server, other.job, {
    name: reportsName,
    files: { [manifestPath]: "[]" },
  });
  await endReporting(server, other.job, broken);
  expect((await get(`${other.path}/reports`)).json[0]).toMatchObject({
    state: "read",
    problems: [{ kind: "reports", message: "its list of reports cannot be read" }],
  });

  const [thief, owner] = [await newJob(), await newJob()];
  const foreign = await bringReports(server, owner.job, [{ kind: "summary", from: 0, content: "mine" }]);
  await server.container.pipelines.leases.done({
    attemptId: thief.job.attemptId,
    epoch: 1,
    result: {
      status: "success",
      reason: null,
      message: null,
      exitCode: 0,
      outputs: {},
      steps: [],
      warnings: [],
      reports: foreign,
    },
  });
  expect((await get(`${thief.path}/reports`)).json).toEqual([]);
});

test("an upload of reports has a limit of its own, and cannot be published as an artifact", async () => {
  const { job, path } = await newJob();
  const refused = await askFor(server, job.token, "POST", "/uploads", {
    name: reportsName,
    size_bytes: 100_000_000,
    files: 2,
  });
  expect([refused.status, refused.json.message]).toEqual([
    422,
    expect.stringContaining("The reports of a job can have"),
  ]);
  const upload = await bringReports(server, job, [{ kind: "summary", from: 0, content: "x" }]);
  await endJob(server, job, [upload]);
  expect((await get(`${path}/artifacts`)).json).toEqual([]);
});

test("reports whose time is over are removed", async () => {
  const { job, path } = await newJob();
  await reportFrom(server, job, [{ kind: "summary", from: 0, content: "old" }]);
  await server.container.platform.db.query(
    "update job_reports set created_at = now() - interval '91 days' where attempt_id = $1",
    [job.attemptId],
  );
  const removed = () =>
    sumOf('forgeline_job_reports_removed_total{why="time"}', [server.container.platform.metrics]);
  const before = await removed();
  const [task] = server.container.pipelines.reportUpkeep.upkeepTasks;
  await task?.run(new AbortController().signal);
  expect((await get(`${path}/reports`)).json).toEqual([]);
  expect(await removed()).toBe(before + 1);
});
