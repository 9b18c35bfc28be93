/** Deleting a repository: gone for everyone at once, back for a week, and then gone for good with all that it kept. */
import { stat } from "node:fs/promises";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRepositoryDeletion } from "@forgeline/server/domains/hosting/repositories/deletion.ts";
import { createRepositoryViews } from "@forgeline/server/domains/hosting/repositories/views.ts";
import { createVisibleNames } from "@forgeline/server/domains/hosting/repositories/visible-names.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import type { ApiServer, TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { connectViewer } from "../../../support/log-viewer.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";
import { logApi, type LogApi } from "../logs/fixture.ts";

let logs: LogApi;
let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  logs = await logApi("private", { periods: { viewerCheckMs: 100 } });
  server = logs.server;
  git = await createGitClient(server.caFile);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });
const create = async (name: string) =>
  (await api("POST", "/repos", ada.token, { name, auto_init: true })).json.id as string;
const age = (id: string) =>
  server.container.platform.db.query(
    "update repositories set deleted_at = now() - interval '8 days' where id = $1",
    [id],
  );

it("is like a repository that never was, and can be restored whole", async () => {
  const id = await create("gone");
  await api("PUT", "/repos/ada/gone/collaborators/bob", ada.token, { permission: "maintain" });
  expect((await api("DELETE", "/repos/ada/gone", bob.token)).status).toBe(403);
  expect((await api("POST", "/repos/ada/gone/restore", ada.token)).status).toBe(404);
  expect((await api("DELETE", "/repos/ada/gone", ada.token)).status).toBe(204);
  for (const token of [ada.token, bob.token, undefined]) {
    const [gone, never] = [
      await api("GET", "/repos/ada/gone", token),
      await api("GET", "/repos/ada/never", token),
    ];
    expect([gone!.status, gone!.text]).toEqual([never!.status, never!.text]);
  }
  expect((await api("DELETE", "/repos/ada/gone", ada.token)).status).toBe(404);
  expect((await api("GET", "/user/repos", bob.token)).json).toEqual([]);
  expect(
    (await git.run(["ls-remote", addressWithToken(server.webUrl, "ada/gone", ada.token)])).code,
  ).not.toBe(0);
  expect((await api("POST", "/repos/ada/gone/restore", bob.token)).status).toBe(404);
  expect((await api("POST", "/repos/ada/gone/restore", ada.token)).json).toMatchObject({ id, name: "gone" });
  expect((await api("GET", "/repos/ada/gone/commits", bob.token)).json).toHaveLength(1);
  const actions = await server.container.platform.db.query<{ action: string }>(
    "select action from audit_log where target_id = $1 and action like 'repo.%' order by seq",
    [id],
  );
  expect(actions.map(({ action }) => action)).toEqual(["repo.create", "repo.delete", "repo.restore"]);
});

it("frees the name, and comes back only when the name is free", async () => {
  const first = await create("name");
  await api("DELETE", "/repos/ada/name", ada.token);
  const second = await create("name");
  expect((await api("POST", "/repos/ada/name/restore", ada.token)).status).toBe(409);
  await api("PATCH", "/repos/ada/name", ada.token, { name: "other" });
  expect((await api("POST", "/repos/ada/name/restore", ada.token)).json.id).toBe(first);
  expect((await api("GET", "/repos/ada/other", ada.token)).json.id).toBe(second);
});

it("happens with all that follows from it, or not at all", async () => {
  const id = await create("whole");
  const { db, storage, logger } = server.container.platform;
  const deletion = createRepositoryDeletion({
    db,
    storage,
    logger,
    views: createRepositoryViews(createVisibleNames(db)),
    whenDeleted: () => Promise.reject(new Error("its runs cannot be cancelled")),
    markStatistics: () => Promise.resolve(),
    removeContent: () => Promise.resolve(),
  });
  const actor = { ...systemActor, userId: ada.id };
  const found = await server.container.hosting.repositoryAccess.find("ada", "whole", actor);
  await expect(deletion.remove(actor, found!.repository)).rejects.toThrow("cannot be cancelled");
  expect((await api("GET", "/repos/ada/whole", ada.token)).json.id).toBe(id);
});

it("is removed for good after a week, with runs, logs and objects; others stay", async () => {
  const { db, objects, storage } = server.container.platform;
  const { repositoryDeletion } = server.container.hosting;
  const other = await create("stays");
  const { repositoryId } = logs.run;
  const key = `logs/${logs.stepStream}/000000000000-abc`;
  await objects.put(key, Buffer.from("kept"));
  await storage.create(repositoryId, "main");
  const owner = await server.tokenFor(logs.owner, scopes);
  const viewer = connectViewer(`${server.baseUrl.replace("https:", "wss:")}${logs.path}/logs/stream`, {
    headers: { Authorization: `Bearer ${owner}` },
    ca: server.ca,
  });
  await eventually(() => viewer.messages.length > 0);
  const path = logs.path.replace(/\/pipelines.*/, "");
  expect((await api("DELETE", path, owner)).status).toBe(204);
  expect((await viewer.closed).code).toBe(4401);
  expect(await db.query("select cancel_reason from pipelines where id = $1", [logs.run.pipelineId])).toEqual([
    { cancel_reason: `user:${logs.owner.username}` },
  ]);
  expect(await repositoryDeletion.sweep()).toBe(0);
  await age(repositoryId);
  expect((await api("POST", `${path}/restore`, owner)).status).toBe(404);
  expect(await repositoryDeletion.sweep()).toBe(1);
  expect(await objects.head(key)).toBeUndefined();
  await expect(stat(storage.directory(repositoryId))).rejects.toThrow("ENOENT");
  expect(await db.query("select id from pipelines where id = $1", [logs.run.pipelineId])).toEqual([]);
  expect(await db.query("select id from log_streams where id = $1", [logs.stepStream])).toEqual([]);
  expect((await stat(storage.directory(other))).isDirectory()).toBe(true);
  expect((await api("GET", "/repos/ada/stays", ada.token)).status).toBe(200);
});
