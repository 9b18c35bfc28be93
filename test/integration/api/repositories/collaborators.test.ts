/** Collaborators: levels count at the very next request, at each entry point, and on sockets that are open. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });
const give = (repo: string, who: string, permission?: string, token = ada.token) =>
  api(
    "PUT",
    `/repos/ada/${repo}/collaborators/${who}`,
    token,
    permission === undefined ? {} : { permission },
  );

it("gives what its level gives, from the next request on", async () => {
  const { id } = (await api("POST", "/repos", ada.token, { name: "shared", auto_init: true })).json;
  const shown = async () => (await api("GET", "/repos/ada/shared", bob.token)).json?.permissions;
  expect(await shown()).toBeUndefined();
  for (const level of ["read", "triage", "write", "maintain", "admin"]) {
    expect(await give("shared", "BOB", level)).toMatchObject({
      status: 200,
      json: { permission: level, user: { username: "bob" } },
    });
    expect(await shown()).toBe(level);
  }
  await give("shared", "bob", "read");
  const clone = `${git.home}/bob`;
  await git.ok(["clone", "-q", addressWithToken(server.webUrl, "ada/shared", bob.token), clone]);
  await git.commit(clone, { "x.txt": "x\n" });
  expect((await git.run(["push"], { cwd: clone })).code).not.toBe(0);
  expect((await give("shared", "bob")).json.permission).toBe("write");
  await git.ok(["push", "-q"], { cwd: clone });
  const { json, headers } = await api("GET", "/repos/ada/shared/collaborators", ada.token);
  expect([json.length, json[0].user.username, headers["x-total-count"]]).toEqual([1, "bob", "1"]);
  expect((await api("DELETE", "/repos/ada/shared/collaborators/bob", ada.token)).status).toBe(204);
  expect((await api("DELETE", "/repos/ada/shared/collaborators/bob", ada.token)).status).toBe(404);
  expect((await git.run(["fetch"], { cwd: clone })).code).not.toBe(0);
  expect(await shown()).toBeUndefined();
  const actions = await server.container.platform.db.query<{ action: string }>(
    "select action from audit_log where target_id = $1 and action like 'access.%' order by seq",
    [id],
  );
  expect(actions.map(({ action }) => action)).toEqual([
    "access.collaborator_add",
    ...Array.from({ length: 6 }, () => "access.permission_change"),
    "access.collaborator_remove",
  ]);
});

it("is for admins, and for users that there are", async () => {
  await api("POST", "/repos", ada.token, { name: "guarded" });
  await give("guarded", "bob", "maintain");
  expect((await give("guarded", "bob", "admin", bob.token)).status).toBe(403);
  expect((await api("GET", "/repos/ada/guarded/collaborators", bob.token)).status).toBe(403);
  expect((await give("guarded", "nobody", "read")).status).toBe(404);
  expect((await give("guarded", "ada", "read")).json.errors[0].field).toBe("username");
  expect((await give("guarded", "bob", "owner")).json.errors[0].field).toBe("permission");
  await api("POST", "/repos/ada/guarded/archive", ada.token);
  expect((await give("guarded", "bob", "read")).json.error).toBe("repository_archived");
  expect((await api("DELETE", "/repos/ada/guarded/collaborators/bob", ada.token)).status).toBe(204);
});
