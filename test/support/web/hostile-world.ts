/** An instance whose users have put markup into everything that they can name, through the API that is there for it. */
import { approvalRule } from "../approvals.ts";
import { insertDeployment } from "../deployments.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiAnswer, ApiServer, TestPerson } from "../api-server.ts";
import { signUp } from "../browser.ts";
import { planJob, planOf } from "../runs.ts";
import { newSshKeyLine } from "../ssh-key-line.ts";
import { pushCodeRepository, type CodeRepository } from "./code-repository.ts";
import { reportMarkup } from "./hostile-reports.ts";
import { runInRows } from "./run-in-rows.ts";
import { notificationOf } from "../notification-of.ts";
import { password } from "./visitor.ts";

/** Leaves an attribute, an element, a script; calls `alert` wherever it is taken for markup. */
export const evil = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;
/** As Git allows it in names of branches and tags. */
export const evilRef = `"'><img/src=x/onerror=alert(1)>`;

export interface HostileWorld {
  code: CodeRepository;
  root: TestPerson;
  /** Path of the run that has a log. */
  runPath: string;
  /** For a page of consent. */
  clientId: string;
  mailIds: string[];
  announcementId: string;
  runnerId: string;
  /** A test of the run's repository. */
  testId: string;
  boardId: string;
}

