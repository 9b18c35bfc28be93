/** Tests that jobs report: of a run, through time, flaky ones, the quarantine, and their limits. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { attemptAtWork, jobAtWork } from "../../../support/job-artifacts.ts";
import { reportFrom } from "../../../support/job-reports.ts";
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
    body: { name: "app", readme: true, private: false },
  });
  repositoryId = made.json.id as string;
});
afterAll(() => server.stop());

const R = "/repos/ada/app";
const get = async (path: string) => (await server.api("GET", `${R}${path}`, { token: ada.token })).json;

/** Names of tests with how they ended: `+` passed, `-` failed, `~` skipped. */
function junit(...cases: string[]): string {
  const outcomes: Record<string, string> = {
    "+": "",
    "-": '<failure message="no">at x</failure>',
    "~": "<skipped/>",
  };
  const written = cases.map((one) => {
    const [name = "", ms = "10"] = one.slice(1).split(" ");
    return `<testcase classname="Suite" name="${name}" time="${Number(ms) / 1000}">${outcomes[one[0] ?? ""]}</testcase>`;
  });
  return `<testsuite>${written.join("")}</testsuite>`;
}

async function runReporting(
  sha: string,
  content: string | Buffer,
  more: { key?: string; matrix?: Record<string, string> } = {},
) {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  const pipelineId = await insertRun(server, run);
  await server.container.platform.db.query("update pipelines set sha = $2 where id = $1", [pipelineId, sha]);
  const job = await jobAtWork(server, { pipelineId, repositoryId, key: "unit", ...more });
  await reportFrom(server, job, [{ kind: "junit", from: "reports/a.xml", content }]);
  return { number: runs, job, pipelineId };
}

const namesOf = (list: { test: { name: string } }[]) => list.map((each) => each.test.name);
const idOf = async (name: string): Promise<string> => (await get(`/tests?q=${name}`))[0].id;

test("failures of a run come first; they are found by status and words", async () => {
  const { number, job } = await runReporting("1".repeat(40), junit("+a", "~b", "-c", "+d"));
  const all = await get(`/pipelines/${number}/tests`);
  expect(namesOf(all)).toEqual(["c", "b", "a", "d"]);
  expect(all[0]).toEqual({
    test: { id: expect.stringMatching(/^test_/), suite: "Suite", name: "c" },
    job: { id: job.jobId, key: "unit", name: "unit", label: "unit" },
    status: "failed",
    duration_ms: 10,
    message: "no",
    details: "at x",
    flaky: false,
    quarantined: false,
  });
  expect(namesOf(await get(`/pipelines/${number}/tests?status=passed`))).toEqual(["a", "d"]);
  expect(namesOf(await get(`/pipelines/${number}/tests?q=suite%20D`))).toEqual(["d"]);
  expect((await get(`/pipelines/${number}/reports`))[0].tests).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    duration_ms: 40,
  });
});

test("a test is flaky once it has both outcomes on one commit, in one job", async () => {
  const sha = "2".repeat(40);
  await runReporting(sha, junit("-wobbly", "+firm", "-broken", "~left"));
  await runReporting("3".repeat(40), junit("+broken"));
  await runReporting(sha, junit("+wobbly"), { matrix: { node: "22" } });
  await runReporting(sha, junit("+wobbly"), { key: "other" });
  expect(await get("/tests?only=flaky")).toEqual([]);
  const { number } = await runReporting(sha, junit("+wobbly", "+firm", "+left"));
  expect(await get("/tests?only=flaky")).toMatchObject([
    { name: "wobbly", flaky: { sha, at: expect.any(String) }, results_count: 4, failures_count: 1 },
  ]);
  expect((await get(`/pipelines/${number}/tests?q=wobbly`))[0].flaky).toBe(true);
  await runReporting("4".repeat(40), junit("-twice", "+twice"));
  expect((await get("/tests?only=flaky")).map(({ name }: { name: string }) => name)).toEqual([
    "twice",
    "wobbly",
  ]);
});

test("an attempt that runs again counts on the same commit, and its results replace those of the run", async () => {
  const { number, job, pipelineId } = await runReporting("5".repeat(40), junit("-retried"));
  const again = { ...job, attemptId: newId("att"), token: `svc_job_again_${pipelineId}` };
  await attemptAtWork(server, again, { repositoryId, artifacts: [], attempt: 2 });
  await reportFrom(server, again, [{ kind: "junit", from: "a.xml", content: junit("+retried") }]);
  expect(await get(`/pipelines/${number}/tests`)).toMatchObject([{ status: "passed", flaky: true }]);
  const id = await idOf("retried");
  expect(await get(`/tests/${id}/results`)).toMatchObject([
    { status: "passed", attempt: 2, pipeline: { number }, sha: "5".repeat(40) },
    { status: "failed", attempt: 1, message: "no" },
  ]);
});

