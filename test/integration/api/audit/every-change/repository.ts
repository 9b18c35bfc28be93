/** A repository's life, its content, runs and runners. */
import { approvalRule } from "../../../../support/approvals.ts";
import { startGitSource } from "../../../../support/git-source.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { pipelineWorkflowId } from "@forgeline/schemas/pipelines/workflow.ts";
import { insertDeployment } from "../../../../support/deployments.ts";
import { eventually } from "../../../../support/eventually.ts";
import { bringCache, planCache } from "../../../../support/job-caches.ts";
import { bringArtifact, endJob, jobAtWork, planArtifact } from "../../../../support/job-artifacts.ts";
import { thingsOfRuns } from "../../../../support/things-of-runs.ts";
import { publicKey } from "./account.ts";
import type { Driver } from "./driver.ts";
import { changeImports } from "./imports.ts";
import { changeIssues } from "./issues.ts";
import { changeMergeRequests } from "./merge-requests.ts";
import type { Cast } from "./organization.ts";
import { changeVariables } from "./variables.ts";
import { changeSecrets } from "./secrets.ts";
import { changeWebhooks } from "./webhooks.ts";

const file = 'jobs:\n  build:\n    image: busybox\n    steps: ["true"]\n';
const base64 = (text: string) => Buffer.from(text).toString("base64");

async function content({ change }: Driver, { ada }: Cast, R: Record<string, string>): Promise<void> {
  const put = (path: string, text: string) =>
    change("putContents", { by: ada, path: { ...R, path }, body: { message: "add", content: base64(text) } });
  await put(".forgeline.yml", file);
  const { json } = await put("gone", "x");
  await change("createBranch", { by: ada, path: R, body: { name: "side" } });
  await change("deleteBranch", { by: ada, path: { ...R, branch: "side" } });
  await change("createTag", { by: ada, path: R, body: { name: "v1" } });
  await change("deleteTag", { by: ada, path: { ...R, name: "v1" } });
  const body = { message: "remove", sha: json.content.sha };
  await change("deleteContents", { by: ada, path: { ...R, path: "gone" }, body });
}

async function settings(driver: Driver, { ada }: Cast, R: Record<string, string>): Promise<void> {
  const { change } = driver;
  for (const body of [{ description: "x" }, { visibility: "public" }, { name: "tool" }, { name: "app" }])
    await change("updateRepository", {
      by: ada,
      path: body.name === "app" ? { ...R, repo: "tool" } : R,
      body,
    });
  await change("setRepositoryTopics", { by: ada, path: R, body: { topics: ["forge"] } });
  await change("archiveRepository", { by: ada, path: R });
  await change("unarchiveRepository", { by: ada, path: R });
  const ben = { ...R, username: "ben" };
  for (const permission of ["read", "write"])
    await change("setCollaborator", { by: ada, path: ben, body: { permission } });
  await change("removeCollaborator", { by: ada, path: ben });
  await driver.server.container.platform.db.query(
    `insert into trusted_authors (repository_id, user_id, expires_at)
     select n.repository_id, u.id, now() + interval '1 day' from repository_names n, users u
     where n.owner = $1 and n.name = $2 and u.username = 'ben'`,
    [R["owner"], R["repo"]],
  );
  await change("removeTrustedAuthor", { by: ada, path: ben });
  const key = publicKey(driver, "deploy");
  const made = await change("createDeployKey", { by: ada, path: R, body: { key } });
  await change("deleteDeployKey", { by: ada, path: { ...R, id: made.json.id } });
}

async function rules({ change }: Driver, { ada }: Cast, R: Record<string, string>): Promise<void> {
  const path = async (id: string) => ({
    ...R,
    id: (await change(id, { by: ada, path: R, body: { pattern: "v*" } })).json.id as string,
  });
  const branch = await path("createBranchProtection");
  // Whom a rule names lies in a table of its own.
  await change("updateBranchProtection", { by: ada, path: branch, body: { push_users: ["ada"] } });
  await change("deleteBranchProtection", { by: ada, path: branch });
  const tag = await path("createTagProtection");
  await change("updateTagProtection", { by: ada, path: tag, body: { create_level: "admin" } });
  await change("deleteTagProtection", { by: ada, path: tag });
}