export async function makeHostileWorld(server: ApiServer): Promise<HostileWorld> {
  const root = await server.person("root", { isAdmin: true });
  await signUp(server, "bob", password);
  const code = await pushCodeRepository(server);
  const { ada } = code;
  const say: Say = async (method, path, body, { token } = ada) => {
    const answer = await server.api(method, path, body === undefined ? { token } : { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} gave ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  await say("PATCH", "/admin/users/ada", { admin: true }, root);
  await nameAccount(say);
  await nameOrganization(say);
  await nameRepository(say);
  const board = await say("POST", "/repos/ada/code/boards", { name: evil, columns: [evil] });
  await notificationOf(server, "ada", "code");
  for (const place of ["/admin", "/orgs/acme", "/repos/ada/code"])
    await say("PUT", `${place}/variables/EVIL`, { value: evil });
  const announcement = await say("POST", "/admin/announcements", { message: evil }, root);
  await say("PUT", "/admin/secrets/KEY", secret, root);
  await say("PUT", "/admin/privileged-repositories/ada/code", undefined, root);
  const { token } = await say("POST", "/runners/registration-tokens", {}, root);
  const runner = await say("POST", "/runners/register", { token, name: evil, labels: ["docker", "gpu=x"] });
  await say("POST", "/runner-groups", { name: "gpu", description: evil }, root);
  const { path: runPath, id: pipelineId } = await run(server, ada);
  await comment(server, say, { pipelineId, runPath });
  const testId = await reportMarkup(server, ada, { pipelineId, repository: "ada/runs", evil });
  const app = await say("POST", "/user/oauth-apps", appOf("repo:read"));
  const mails = await say("GET", "/admin/mails", undefined, root);
  return {
    code,
    root,
    runPath,
    clientId: app.client_id,
    mailIds: mails.map((mail: { id: string }) => mail.id),
    announcementId: announcement.id,
    runnerId: runner.id,
    testId,
    boardId: board.id,
  };
}

type Say = (
  method: string,
  path: string,
  body?: object,
  as?: { token: string },
) => Promise<ApiAnswer["json"]>;

const secret = { value: "a long enough value", branches: [evil], images: [evil] };

const appOf = (scope: string) => ({
  name: evil,
  redirect_uris: ["https://client.example/callback"],
  homepage_url: "https://client.example/%22%3E%3Cscript%3E",
  scopes: [scope],
});

async function nameAccount(say: Say): Promise<void> {
  await say("PATCH", "/user", { name: evil });
  await say("POST", "/user/tokens", { name: evil, scopes: ["repo:read"] });
  await say("POST", "/user/keys", { title: evil, key: newSshKeyLine(evil) });
}

async function nameOrganization(say: Say): Promise<void> {
  await say("POST", "/orgs", { name: "acme", display_name: evil, description: evil });
  await say("POST", "/orgs/acme/teams", { name: "core", description: evil });
  await say("POST", "/orgs/acme/teams/core/discussions", { title: evil, body: evil });
  await say("POST", "/orgs/acme/teams/core/discussions/1/replies", { body: evil });
  await say("POST", "/orgs/acme/bots", { name: "helper", display_name: evil, scopes: ["repo:read"] });
  await say("POST", "/orgs/acme/bots/helper/tokens", { name: evil, scopes: ["repo:read"] });
  await say("PUT", "/orgs/acme/secrets/KEY", secret);
  await say("POST", "/orgs/acme/oauth-apps", appOf("repo:read"));
  const stream = { syslog: { host: "logs.example.com" }, enabled: false };
  for (const log of ["/orgs/acme/audit-log", "/admin/audit-log"]) await say("PUT", `${log}/stream`, stream);
  await say("POST", "/orgs/acme/invitations", { username: "bob", role: "member" });
  await say("POST", "/repos", { owner: "acme", name: "empty", description: evil });
}

async function nameRepository(say: Say): Promise<void> {
  const at = "/repos/ada/code";
  await say("PATCH", at, { description: evil });
  await say("POST", `${at}/branches`, { name: evilRef, ref: "main" });
  await say("POST", `${at}/tags`, { name: evilRef, ref: "main", message: evil });
  await say("POST", `${at}/deploy-keys`, { title: evil, key: newSshKeyLine(evil), permission: "read" });
  await say("PUT", `${at}/secrets/KEY`, secret);
  const protection = { branches: [evil], tags: [evil] };
  await say("PUT", `${at}/environments/staging`, { protection });
  await say("PUT", `${at}/environments/staging/variables/EVIL`, { value: evil });
  await say("PUT", `${at}/environments/staging/secrets/KEY`, secret);
  await say("POST", `${at}/branch-protections`, { pattern: `rel${evilRef.replaceAll("[", "")}` });
  await say("POST", `${at}/tag-protections`, { pattern: `rel${evilRef}` });
  await say("PUT", `${at}/collaborators/bob`, { permission: "write" });
  await say("POST", `${at}/labels`, { name: evil, description: evil });
  const milestone = await say("POST", `${at}/milestones`, { title: evil, description: evil });
  // Pictures in texts are files of the repository; one that is missing would count as trouble.
  const body = evil.replace("src=x", "src=README.md");
  const issue = { title: evil, body, labels: [evil], assignees: ["ada"], milestone: milestone.id };
  await say("POST", `${at}/issues`, issue);
  await say("POST", `${at}/issues/1/comments`, { body });
  await say("PATCH", `${at}/issues/1`, { title: `${evil} again` });
  await say("PUT", `${at}/issues/1/pin`);
  const branches = { source_branch: "feature/tables", target_branch: evilRef };
  await say("POST", `${at}/merge-requests`, { ...branches, title: evil, description: body, labels: [evil] });
  await say("POST", `${at}/merge-requests/2/comments`, { body });
  const quoted = JSON.stringify(evil);
  const file = `name: ${quoted}\nimage: busybox\nsteps:\n  - name: ${quoted}\n    run: echo hello\n`;
  for (const [path, content] of [
    [".forgeline.yml", file],
    [".forgeline/wrong.yml", `${quoted}: 1\n`],
    [`docs/${encodeURIComponent(`${evil.replaceAll("/", "")}.md`)}`, `# ${evil}\n\n${evil}\n`],
  ])
    await say("PUT", `${at}/contents/${path}`, {
      message: `${evil}\n\n${evil}`,
      content: Buffer.from(content ?? "").toString("base64"),
      author: { name: `"' onmouseover=alert(3) x="`, email: `"onerror=alert(4)"@example.com` },
    });
}

/** Of somebody who lets the run go on. */
async function comment(
  server: ApiServer,
  say: Say,
  { pipelineId, runPath }: { pipelineId: string; runPath: string },
): Promise<void> {
  const { db } = server.container.platform;
  const moveJob = (from: string, to: string) =>
    db.query("update jobs set status = $3 where pipeline_id = $1 and status = $2", [pipelineId, from, to]);
  await moveJob("queued", "awaiting_approval");
  await db.query(
    `insert into approval_gates (id, pipeline_id, sequence, stage, rule, excluded, expires_at)
     values ($2, $1, 1, 'build', $3, '{}', now() + interval '1 hour')`,
    [pipelineId, newId("gate"), JSON.stringify(approvalRule())],
  );
  const decision = { stage: "build", decision: "approve", comment: evil };
  await say("POST", `/repos${runPath}/approvals`, decision);
  await moveJob("awaiting_approval", "queued");
}

/** A run with two jobs, steps and lines of a log that are called so. */
async function run(server: ApiServer, ada: TestPerson): Promise<{ id: string; path: string }> {
  const esc = "\u001b";
  const job = (key: string) => planJob({ key, stage: "build", name: evil });
  const stage = { name: "build", title: evil, needs: null, when: [], timeoutMs: null, concurrency: null };
  const plan = planOf([job("one"), job("two")], { name: evil, stages: [stage] });
  const made = await runInRows(server, ada, { name: "runs", plan });
  const attempt = await made.begin("one", [evil, evil]);
  await attempt.print(
    1,
    `${evil}\n${esc}]8;;javascript:alert(5)${esc}\\${evil}${esc}]8;;${esc}\\\n${esc}[31m${evil}${esc}[0m\n` +
      `::group::${evil}\n${evil}\n::endgroup::\n::error file=${evil}::${evil}\n`,
  );
  await attempt.end("failed", { status: "failed", exitCode: 1 });
  await made.setJob("one", "failed", { reason: "exit:1", message: evil });
  await made.setJob("two", "queued", { reason: "no_runner", message: evil });
  const depl = {
    pipelineId: made.id,
    environment: "production",
    url: "https://example.com/%22%3E%3Cscript%3E",
  };
  await insertDeployment(server.container.platform.db, depl);
  await made.setRun("running");
  await server.container.platform.db.query(
    `insert into concurrency_slots (id, scope, owner_id, group_name, repository_id, pipeline_id, node, node_id, slot_limit,
       wait_order, newest_only, cancel_running, state, held_at)
     select $2, 'repo', repository_id, $3, repository_id, id, 'pipeline', id, 1, 'created', false, false, 'held', now()
     from pipelines where id = $1`,
    [made.id, newId("slot"), evil],
  );
  await server.container.platform.db.query(
    `with kept as (
       insert into caches (id, repository_id, scope, key, paths_hash, paths, epoch, position, size_bytes, saved_at)
       select $2, repository_id, 'refs/heads/' || $3, $3, '', array[$3], 1, 0, 1, now() from pipelines where id = $1
       returning id)
     insert into cache_uses (attempt_id, position, repository_id, pipeline_id, job_id, key, restored_id, restored_key, restored_bytes)
     select a.id, 0, a.repository_id, a.pipeline_id, a.job_id, $3, kept.id, $3, 1 from job_attempts a, kept
     where a.pipeline_id = $1`,
    [made.id, newId("cache"), evil],
  );
  return made;
}