test("the slowest, and those that fail most often", async () => {
  await runReporting("6".repeat(40), junit("+quick 1", "+slow 90000"));
  await runReporting("7".repeat(40), junit("+slow 40000", "-often", "-often"));
  const [slowest] = await get("/tests?sort=slowest");
  expect(slowest).toMatchObject({ name: "slow", typical_duration_ms: 80_000 });
  expect((await get("/tests?sort=failures"))[0]).toMatchObject({ name: "often", failures_count: 2 });
});

test("a maintainer puts a test into quarantine: its failures are shown apart, and it is in the audit log", async () => {
  const { number } = await runReporting("8".repeat(40), junit("-known", "-new"));
  const id = await idOf("known");
  const put = (token: string, body: object) =>
    server.api("PUT", `${R}/tests/${id}/quarantine`, { token, body });
  expect((await put(eve.token, {})).status).toBe(403);
  expect((await put(ada.token, { reason: "<b>issue 12</b>" })).json).toMatchObject({
    name: "known",
    quarantine: { by: "ada", reason: "<b>issue 12</b>", at: expect.any(String) },
  });
  expect(namesOf(await get(`/pipelines/${number}/tests`))).toEqual(["new", "known"]);
  expect((await get(`/pipelines/${number}/tests`))[1]).toMatchObject({ quarantined: true, status: "failed" });
  expect(await get("/tests?only=quarantined")).toHaveLength(1);
  const release = () => server.api("DELETE", `${R}/tests/${id}/quarantine`, { token: ada.token });
  expect([(await release()).status, (await release()).status]).toEqual([204, 204]);
  expect((await get(`/tests/${id}`)).quarantine).toBeNull();
  const { json } = await server.api("GET", "/admin/audit-log?action=test.*", { token: ada.token });
  expect(json.map((entry: { action: string }) => entry.action)).toEqual(["test.release", "test.quarantine"]);
  expect(json[0].target).toMatchObject({ id, name: "ada/app Suite › known" });
});

test("a broken report is told, and the others of the job count; names that would be markup stay text", async () => {
  runs += 1;
  const run = { repositoryId, userId: ada.id, number: runs, status: "success" } as const;
  const pipelineId = await insertRun(server, run);
  const job = await jobAtWork(server, { pipelineId, repositoryId, key: "unit" });
  await reportFrom(server, job, [
    { kind: "junit", from: "bomb.xml", content: '<!DOCTYPE a [<!ENTITY x "y">]><testsuite name="&x;"/>' },
    { kind: "junit", from: "good.xml", content: junit("+&lt;script&gt;alert(1)&lt;/script&gt;") },
  ]);
  expect((await get(`/pipelines/${runs}/reports`))[0].problems).toEqual([
    { kind: "junit", path: "bomb.xml", step: null, message: expect.stringContaining("undefined entity") },
  ]);
  expect(namesOf(await get(`/pipelines/${runs}/tests`))).toEqual(["<script>alert(1)</script>"]);
});

test("ten thousand tests are kept, and tests whose results are gone go with the time", async () => {
  const cases = Array.from({ length: 10_000 }, (_, n) => (n % 100 === 0 ? `-many${n}` : `+many${n}`));
  const { number, job } = await runReporting("9".repeat(40), junit(...cases));
  const { headers, json } = await server.api("GET", `${R}/pipelines/${number}/tests?per_page=1`, {
    token: ada.token,
  });
  expect([headers["x-total-count"], json[0].status]).toEqual(["10000", "failed"]);
  const { db } = server.container.platform;
  const total = async () => (await db.one<{ n: number }>("select count(*)::int as n from tests"))?.n ?? 0;
  const before = await total();
  await db.query("update job_reports set created_at = now() - interval '91 days' where attempt_id = $1", [
    job.attemptId,
  ]);
  await db.query("update tests set seen_at = now() - interval '91 days'");
  const [task] = server.container.pipelines.reportUpkeep.upkeepTasks;
  await task?.run(new AbortController().signal);
  expect(await get(`/pipelines/${number}/tests`)).toEqual([]);
  expect(before - (await total())).toBe(10_000);
});
