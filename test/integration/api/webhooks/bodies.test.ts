/** What each event tells, against the schema that OpenAPI shows. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { webhookPayloads } from "@forgeline/schemas/webhooks/payloads.ts";
import type { EventKind } from "@forgeline/schemas/events/event-kind.ts";
import { queueJobs, reachGates } from "../../../support/approvals.ts";
import { eventually } from "../../../support/eventually.ts";
import { failedResult, handRunner, insertRun, planJob, planOf } from "../../../support/runs.ts";
import { startWebhookBed, type WebhookBed } from "../../../support/webhook-bed.ts";
import type { Received } from "../../../support/webhook-receiver.ts";

let bed: WebhookBed;
beforeAll(async () => {
  bed = await startWebhookBed({ name: "webhook-bodies", worker: false });
  await Promise.all([bed.server.person("ben"), bed.send("POST", "/orgs", { name: "acme" })]);
});
afterAll(() => bed?.close());

const told = (list: readonly Received[]) =>
  list.map(({ json }) => `${String(json["event"])} ${String(json["action"])}`);

/** Waits for so many, and holds each against its schema. In the order of their numbers: they may overtake each other. */
async function bodies(received: () => Received[], count: number): Promise<Received[]> {
  const list = await eventually(() => received().length >= count && received(), { timeoutMs: 20_000 });
  for (const { json } of list) {
    const schema = webhookPayloads[json["event"] as EventKind];
    expect(schema.safeParse(json).error?.issues).toBeUndefined();
  }
  return list.toSorted((one, other) => Number(one.json["sequence"]) - Number(other.json["sequence"]));
}

test("branches and tags", async () => {
  const { path, received } = await bed.hooked({ events: ["push", "tag"] });
  const put = (file: string, branch: string) =>
    bed.send("PUT", `${path}/contents/${file}`, {
      message: `Add ${file}`,
      content: "eA==",
      branch,
    });
  await put("one", "main");
  await bed.send("POST", `${path}/branches`, { name: "side" });
  await put("two", "side");
  await put("three", "side");
  await bed.send("DELETE", `${path}/branches/side`);
  await bed.send("POST", `${path}/tags`, { name: "v1" });
  await bed.send("DELETE", `${path}/tags/v1`);
  const list = await bodies(received, 7);
  expect(told(list)).toEqual([
    "push updated",
    "push created",
    "push updated",
    "push updated",
    "push deleted",
    "tag created",
    "tag deleted",
  ]);
  expect(list.map(({ json }) => json["ref"])).toEqual([
    "refs/heads/main",
    ...Array.from({ length: 4 }, () => "refs/heads/side"),
    ...Array.from({ length: 2 }, () => "refs/tags/v1"),
  ]);
  expect(list[1]?.json).toMatchObject({ created: true, commits: [], total_commits: 0 });
  expect(list[3]?.json).toMatchObject({ total_commits: 1, forced: false });
  expect(list[4]?.json).toMatchObject({ deleted: true, after: "0".repeat(40), commits: [] });
});

test("issues and comments, as they were each time", async () => {
  const { path, received } = await bed.hooked({ events: ["issue", "comment"] });
  await bed.send("POST", `${path}/issues`, { title: "One", body: "a" });
  await bed.send("PATCH", `${path}/issues/1`, { title: "Two", assignees: ["ada"] });
  const { id } = (await bed.send("POST", `${path}/issues/1/comments`, { body: "Here" })).json;
  await bed.send("PATCH", `${path}/comments/${String(id)}`, { body: "There" });
  await bed.send("DELETE", `${path}/comments/${String(id)}`);
  await bed.send("PATCH", `${path}/issues/1`, { state: "closed", state_reason: "not_planned" });
  await bed.send("PATCH", `${path}/issues/1`, { state: "closed", state_reason: "not_planned" });
  await bed.send("DELETE", `${path}/issues/1`);
  const list = await bodies(received, 7);
  expect(told(list)).toEqual([
    "issue opened",
    "issue edited",
    "comment created",
    "comment edited",
    "comment deleted",
    "issue closed",
    "issue deleted",
  ]);
  expect(list[0]?.json).toMatchObject({
    issue: { title: "One", assignees: [] },
    sender: { username: "ada" },
  });
  expect(list[1]?.json).toMatchObject({ issue: { title: "Two", assignees: [{ username: "ada" }] } });
  const on = { type: "issue", number: 1, title: "Two" };
  expect(list[3]?.json).toMatchObject({ comment: { body: "There", author: { username: "ada" } }, on });
  expect(list[5]?.json).toMatchObject({ issue: { state: "closed", state_reason: "not_planned" } });
});