async function plans({ change }: Driver, { ada }: Cast, R: Record<string, string>): Promise<void> {
  const label = (await change("createLabel", { by: ada, path: R, body: { name: "bug" } })).json;
  await change("updateLabel", { by: ada, path: { ...R, id: label.id }, body: { color: "ff0000" } });
  await change("deleteLabel", { by: ada, path: { ...R, id: label.id } });
  const milestone = (await change("createMilestone", { by: ada, path: R, body: { title: "1.0" } })).json;
  await change("updateMilestone", { by: ada, path: { ...R, id: milestone.id }, body: { state: "closed" } });
  await change("deleteMilestone", { by: ada, path: { ...R, id: milestone.id } });
  const shared = (
    await change("createSharedFilter", { by: ada, path: R, body: { name: "Our", query: "is:open" } })
  ).json;
  await change("updateSharedFilter", { by: ada, path: { ...R, id: shared.id }, body: { name: "Open" } });
  await change("deleteSharedFilter", { by: ada, path: { ...R, id: shared.id } });
  const filter = (await change("createSavedFilter", { by: ada, body: { name: "Mine", query: "is:open" } }))
    .json;
  await change("updateSavedFilter", { by: ada, path: { id: filter.id }, body: { name: "Ours" } });
  await change("deleteSavedFilter", { by: ada, path: { id: filter.id } });
}

async function keptFiles(
  { change, server }: Driver,
  { ada, R }: { ada: Cast["ada"]; R: Record<string, string> },
  { id: pipelineId, repositoryId }: { id: string; repositoryId: string },
): Promise<void> {
  const job = await jobAtWork(server, { pipelineId, repositoryId, cache: [planCache("deps")] });
  const { id } = await bringCache(server, job, { key: "deps", bytes: Buffer.from("x") });
  await endJob(server, job, []);
  await change("deleteCache", { by: ada, path: { ...R, id } });
  await change("deleteCaches", { by: ada, path: R });
}

