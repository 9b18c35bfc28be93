/** OpenPGP keys of people, and the commits that they verify. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  openPgpCommit,
  openPgpFingerprint as fingerprint,
  openPgpKey,
  openPgpKeyRevoked,
  parentCommit,
} from "../../../support/openpgp-key.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let [ada, eve]: TestPerson[] = [];

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, eve] = [await server.person("ada"), await server.person("eve")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const as = (person: TestPerson | undefined, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person?.token ?? "", body });

it("are added, shown and removed, and refused where they are none", async () => {
  const added = await as(ada, "POST", "/user/gpg-keys", { key: openPgpKey });
  expect(added.json).toMatchObject({
    fingerprint,
    emails: ["ada@example.org"],
    expires_at: null,
    revoked: false,
  });
  expect(added.json.key_ids).toEqual(["49a5eb4ea863144c", "98e1f0ffc7339300"]);
  expect((await as(ada, "GET", `/user/gpg-keys/${added.json.id}`)).json).toEqual(added.json);
  expect((await as(ada, "GET", "/user/gpg-keys")).json).toEqual([added.json]);
  expect((await as(ada, "POST", "/user/gpg-keys", { key: openPgpKey })).status).toBe(409);
  expect((await as(eve, "GET", `/user/gpg-keys/${added.json.id}`)).status).toBe(404);
  expect((await as(eve, "DELETE", `/user/gpg-keys/${added.json.id}`)).status).toBe(404);
  const secret = openPgpKey.replaceAll("PUBLIC", "PRIVATE");
  for (const [key, said] of [
    [secret, "This is a private key"],
    ["ssh-ed25519 AAAA", "not an OpenPGP public key"],
    [openPgpKey.replace("mDMEaw", "mDMEbw"), "no valid user id"],
    [openPgpKey.slice(0, 400), "not an OpenPGP public key"],
    [`${openPgpKey}${openPgpKey}`, "Send one key at a time"],
  ] as const) {
    const { status, json } = await as(ada, "POST", "/user/gpg-keys", { key });
    expect([status, json.errors?.[0]?.message]).toEqual([422, expect.stringContaining(said)]);
  }
  expect((await as(ada, "POST", "/user/gpg-keys", { key: "x".repeat(65_537) })).status).toBe(422);
  expect((await as(ada, "DELETE", `/user/gpg-keys/${added.json.id}`)).status).toBe(204);
});

it("verify commits of their owner's verified addresses, whoever else has registered them", async () => {
  await as(ada, "POST", "/repos", { name: "code" });
  const tree = await git.workTree();
  await git.ok(["mktree"], { cwd: tree });
  let sha = "";
  for (const bytes of [parentCommit, openPgpCommit]) {
    await writeFile(join(tree, "commit"), bytes);
    sha = await git.ok(["hash-object", "-t", "commit", "-w", "commit"], { cwd: tree });
  }
  await git.ok(
    ["push", "-q", addressWithToken(server.webUrl, "ada/code", ada?.token), `${sha}:refs/heads/main`],
    {
      cwd: tree,
    },
  );
  const shown = async () => (await as(ada, "GET", `/repos/ada/code/commits/${sha}`)).json.verification;
  expect(await shown()).toMatchObject({ verified: false, reason: "unknown_key" });
  const { id } = (await as(ada, "POST", "/user/gpg-keys", { key: openPgpKey })).json;
  expect(await shown()).toMatchObject({ reason: "bad_email", signer: null, key_fingerprint: fingerprint });
  const { db } = server.container.platform;
  await db.query(
    "insert into user_emails (id, user_id, email, verified_at) values ('eml_1', $1, 'Ada@example.org', now())",
    [ada?.id],
  );
  // Somebody else's copy neither helps nor hinders.
  await as(eve, "POST", "/user/gpg-keys", { key: openPgpKeyRevoked });
  expect(await shown()).toMatchObject({ verified: true, reason: "valid", signer: { username: "ada" } });
  await as(ada, "DELETE", `/user/gpg-keys/${id}`);
  expect((await as(ada, "POST", "/user/gpg-keys", { key: openPgpKeyRevoked })).status).toBe(201);
  expect(await shown()).toMatchObject({ verified: false, reason: "revoked_key", signer: null });
});
