import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { openBrowser, signUp } from "../../../support/browser.ts";
import { needs } from "../../../support/programs/needs.ts";

let server: ApiServer;
let directory: string;
beforeAll(async () => {
  server = await startApiServer();
  directory = mkdtempSync(join(tmpdir(), "forgeline-keys-"));
});
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server.stop();
});

let made = 0;
function newKey(comment: string): { file: string; line: string } {
  needs("ssh-keygen");
  const file = join(directory, `key-${++made}`);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", file]);
  return { file, line: readFileSync(`${file}.pub`, "utf8") };
}

const add = (token: string, body: unknown) => server.api("POST", "/user/keys", { token, body });

test("adds, shows and removes a key; both are recorded with the fingerprint that ssh-keygen shows", async () => {
  const ada = await server.person("ada");
  const { file, line } = newKey("ada@laptop");
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  const added = await add(ada.token, { key: line });
  expect(added).toMatchObject({
    status: 201,
    json: { title: "ada@laptop", kind: "ssh-ed25519", last_used_at: null, fingerprint: shown.split(" ")[1] },
  });
  expect(added.headers.location).toBe(added.json.url);
  const path = `/user/keys/${added.json.id}`;
  expect((await server.api("GET", path, { token: ada.token })).json).toEqual(added.json);
  await add(ada.token, { key: newKey("").line, title: "Desk" });
  const list = await server.api("GET", "/user/keys", { token: ada.token });
  expect(list.json.map((key: { title: string }) => key.title)).toEqual(["Desk", "ada@laptop"]);
  const eve = await server.person("eve");
  for (const method of ["GET", "DELETE"])
    expect((await server.api(method, path, { token: eve.token })).status).toBe(404);
  expect((await server.api("DELETE", path, { token: ada.token })).status).toBe(204);
  expect((await server.api("DELETE", path, { token: ada.token })).status).toBe(404);
  const recorded = await server.container.platform.db.query(
    "select action, actor_username, details->>'fingerprint' as fingerprint from audit_log where target_id = $1 order by seq",
    [added.json.id],
  );
  const { fingerprint } = added.json;
  expect(recorded).toEqual([
    { action: "auth.ssh_key_add", actor_username: "ada", fingerprint },
    { action: "auth.ssh_key_remove", actor_username: "ada", fingerprint },
  ]);
});

test("a key is one person's: whoever has it first", async () => {
  const [bob, cy] = [await server.person("bob"), await server.person("cy")];
  const { line } = newKey("bob");
  expect((await add(bob.token, { key: line })).status).toBe(201);
  for (const { token } of [bob, cy])
    expect(await add(token, { key: `${line.trim()} again` })).toMatchObject({
      status: 409,
      json: { error: "conflict" },
    });
  const both = newKey("race").line;
  const race = await Promise.all([add(bob.token, { key: both }), add(cy.token, { key: both })]);
  expect(race.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 409]);
});

test("says what is wrong with a key, and does not repeat a private one", async () => {
  const dan = await server.person("dan");
  const secret = readFileSync(newKey("dan").file, "utf8");
  const answer = await add(dan.token, { key: secret });
  expect(answer.json.errors).toEqual([
    expect.objectContaining({ field: "key", message: expect.stringContaining("private key") as string }),
  ]);
  expect(answer.text).not.toContain(secret.split("\n")[1]);
  expect((await add(dan.token, { key: newKey("x").line, title: "a\u202eb" })).json.errors[0].field).toBe(
    "title",
  );
  const hidden = newKey("me\u202e\u0007 too").line;
  expect((await add(dan.token, { key: hidden })).json.title).toBe("me too");
});

test("needs a signed-in browser, or a token with every scope", async () => {
  const narrow = await server.person("narrow", { scopes: ["user:read", "user:write", "repo:admin"] });
  expect(await add(narrow.token, { key: newKey("n").line })).toMatchObject({
    status: 403,
    json: { error: "insufficient_scope" },
  });
  await signUp(server, "zoe", "a long enough password");
  const browser = openBrowser(server);
  await browser.signIn("zoe", "a long enough password");
  expect((await browser.send("POST", "/user/keys", { key: newKey("z").line })).status).toBe(201);
});