async function runs(driver: Driver, { ada, admin }: Cast, R: Record<string, string>): Promise<void> {
  const { change, server } = driver;
  await change("checkCodeOwners", { by: ada, path: R, body: { content: "* @ada\n" } });
  await change("lintPipeline", { by: ada, path: R, body: { content: file } });
  await change("planPipeline", { by: ada, path: R, body: {} });
  const run = await change("triggerPipeline", { by: ada, path: R, body: {} });
  const path = { ...R, id: run.json.id as string };
  const nightly = { name: "nightly", cron: "0 3 * * *" };
  const schedule = (await change("createSchedule", { by: ada, path: R, body: nightly })).json as {
    id: string;
  };
  const scheduled = { ...R, id: schedule.id };
  await change("updateSchedule", { by: ada, path: scheduled, body: { enabled: false } });
  await change("runSchedule", { by: ada, path: scheduled });
  await change("deleteSchedule", { by: ada, path: scheduled });
  await change("createLogStreamTicket", { by: ada, path });
  const { db } = server.container.platform;
  // As if a runner had it.
  const lost = await db.one<{ job: string }>(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, labels, job, started_at, lease_renewed_at)
     select $2, id, pipeline_id, repository_id, 1, 'leased', '{}',
       (select plan::jsonb -> 'jobs' -> 0 from pipelines where id = $1), now(), now() + interval '1 hour'
     from jobs where pipeline_id = $1 limit 1
     returning job_id as job`,
    [path.id, newId("att")],
  );
  const { slotOf } = thingsOfRuns(server);
  await change("releaseConcurrencySlot", { by: ada, path: { ...R, id: await slotOf(path.id) } });
  const shared = { org: "acme", id: await slotOf(path.id, "acme") };
  await change("releaseOrganizationConcurrencySlot", { by: ada, path: shared });
  await change("openShell", { by: ada, path: { ...path, job: lost?.job ?? "" }, body: {} });
  await change("keepJobsOpen", { by: ada, path, body: {} });
  await change("endKeptJobs", { by: ada, path });
  // And as if it had not been heard of for some time.
  await db.query("update job_attempts set unreachable = true where pipeline_id = $1", [path.id]);
  await change("declareJobLost", { by: ada, path: { ...path, job: lost?.job ?? "" } });
  // What an ended attempt left open is closed in the background, else.
  await db.query("update log_streams set ended = true, complete = false where not ended");
  // As if a worker had found that the job has to wait.
  await db.query("update jobs set status = 'awaiting_approval' where pipeline_id = $1", [path.id]);
  await db.query(
    `insert into approval_gates (id, pipeline_id, sequence, stage, rule, excluded, expires_at)
     select $2, $1, 1, name, $3, '{}', now() + interval '1 hour' from stages where pipeline_id = $1 limit 1`,
    [path.id, newId("gate"), JSON.stringify(approvalRule())],
  );
  await change("decideApproval", { by: ada, path, body: { stage: "main", decision: "approve" } });
  const [left] = await db.query<{ repository: string }>(
    "select repository_id as repository from pipelines where id = $1",
    [path.id],
  );
  const job = await jobAtWork(server, {
    pipelineId: path.id,
    repositoryId: left?.repository ?? "",
    artifacts: [planArtifact("dist")],
  });
  const artifact = await bringArtifact(server, job, { name: "dist", files: { a: "1" } });
  await endJob(server, job, [artifact]);
  await change("deleteArtifact", { by: ada, path: { ...path, artifact } });
  await keptFiles(driver, { ada, R }, { ...path, repositoryId: left?.repository ?? "" });
  const test = newId("test");
  await db.query(
    `insert into tests (id, repository_id, name_hash, suite, name) select $2, repository_id, '\\x00', 'Suite', 'adds'
     from pipelines where id = $1`,
    [path.id, test],
  );
  await change("quarantineTest", { by: ada, path: { ...path, test }, body: { reason: "issue 12" } });
  await change("releaseTest", { by: ada, path: { ...path, test } });
  await change("cancelPipeline", { by: ada, path });
  // No worker is here to end it.
  await db.query("update pipelines set status = 'cancelled', finished_at = now() where id = $1", [path.id]);
  await db.query("update jobs set status = 'cancelled', finished_at = now() where pipeline_id = $1", [
    path.id,
  ]);
  await change("rerunPipeline", { by: ada, path });
  const id = pipelineWorkflowId(path.id, 2);
  await eventually(
    async () => (await server.api("GET", `/admin/work/${id}`, { token: admin })).status === 200,
  );
  await change("cancelWork", { by: admin, path: { id } });
  await db.query("update pipelines set status = 'failed', finished_at = now() where id = $1", [path.id]);
  await db.query("update jobs set status = 'failed' where pipeline_id = $1", [path.id]);
  const deployment = await insertDeployment(db, { pipelineId: path.id, environment: "production" });
  await change("rollBackDeployment", { by: ada, path: { ...R, name: "production", id: deployment } });
}

async function environments(driver: Driver, { ada }: Cast, R: Record<string, string>): Promise<void> {
  const { change } = driver;
  const path = { ...R, name: "staging" };
  await change("putEnvironment", { by: ada, path, body: {} });
  await change("putEnvironment", { by: ada, path, body: { protection: { count: 1 } } });
  const place = { ...R, environment: "staging" };
  await changeVariables(driver, { by: ada, noun: "EnvironmentVariable", place });
  await changeSecrets(driver, { by: ada, noun: "EnvironmentSecret", place });
  await change("deleteEnvironment", { by: ada, path });
}

/** Nothing is synced: that takes a worker. */
async function mirrors({ change }: Driver, { ada }: Cast): Promise<void> {
  await change("createRepository", { by: ada, body: { name: "mirror" } });
  const path = { owner: "ada", repo: "mirror" };
  const body = { url: "https://git.example.com/ada/app.git" };
  const source = await startGitSource();
  try {
    const { path: followed } = await source.create("source");
    const url = `git://127.0.0.1:${await source.startDaemon()}${followed}`;
    await change("previewMirror", { by: ada, path, body: { url } });
  } finally {
    await source.close();
  }
  await change("setMirror", { by: ada, path, body });
  await change("setMirror", { by: ada, path, body: { ...body, interval_minutes: 30 } });
  await change("syncMirror", { by: ada, path });
  await change("deleteMirror", { by: ada, path });
  const { id } = (await change("createPushMirror", { by: ada, path, body })).json as { id: string };
  const one = { ...path, id };
  await change("updatePushMirror", { by: ada, path: one, body: { prune: false } });
  await change("syncPushMirror", { by: ada, path: one });
  await change("deletePushMirror", { by: ada, path: one });
}