test("a repository's life, as it was each time", async () => {
  const { path, received } = await bed.hooked();
  await bed.send("PATCH", path, { description: "first" });
  await bed.send("PATCH", path, { visibility: "public", description: "second" });
  await bed.send("POST", `${path}/archive`);
  await bed.send("POST", `${path}/unarchive`);
  await bed.send("PATCH", path, { name: "renamed" });
  await bed.send("DELETE", "/repos/ada/renamed");
  await bed.send("POST", "/repos/ada/renamed/restore");
  const list = await bodies(received, 8);
  expect(told(list)).toEqual([
    "repository edited",
    "repository visibility_changed",
    "repository edited",
    "repository archived",
    "repository unarchived",
    "repository renamed",
    "repository deleted",
    "repository restored",
  ]);
  expect(list[0]?.json).toMatchObject({
    changes: { description: { from: "" } },
    repository: { description: "first", visibility: "private" },
    sender: { username: "ada" },
    organization: null,
  });
  expect(list[1]?.json).toMatchObject({ changes: { visibility: { from: "private" } } });
  expect(list[5]?.json).toMatchObject({
    changes: { name: { from: path.split("/").at(-1) } },
    repository: { full_name: "ada/renamed" },
  });
  expect(list[0]?.json["repository"]).not.toHaveProperty("permissions");
  expect(list[0]?.json["sender"]).not.toHaveProperty("email");
});

test("who may what, in repositories and organizations", async () => {
  const { path, received } = await bed.hooked({ events: ["member"] });
  await bed.send("PUT", `${path}/collaborators/ben`, { permission: "read" });
  await bed.send("PUT", `${path}/collaborators/ben`, { permission: "write" });
  await bed.send("DELETE", `${path}/collaborators/ben`);
  const list = await bodies(received, 3);
  expect(told(list)).toEqual(["member added", "member changed", "member removed"]);
  expect(list[1]?.json).toMatchObject({
    member: { user: { username: "ben" }, permission: "write" },
    changes: { permission: { from: "read" } },
  });
  const url = `${bed.receiver.url}/members`;
  await bed.send("POST", "/orgs/acme/webhooks", { url, events: ["member"] });
  await bed.send("PUT", "/orgs/acme/members/ben", { role: "member" });
  await bed.send("PUT", "/orgs/acme/members/ben", { role: "owner" });
  await bed.send("DELETE", "/orgs/acme/members/ben");
  const ofOrganization = await bodies(
    () => bed.receiver.received.filter((one) => one.path === "/members"),
    3,
  );
  expect(told(ofOrganization)).toEqual(["member added", "member changed", "member removed"]);
  expect(ofOrganization[1]?.json).toMatchObject({
    repository: null,
    organization: { name: "acme" },
    member: { user: { username: "ben" }, role: "owner" },
    changes: { role: { from: "member" } },
  });
});

test("runs, and repositories of an organization", async () => {
  const url = `${bed.receiver.url}/runs`;
  await bed.send("POST", "/orgs/acme/webhooks", { url, events: ["push", "pipeline", "repository"] });
  await bed.send("POST", "/repos", { name: "built", owner: "acme" });
  const file = "jobs:\n  build:\n    image: busybox\n    steps: ['true']\n";
  const put = async (content: string, sha?: string) => {
    const body = { message: "Build", content: Buffer.from(content).toString("base64"), branch: "main" };
    const { status, json } = await bed.send("PUT", "/repos/acme/built/contents/.forgeline.yml", {
      ...body,
      ...(sha === undefined ? {} : { sha }),
    });
    expect([status, json["message"]]).toEqual([200, undefined]);
    return (json["content"] as { sha: string }).sha;
  };
  await put("jobs: nonsense\n", await put(file));
  const list = await bodies(() => bed.receiver.received.filter((one) => one.path === "/runs"), 6);
  expect(told(list)).toEqual([
    "repository created",
    "push created",
    "pipeline created",
    "push updated",
    "pipeline created",
    "pipeline finished",
  ]);
  expect(list[2]?.json).toMatchObject({
    organization: { name: "acme" },
    pipeline: { number: 1, status: "created", source: "push", triggered_by: { username: "ada" } },
  });
  expect(list[4]?.json).toMatchObject({ pipeline: { number: 2, status: "error", reason: "config" } });
});

