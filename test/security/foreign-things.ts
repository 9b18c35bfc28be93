/** What somebody has in a repository, made over REST: of each kind that has an id. */
import type { ApiServer } from "../support/api-server.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { archiveOf } from "../support/imports/export-archive.ts";
import { newSshKeyLine } from "../support/ssh-key-line.ts";
import { ensure, insertRun } from "./access-matrix/places.ts";

/** As whoever has the token; throws where it is refused. */
export const senderOf =
  (server: ApiServer, token: string) => async (method: string, path: string, body?: object) =>
    ensure(await server.api(method, path, body === undefined ? { token } : { token, body })).json;
export type Send = ReturnType<typeof senderOf>;

/** An import that waits for a worker, and a question about it that waits for an answer of the same person. */
export async function importsOf(server: ApiServer, send: Send): Promise<[what: string, id: string][]> {
  const body = { source: "github", repository: "octocat/brought" };
  const { id } = (await send("POST", "/imports", body)) as { id: string };
  const request = newId("iask");
  await server.container.platform.db.query(
    `insert into import_requests (id, import_id, login, user_id, asked_by)
     select $1, i.id, 'octocat', i.created_by, i.created_by from imports i where i.id = $2`,
    [request, id],
  );
  const archive = await send("POST", "/imports/archives?name=a.tar.gz", await archiveOf({ "a.txt": "a" }));
  return [
    ["import", id],
    ["export to import", (archive as { id: string }).id],
    ["question about imported texts", request],
  ];
}

/** What a repository and an organization can hold. Gives the ids. */
export async function fill(
  server: ApiServer,
  send: Send,
  { org, repo, userId }: { org: string; repo: string; userId: string },
) {
  const { id: repositoryId } = await send("POST", "/repos", { owner: org, name: repo });
  const path = `/repos/${org}/${repo}`;
  const registration = await send("POST", `${path}/runners/registration-tokens`, {});
  const runner = ensure(
    await server.api("POST", "/runners/register", { body: { token: registration.token, name: "r" } }),
  );
  return {
    run: await insertRun(server, { repositoryId, userId, number: 1, status: "success" }),
    deployKey: (await send("POST", `${path}/deploy-keys`, { key: newSshKeyLine() })).id as string,
    branchRule: (await send("POST", `${path}/branch-protections`, { pattern: "main" })).id as string,
    tagRule: (await send("POST", `${path}/tag-protections`, { pattern: "v*" })).id as string,
    runner: runner.json.id as string,
    ...(await hookOf(send, path)),
    pushMirror: (await send("POST", `${path}/push-mirrors`, { url: "https://git.example.com/x.git" }))
      .id as string,
    schedule: await scheduleOf(send, path),
    signingKey: (await send("POST", `${path}/signing-keys`)).id as string,
    // Its number is the first, which addresses name.
    ...(await reviewOf(send, path)),
    board: (await send("POST", `${path}/boards`, { name: "all" })).id as string,
    filter: (await send("POST", `${path}/filters`, { name: "Open", query: "is:open" })).id as string,
    label: (await send("POST", `${path}/labels`, { name: "bug" })).id as string,
    comment: await commentOf(send, path),
    attachment: await attachmentOf(send, `repo=${org}/${repo}`),
    milestone: (await send("POST", `${path}/milestones`, { title: "1.0" })).id as string,
  };
}

/** With the issue that it is on. */
async function commentOf(send: Send, path: string): Promise<string> {
  const { number } = await send("POST", `${path}/issues`, { title: "One" });
  return (await send("POST", `${path}/issues/${String(number)}/comments`, { body: "x" })).id as string;
}

/** Under the name by which attachments are asked for here. */
export async function attachmentOf(send: Send, place: string): Promise<string> {
  return (await send("POST", `/attachments?name=v1&${place}`, Buffer.from("x"))).id as string;
}

/** With the pipeline file that it needs. */
async function scheduleOf(send: Send, path: string): Promise<string> {
  const content = Buffer.from("image: a\nsteps: [x]\n").toString("base64");
  await send("PUT", `${path}/contents/.forgeline.yml`, { message: "x", content, branch: "main" });
  return (await send("POST", `${path}/schedules`, { name: "nightly", cron: "0 3 * * *" })).id as string;
}

/** A webhook, and a delivery of it. */
export async function hookOf(send: Send, path: string): Promise<{ hook: string; delivery: string }> {
  const { id } = await send("POST", `${path}/webhooks`, { url: "https://hooks.example.com/" });
  const { id: delivery } = await send("POST", `${path}/webhooks/${id}/ping`);
  return { hook: id as string, delivery: delivery as string };
}

/** A thread on a merge request, and a review of it. */
async function reviewOf(send: Send, path: string): Promise<{ review: string; thread: string }> {
  await send("POST", `${path}/branches`, { name: "proposed" });
  const content = Buffer.from("x\n").toString("base64");
  await send("PUT", `${path}/contents/proposed.txt`, { message: "x", content, branch: "proposed" });
  const wanted = { title: "One", source_branch: "proposed" };
  const { number } = await send("POST", `${path}/merge-requests`, wanted);
  const place = `${path}/merge-requests/${String(number)}`;
  const comment = { path: "proposed.txt", line: 1, body: "x" };
  const { id: review } = await send("POST", `${place}/reviews`, { event: "comment", body: "x" });
  const { id: thread } = await send("POST", `${place}/threads`, comment);
  return { review: review as string, thread: thread as string };
}

/** In a discussion of a team made for it. */
export async function replyOf(send: Send, org: string, team = "talk"): Promise<string> {
  await send("POST", `/orgs/${org}/teams`, { name: team });
  const path = `/orgs/${org}/teams/${team}/discussions`;
  await send("POST", path, { title: "One" });
  return (await send("POST", `${path}/1/replies`, { body: "x" })).id as string;
}