async function runners({ change }: Driver, { ada, admin }: Cast, R: Record<string, string>): Promise<void> {
  await change("createRepositoryRunnerRegistrationToken", { by: ada, path: R, body: {} });
  const { token } = (await change("createRunnerRegistrationToken", { by: admin, body: {} })).json;
  const path = { id: (await change("registerRunner", { body: { token, name: "one" } })).json.id as string };
  await change("createRunnerGroup", { by: admin, body: { name: "all" } });
  await change("updateRunner", { by: admin, path, body: { name: "two" } });
  await change("drainRunner", { by: admin, path });
  await change("resumeRunner", { by: admin, path });
  await change("deleteRunner", { by: admin, path });
  const { id } = (await change("createSigningKey", { by: admin })).json as { id: string };
  await change("deleteSigningKey", { by: admin, path: { id } });
  const own = (await change("createRepositorySigningKey", { by: ada, path: R })).json as { id: string };
  await change("deleteRepositorySigningKey", { by: ada, path: { ...R, id: own.id } });
}

export async function changeRepository(driver: Driver, cast: Cast): Promise<void> {
  const { change } = driver;
  const { ada, ben } = cast;
  await change("createRepository", { by: ada, body: { name: "app", readme: true } });
  const R = { owner: "ada", repo: "app" };
  await content(driver, cast, R);
  await settings(driver, cast, R);
  await changeWebhooks(driver, { by: ada, noun: "Webhook", place: R });
  await changeVariables(driver, { by: ada, noun: "Variable", place: R });
  await change("setRetention", { by: ada, path: R, body: { logs_days: 30 } });
  await changeSecrets(driver, { by: ada, noun: "Secret", place: R });
  await environments(driver, cast, R);
  await rules(driver, cast, R);
  await plans(driver, cast, R);
  await changeIssues(driver, cast, R);
  await changeMergeRequests(driver, cast, R);
  await runs(driver, cast, R);
  await runners(driver, cast, R);
  await mirrors(driver, cast);
  await changeImports(driver, cast);
  await change("createFork", { by: ada, path: R, body: { name: "app-fork" } });
  const fork = { owner: "ada", repo: "app-fork" };
  await change("syncFork", { by: ada, path: fork, body: {} });
  await change("setForkSchedule", { by: ada, path: fork, body: { interval_minutes: 30 } });
  await change("deleteForkSchedule", { by: ada, path: fork });
  await change("requestMaintenance", { by: ada, path: R, body: {} });
  await change("deleteRepository", { by: ada, path: R });
  await change("restoreRepository", { by: ada, path: R });
  const offer = () => change("requestTransfer", { by: ada, path: R, body: { new_owner: "ben" } });
  await offer();
  await change("cancelTransfer", { by: ada, path: R });
  await offer();
  await change("acceptTransfer", { by: ben, path: R });
}