test("runs of schedules, which no user has started", async () => {
  const { path, received } = await bed.hooked({ events: ["pipeline"] });
  const content = Buffer.from("on: manual\nimage: busybox\nsteps: ['true']\n").toString("base64");
  await bed.send("PUT", `${path}/contents/.forgeline.yml`, { message: "x", content, branch: "main" });
  const made = await bed.send("POST", `${path}/schedules`, { name: "nightly", cron: "0 3 29 2 *" });
  const { automation, platform } = bed.server.container;
  await platform.db.query(
    "update pipeline_schedules set next_at = date_trunc('milliseconds', now()) where id = $1",
    [made.json.id],
  );
  const stopping = new AbortController();
  const following = automation.followerRunner.run("schedules", stopping.signal);
  const [created] = await bodies(received, 1);
  expect(created?.json).toMatchObject({
    action: "created",
    sender: null,
    pipeline: {
      source: "schedule",
      triggered_by: { type: "schedule", id: made.json.id, username: "schedule:nightly" },
      schedule: { id: made.json.id, name: "nightly" },
    },
  });
  stopping.abort();
  await following;
});

/** The keys of an object, and of what it holds. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf);
  if (value === null || typeof value !== "object") return "";
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, keysOf(member)]));
}

async function exampleOf(event: string): Promise<Record<string, unknown>> {
  const page = await readFile("docs/webhooks.md", "utf8");
  const blocks = [...page.matchAll(/\n```json\n([\s\S]*?)\n```/g)].map(([, text = ""]) => JSON.parse(text));
  return blocks.find((block) => block.event === event);
}

test("approvals and deployments, as the page shows them, with nothing that the run was given", async () => {
  const { path, received } = await bed.hooked({ events: ["approval", "deployment"] });
  const { db } = bed.server.container.platform;
  const { runs } = bed.server.container.pipelines;
  await bed.send("PUT", `${path}/environments/production`, { protection: { approvers: ["ada"] } });
  const { json: made } = await bed.send("GET", path);
  const repository = { id: made.id, userId: bed.ada.id, owner: "ada", name: made.name };
  const environment = { name: "production", url: "https://example.com" };
  const plan = planOf([planJob({ key: "ship", environment })]);
  const begin = async (decision?: object) => {
    const run = await insertRun(db, repository, plan, { variables: { TOKEN: "not-to-be-told" } });
    await reachGates(runs, run.id);
    const body = { job: "ship", ...decision };
    if (decision) await bed.send("POST", `${path}/pipelines/${run.number}/approvals`, body);
    return run.id;
  };
  const queued = async () => {
    const id = await begin({ decision: "approve" });
    await queueJobs(runs, id);
    return { id, runner: handRunner(db, id) };
  };

  await begin({ decision: "reject", comment: "Wrong day." });
  const late = await begin();
  await db.query("update approval_gates set expires_at = now() where pipeline_id = $1", [late]);
  for (let i = 0; i < 2; i += 1) await reachGates(runs, late);
  await (await queued()).runner.run("ship");
  await (await queued()).runner.run("ship", failedResult);
  const stopped = await queued();
  const { id: jobId } = (await db.one<{ id: string }>("select id from jobs where pipeline_id = $1", [
    stopped.id,
  ])) ?? { id: "" };
  const stop = { jobId, attempt: 1, status: "cancelled", reason: "user:ada", queuedOnly: false } as const;
  await runs.forceEnd({ pipelineId: stopped.id, sequence: 1, jobs: [{ ...stop, force: true }] });

  const list = await bodies(received, 18);
  const approved = ["approval requested", "approval approved", "deployment created"];
  expect(told(list)).toEqual(
    [
      ["approval requested", "approval rejected", "approval requested", "approval expired"],
      [approved, "deployment started", "deployment succeeded"],
      [approved, "deployment started", "deployment failed"],
      [approved, "deployment cancelled"],
    ].flat(2),
  );
  expect(list[0]?.json).toMatchObject({
    sender: { username: "ada" },
    approval: { state: "open", job: "ship", environment: "production", count: 1, approvals: [] },
    pipeline: { number: 1, status: "awaiting_approval" },
  });
  const rejected = list[1]?.json ?? {};
  expect(rejected).toMatchObject({
    sender: { username: "ada" },
    approval: { state: "rejected", approvals: [{ decision: "reject", comment: "Wrong day." }] },
  });
  expect(list[3]?.json).toMatchObject({ sender: null, approval: { state: "expired" } });
  const succeeded = list[8]?.json ?? {};
  expect(succeeded).toMatchObject({
    sender: { username: "ada" },
    deployment: { environment: "production", status: "success", approved_by: ["ada"] },
    pipeline: { number: 3 },
  });
  expect(list[13]?.json).toMatchObject({ deployment: { status: "failed", attempt: 1 } });
  expect(list.map(({ body }) => body).join()).not.toContain("not-to-be-told");
  const [approval, deployment] = await Promise.all([exampleOf("approval"), exampleOf("deployment")]);
  expect(keysOf(approval["approval"])).toEqual(keysOf(rejected["approval"]));
  expect(keysOf(deployment["deployment"])).toEqual(keysOf(succeeded["deployment"]));
});
