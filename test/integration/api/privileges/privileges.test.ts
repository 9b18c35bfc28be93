/** Privileged jobs: who allows them to a repository, and what becomes of files, runs and jobs where nobody did. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  jobRightsOf,
  refusalOfPrivileged,
} from "@forgeline/server/domains/pipelines/privileges/judge-job.ts";
import type { TestPerson } from "../../../support/api-server.ts";
import { sumOf } from "../../../support/figures.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

interface RunShown {
  stages: { jobs: { permissions_limit: string | null }[] }[];
}

const file = "image: busybox\ndefaults: { privileged: true }\nsteps: ['true']\n";
const at = "/repos/acme/app";
const allowedAt = "/admin/privileged-repositories";

let bed: ScheduleBed;
let ben: TestPerson;
beforeAll(async () => {
  bed = await startScheduleBed();
  ben = await bed.server.person("ben");
  await bed.send("POST", "/orgs", { name: "acme" });
  await bed.send("POST", "/repos", { owner: "acme", name: "app", readme: true });
  await bed.write(at, ".forgeline.yml", file);
});
afterAll(() => bed?.close());
beforeEach(async () => {
  await bed.database.query("delete from privileged_repositories");
});

const allow = (name = "acme/app", person?: TestPerson) =>
  bed.send("PUT", `${allowedAt}/${name}`, undefined, person);
const codes = async () =>
  (
    (await bed.send("POST", `${at}/pipelines/lint`, { content: file })).json.diagnostics as { code: string }[]
  ).map(({ code }) => code);

test("an administrator allows them, sees where, and refuses them again; each once in the audit log", async () => {
  const made = await allow("ACME/App");
  expect(made.json).toEqual({
    owner: "acme",
    name: "app",
    full_name: "acme/app",
    allowed_by: "ada",
    allowed_at: expect.stringMatching(/Z$/) as string,
  });
  expect((await allow()).json).toEqual(made.json);
  expect((await bed.send("GET", allowedAt)).json).toEqual([made.json]);
  expect((await bed.send("DELETE", `${allowedAt}/acme/app`)).status).toBe(204);
  expect((await bed.send("DELETE", `${allowedAt}/acme/app`)).status).toBe(404);
  expect((await allow("acme/none")).status).toBe(404);
  expect((await bed.send("GET", allowedAt)).json).toEqual([]);
  const entries = await bed.send("GET", "/orgs/acme/audit-log?action=repository.*");
  expect((entries.json as object[]).slice(0, 2)).toMatchObject([
    { action: "repository.refuse_privileged", target: { name: "acme/app" } },
    { action: "repository.allow_privileged", target: { name: "acme/app" } },
  ]);
});

test("nobody else decides, not even whoever administers the repository", async () => {
  await bed.send("PUT", `${at}/collaborators/ben`, { permission: "admin" });
  expect((await allow("acme/app", ben)).status).toBe(403);
  expect((await bed.send("GET", allowedAt, undefined, ben)).status).toBe(403);
});

test("a file with a privileged job is an error until it is allowed", async () => {
  expect(await codes()).toEqual(["P420"]);
  const broken = await bed.send("POST", `${at}/pipelines`, {});
  expect(broken.json).toMatchObject({ status: "error", reason: "config" });
  const shown = (await bed.send("GET", `${at}/pipelines/${String(broken.json.id)}`)).json;
  expect(shown.message).toContain(
    'job "main" is privileged, and this repository may not have privileged jobs',
  );
  await allow();
  expect(await codes()).toEqual([]);
  const sound = await bed.send("POST", `${at}/pipelines`, {});
  expect(sound.json).toMatchObject({ status: "created" });
  const id = String(sound.json.id);
  const judge = (job: { privileged?: true }) => refusalOfPrivileged(bed.database, { pipelineId: id, job });
  expect(await judge({ privileged: true })).toBeNull();
  await bed.send("DELETE", `${allowedAt}/acme/app`);
  expect(await judge({})).toBeNull();
  expect(await judge({ privileged: true })).toMatchObject({
    reason: "config",
    message: expect.stringContaining("no administrator of this instance allows that") as string,
  });
  await allow();
  await bed.database.query("update pipelines set trust = 'unknown_author' where id = $1", [id]);
  expect(await judge({ privileged: true })).toMatchObject({
    message: expect.stringContaining("brings commits from another repository") as string,
  });
});

test("each attempt that is queued is counted", async () => {
  await allow();
  const { pipelines, platform } = bed.server.container;
  const queued = () => sumOf("forgeline_privileged_jobs_total", [platform.metrics]);
  const before = await queued();
  const made = await bed.send("POST", `${at}/pipelines`, {});
  const run = { pipelineId: String(made.json.id), sequence: 1 };
  const { jobs } = await pipelines.runs.loadRun(run);
  const state = {
    attempt: 1,
    retry: false,
    outcome: "success",
    stageOutcome: "success",
    blocked: null,
  } as const;
  const starts = jobs.map(({ id }) => ({ jobId: id, ...state }));
  const start = () => pipelines.runs.startJobs({ ...run, settled: [], jobs: starts });
  expect(await start()).toMatchObject([{ status: "queued" }]);
  await start();
  expect(await queued()).toBe(before + 1);
});

test("runs of syncs have none, whatever is allowed", async () => {
  await allow();
  const repository = (await bed.send("GET", at)).json as { id: string };
  const rule = async (name: "push" | "fork_sync" | "mirror_sync") =>
    (await jobRightsOf(bed.database, repository.id, { name })).privileged;
  expect(await Promise.all((["push", "fork_sync", "mirror_sync"] as const).map(rule))).toEqual([
    "allowed",
    "untrusted",
    "untrusted",
  ]);
});

test("tokens of jobs write only where the repository allows it, also in runs that exist", async () => {
  const set = (level: string, person?: TestPerson) =>
    bed.send("PATCH", at, { job_permissions_max: level }, person);
  await bed.send("PUT", `${at}/collaborators/ben`, { permission: "maintain" });
  expect((await set("read", ben)).json).toMatchObject({
    error: "forbidden",
    message: "Changing job_permissions_max requires admin permission on the repository.",
  });
  expect((await bed.send("GET", at)).json).toMatchObject({ job_permissions_max: "write" });
  const jobs = `jobs:
  release: { image: busybox, permissions: [repo:read, repo:write], steps: ['true'] }
  look: { image: busybox, permissions: [pipeline:read], steps: ['true'] }
`;
  await bed.write(at, ".forgeline.yml", jobs);
  const limits = async (id: unknown) => {
    const run = (await bed.send("GET", `${at}/pipelines/${String(id)}`)).json as unknown as RunShown;
    return run.stages.flatMap(({ jobs: shown }) => shown.map((job) => job.permissions_limit));
  };
  const before = await bed.send("POST", `${at}/pipelines`, {});
  expect(await limits(before.json.id)).toEqual([null, null]);

  expect((await set("read")).json).toMatchObject({ job_permissions_max: "read" });
  expect(await limits(before.json.id)).toEqual([
    "Tokens of jobs only read in this repository, as its settings say.",
    null,
  ]);
  const lint = await bed.send("POST", `${at}/pipelines/lint`, { content: jobs });
  expect(lint.json.diagnostics).toMatchObject([
    {
      code: "P422",
      line: 2,
      message: 'job "release" asks for "repo:write", and jobs of this repository may only read',
    },
  ]);
  const refused = await bed.send("POST", `${at}/pipelines`, {});
  expect(refused.json).toMatchObject({ status: "error", reason: "config" });
  await set("write");
  expect((await bed.send("POST", `${at}/pipelines`, {})).json).toMatchObject({ status: "created" });
  const audit = await bed.send("GET", "/orgs/acme/audit-log?action=repo.settings_change");
  expect((audit.json as { details: object }[]).map(({ details }) => details)).toMatchObject([
    { changes: { job_permissions_max: { from: "read", to: "write" } } },
    { changes: { job_permissions_max: { from: "write", to: "read" } } },
  ]);
});
