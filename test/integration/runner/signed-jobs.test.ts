/** Runners with trusted keys: they execute what the server signed, once, and nothing else. With real containers. */
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { SigningKey } from "@forgeline/schemas/signing-keys/resource.ts";
import { eventually } from "../../support/eventually.ts";
import { readFigures } from "../../support/figures.ts";
import { startTestInstance, type TestInstance, type TestRunner } from "../../support/instance.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";

let instance: TestInstance;
let project: Project;
let database: pg.Client;
let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  project = await createProject(instance, "signed");
  const foreign = await createProject(instance, "foreign");
  await foreign.remove();
  other = await instance.api<SigningKey>("POST", `${foreign.path}/signing-keys`);
  key = await instance.api<SigningKey>("POST", "/signing-keys");
});
afterAll(async () => {
  await database?.end();
  await project?.remove();
  await instance?.stop();
});

const file = (label: string, ...steps: string[]) =>
  `${JSON.stringify({ jobs: { main: { runner: [label], image: "forgeline/base:1", steps } } })}
`;

const runner = (label: string, trusted: string) =>
  instance.addRunner(label, { labels: [label], env: { FORGELINE_RUNNER_TRUSTED_KEYS: trusted } });

/** A run whose job waits for a runner that is not there yet. */
async function queued(label: string, ...steps: string[]): Promise<{ sha: string; jobId: string }> {
  const { sha } = await project.push({ ".forgeline.yml": file(label, ...steps) });
  const jobId = await eventually(
    async () => {
      const job = jobOf(await project.runOf(sha));
      return job.status === "queued" ? job.id : undefined;
    },
    { timeoutMs: 60_000 },
  );
  return { sha, jobId };
}

const logOf = ({ program }: TestRunner) => readFile(program.logFile, "utf8");
const toldOf = (run: Pipeline) => jobOf(run).message;
const refused = { status: "error", reason: "not_signed" };

it("executes a signed job, with a matrix and outputs of needed jobs, also after the runner was killed in it", async () => {
  const trusting = await runner("trusting", `${other.trusted_line}, ${key.trusted_line}`);
  const place = { runner: ["trusting"], image: "forgeline/base:1" };
  const jobs = {
    make: {
      ...place,
      outputs: { to: "${{ steps.out.outputs.to }}" },
      steps: [{ id: "out", run: 'echo to=world >> "$CI_OUTPUT"' }],
    },
    greet: {
      ...place,
      needs: ["make"],
      matrix: { word: ["hello", "bye"] },
      env: { MADE: "${{ needs.make.outputs.to }}" },
      steps: ['sleep 6; echo "$CI_MATRIX_WORD $MADE $TOP"'],
    },
  };
  const definition = { env: { TOP: "${{ branch }}" }, jobs };
  const { sha } = await project.push(
    { ".forgeline.yml": `${JSON.stringify(definition)}\n` },
    { branch: "main" },
  );
  // Both have begun their steps, so the runner has them on its disk: what it does not know is lost only after 90 s.
  const isGreeting = async () => {
    const greeting = (await project.runOf(sha)).stages[0]?.jobs.filter(({ key: of }) => of === "greet") ?? [];
    return (
      greeting.length === 2 && greeting.every((job) => job.attempts.at(-1)?.steps[0]?.status === "running")
    );
  };
  await eventually(isGreeting, { timeoutMs: 60_000 });
  await trusting.program.kill();
  trusting.program.start();
  const run = await project.finished(sha, 60_000).catch(async (error: unknown) => {
    throw new Error(`the run does not end; its runner says: ${await logOf(trusting)}`, { cause: error });
  });
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const log = (await project.log(run)).toString();
  expect(log).toContain("hello world main");
  expect(log).toContain("bye world main");
  const figures = await readFigures([instance.workerMetricsUrl]);
  expect(figures.get("forgeline_jobs_signed_total")).toBe(3);
  expect(await logOf(trusting)).not.toContain("refused a job");
}, 180_000);

it("refuses a job whose row was changed in the database, and says where", async () => {
  const { sha, jobId } = await queued("tampered", "echo mine");
  await database.query(
    `update job_attempts set job = jsonb_set(job, '{steps,0,run}', '"echo evil"') where job_id = $1`,
    [jobId],
  );
  const asked = await runner("tampered", key.trusted_line);
  const run = await project.finished(sha);
  expect(jobOf(run)).toMatchObject(refused);
  expect(toldOf(run)).toContain("it was changed after it was signed (job.steps[0].run)");
  const log = (await project.log(run)).toString();
  expect(log).not.toContain("evil");
  expect(log).toContain("accepts signed jobs only");
  expect(await logOf(asked)).toContain("refused a job: it was changed after it was signed");
});

it("refuses what only another key signed, and what was put in the place of the signed text", async () => {
  const { sha } = await queued("other", "echo mine");
  await runner("other", other.trusted_line);
  const run = await project.finished(sha);
  expect(jobOf(run)).toMatchObject(refused);
  expect(toldOf(run)).toContain("no key that this runner trusts has signed it");
});

it("refuses the same signed job a second time", async () => {
  const { sha, jobId } = await queued("twice", "echo once");
  const asked = await runner("twice", key.trusted_line);
  expect((await project.finished(sha)).status).toBe("success");
  await database.query(
    "delete from log_streams where attempt_id in (select id from job_attempts where job_id = $1)",
    [jobId],
  );
  await database.query(
    `update job_attempts set state = 'queued', status = 'queued', runner_id = null, finished_at = null, started_at = null, token_hash = null
     where job_id = $1`,
    [jobId],
  );
  await eventually(async () => (await logOf(asked)).includes("this runner has begun it before"), {
    timeoutMs: 30_000,
  });
});

it("is not offered jobs without a signature, and refuses them all the same; other runners execute them as ever", async () => {
  await instance.api("DELETE", `/signing-keys/${key.id}`);
  const { sha, jobId } = await queued("unsigned", "echo mine");
  await runner("unsigned", key.trusted_line);
  expect(toldOf(await project.runOf(sha))).toBe(
    "No runner fits; the nearest, unsigned, takes signed jobs only, and this job is not signed.",
  );
  // As by a server that lies.
  await database.query(
    "update job_attempts set labels = array_prepend('@signed', labels) where job_id = $1",
    [jobId],
  );
  await project.push({ ".forgeline.yml": file("nowhere", "echo look again") });
  const run = await project.finished(sha);
  expect(jobOf(run)).toMatchObject(refused);
  expect(toldOf(run)).toContain("it is not signed");
  await instance.addRunner("plain", { labels: ["plain"] });
  expect((await project.runFile(file("plain", "echo mine"))).status).toBe("success");
});
