/** Deploy keys: a key names one actor of the instance, and reaches one repository. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { needs } from "../../../support/programs/needs.ts";

let server: ApiServer;
let directory: string;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  directory = mkdtempSync(join(tmpdir(), "forgeline-keys-"));
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server?.stop();
});

let made = 0;
function newKey(comment: string): { file: string; line: string } {
  needs("ssh-keygen");
  const file = join(directory, `key-${++made}`);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", file]);
  return { file, line: readFileSync(`${file}.pub`, "utf8") };
}

const api = (method: string, path: string, token: string, body?: unknown) =>
  server.api(method, path, { token, body });
const keys = (repo: string) => `/repos/ada/${repo}/deploy-keys`;
const add = (repo: string, body: unknown, token = ada.token) => api("POST", keys(repo), token, body);

it("adds, shows and removes keys, and records it for the repository", async () => {
  const { id } = (await api("POST", "/repos", ada.token, { name: "site" })).json;
  const { file, line } = newKey("deploy@host");
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  const added = await add("site", { key: line });
  expect(added).toMatchObject({
    status: 201,
    json: {
      title: "deploy@host",
      permission: "read",
      kind: "ssh-ed25519",
      fingerprint: shown.split(" ")[1],
      added_by: "ada",
      last_used_at: null,
    },
  });
  expect(added.headers.location).toBe(added.json.url);
  const one = `${keys("site")}/${added.json.id}`;
  expect((await api("GET", one, ada.token)).json).toEqual(added.json);
  const second = await add("site", { key: newKey("").line, title: "Builder", permission: "write" });
  expect(second.json).toMatchObject({ title: "Builder", permission: "write" });
  const list = await api("GET", keys("site"), ada.token);
  expect([list.headers["x-total-count"], list.json.map((key: { title: string }) => key.title)]).toEqual([
    "2",
    ["Builder", "deploy@host"],
  ]);
  expect((await api("DELETE", one, ada.token)).status).toBe(204);
  for (const method of ["GET", "DELETE"]) expect((await api(method, one, ada.token)).status).toBe(404);
  const entry = { key_id: added.json.id, title: "deploy@host", fingerprint: added.json.fingerprint };
  const recorded = await server.container.platform.db.query(
    "select action, target_name, details from audit_log where target_id = $1 and details->>'key_id' = $2 order by seq",
    [id, added.json.id],
  );
  expect(recorded).toEqual(
    ["access.deploy_key_add", "access.deploy_key_remove"].map((action) => ({
      action,
      target_name: "ada/site",
      details: { ...entry, permission: "read" },
    })),
  );
});

it("a key is one user's or one repository's, whoever has it first", async () => {
  for (const name of ["one", "two"]) await api("POST", "/repos", ada.token, { name });
  const [ofUser, ofRepository] = [newKey("user").line, newKey("repository").line];
  await api("POST", "/user/keys", bob.token, { key: ofUser });
  expect((await add("one", { key: ofUser })).json.error).toBe("conflict");
  expect((await add("one", { key: ofRepository })).status).toBe(201);
  const again = [
    await add("one", { key: ofRepository }),
    await add("two", { key: ofRepository, permission: "write" }),
    await api("POST", "/user/keys", ada.token, { key: ofRepository }),
  ];
  expect(again.map(({ json }) => json.error)).toEqual(["conflict", "conflict", "conflict"]);
  const line = newKey("race").line;
  const race = await Promise.all([add("one", { key: line }), add("two", { key: line })]);
  expect(race.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
  expect((await api("GET", "/user/keys", ada.token)).json).toEqual([]);
});

it("is for admins of the repository, each for the keys of this one", async () => {
  for (const name of ["guarded", "other"]) await api("POST", "/repos", ada.token, { name });
  const { id } = (await add("guarded", { key: newKey("guarded").line })).json;
  await api("PUT", "/repos/ada/guarded/collaborators/bob", ada.token, { permission: "maintain" });
  expect((await add("guarded", { key: newKey("bob").line }, bob.token)).status).toBe(403);
  expect((await api("GET", keys("guarded"), bob.token)).status).toBe(403);
  expect((await api("GET", keys("other"), bob.token)).status).toBe(404);
  const narrow = await server.tokenFor(ada, ["repo:write"]);
  expect((await add("guarded", { key: newKey("narrow").line }, narrow)).json.required_scopes).toEqual([
    "repo:admin",
  ]);
  for (const method of ["GET", "DELETE"])
    expect((await api(method, `${keys("other")}/${id}`, ada.token)).status).toBe(404);
  const ofAda = (await api("POST", "/user/keys", ada.token, { key: newKey("own").line })).json.id;
  expect((await api("DELETE", `${keys("guarded")}/${ofAda}`, ada.token)).status).toBe(404);
  expect((await api("DELETE", `/user/keys/${id}`, ada.token)).status).toBe(404);
});

it("an archived repository takes no new key, but loses any", async () => {
  await api("POST", "/repos", ada.token, { name: "old" });
  const { id } = (await add("old", { key: newKey("old").line })).json;
  await api("POST", "/repos/ada/old/archive", ada.token);
  expect((await add("old", { key: newKey("late").line })).json.error).toBe("repository_archived");
  expect((await api("GET", keys("old"), ada.token)).json).toHaveLength(1);
  expect((await api("DELETE", `${keys("old")}/${id}`, ada.token)).status).toBe(204);
});

it("goes with its repository when that is gone for good, and outlives the rights of who added it", async () => {
  const cy = await server.person("cy");
  await api("POST", "/repos", ada.token, { name: "gone" });
  await api("PUT", "/repos/ada/gone/collaborators/cy", ada.token, { permission: "admin" });
  const { line } = newKey("gone");
  const { id } = (await add("gone", { key: line }, cy.token)).json;
  await api("DELETE", "/repos/ada/gone/collaborators/cy", ada.token);
  expect((await api("GET", `${keys("gone")}/${id}`, ada.token)).json.added_by).toBe("cy");
  await api("DELETE", "/repos/ada/gone", ada.token);
  await api("POST", "/repos", ada.token, { name: "next" });
  expect((await add("next", { key: line })).status).toBe(409);
  await server.container.platform.db.query(
    "update repositories set deleted_at = now() - interval '8 days' where name = 'gone'",
  );
  await server.container.hosting.repositoryDeletion.sweep();
  expect((await add("next", { key: line })).status).toBe(201);
});

it("says what is wrong with a key, a title or a permission, and takes a hundred", async () => {
  await api("POST", "/repos", ada.token, { name: "many" });
  const secret = readFileSync(newKey("x").file, "utf8");
  const wrong: [unknown, string][] = [
    [{ key: secret }, "key"],
    [{ key: "ssh-dss AAAA" }, "key"],
    [{ key: "" }, "key"],
    [{ key: newKey("x").line, title: "a\u202eb" }, "title"],
    [{ key: newKey("x").line, permission: "admin" }, "permission"],
  ];
  for (const [body, field] of wrong) {
    const answer = await add("many", body);
    expect([answer.status, answer.json.errors[0].field]).toEqual([422, field]);
    expect(answer.text).not.toContain(secret.split("\n")[1]);
  }
  await server.container.platform.db.query(
    `insert into ssh_keys (id, repository_id, permission, title, kind, public_key, fingerprint)
     select 'key_' || n, r.id, 'read', 'bulk', 'ssh-ed25519', 'x', 'bulk ' || n
     from repositories r, generate_series(1, 99) n where r.name = 'many'`,
  );
  expect((await add("many", { key: newKey("hundred").line })).status).toBe(201);
  expect((await add("many", { key: newKey("one more").line })).json).toMatchObject({
    error: "conflict",
    message: expect.stringContaining("100") as string,
  });
});
