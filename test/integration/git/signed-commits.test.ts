/** Signatures of commits: what is shown of them, a rule that asks for them, and those of the instance itself. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { insertLeasedAttempt } from "../../support/leased-attempt.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../support/ssh-client.ts";
import { addressWithToken } from "./git-client.ts";

let server: ApiServer;
let client: SshClient;
let [ada, bob]: TestPerson[] = [];
let own: SshKeyFile;
let made = 0;
const email = "ada@example.org";

beforeAll(async () => {
  server = await startApiServer();
  client = await createSshClient(server);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  own = await client.keyOf(ada);
  await address("eml_ada", ada, email, true);
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.api(method, path, { token: ada?.token ?? "", body, headers });
const query = (text: string, values: unknown[]) => server.container.platform.db.query(text, values);
const address = (id: string, person: TestPerson | undefined, mail: string, verified: boolean) =>
  query(
    "insert into user_emails (id, user_id, email, verified_at) values ($1, $2, $3, case when $4 then now() end)",
    [id, person?.id, mail, verified],
  );

/** A repository with one commit of nobody's signature. */
async function repository() {
  const name = `ada/signed-${made++}`;
  await api("POST", "/repos", { name: name.slice(4) });
  const tree = await client.git.workTree();
  const https = addressWithToken(server.webUrl, name, ada?.token);
  await client.git.ok(["push", "-q", https, "main"], { cwd: tree });
  const push = (...refs: string[]) => client.git.run(["push", https, ...refs], { cwd: tree });
  return { at: `/repos/${name}`, tree, push };
}

/** One more commit, signed where there is a key. */
async function commit(tree: string, key?: SshKeyFile, committer = email): Promise<string> {
  await writeFile(join(tree, `file-${made++}`), "text\n");
  await client.git.ok(["add", "-A"], { cwd: tree });
  const signing = key ? ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key.file}`] : [];
  await client.git.ok([...signing, "commit", "-q", ...(key ? ["-S"] : []), "-m", "more"], {
    cwd: tree,
    env: { GIT_COMMITTER_EMAIL: committer },
  });
  return client.git.ok(["rev-parse", "HEAD"], { cwd: tree });
}

const verification = async (at: string, sha: string) =>
  (await api("GET", `${at}/commits/${sha}`)).json.verification;

it("are verified by the key and the verified address of one person, as both are now", async () => {
  const { at, tree, push } = await repository();
  await address("eml_late", bob, "late@example.org", false);
  const bobs = await client.keyOf(bob!, "rsa", 2048);
  const later = await client.makeKey("ecdsa", 384);
  const wanted: [string, object][] = [
    [
      await commit(tree, own),
      { verified: true, reason: "valid", signer: { username: "ada" }, made_here: false },
    ],
    [await commit(tree, own, "ADA@users.noreply.invalid"), { verified: true, reason: "valid" }],
    // The key of one account never makes a commit look like another's.
    [await commit(tree, bobs), { verified: false, reason: "bad_email", signer: null }],
    [
      await commit(tree, bobs, "late@example.org"),
      { verified: false, reason: "unverified_email", signer: null },
    ],
    [await commit(tree, later), { verified: false, reason: "unknown_key", signer: null }],
    [await commit(tree), { verified: false, reason: "unsigned", key_fingerprint: null }],
  ];
  expect(await push("main")).toMatchObject({ code: 0 });
  for (const [sha, expected] of wanted) expect(await verification(at, sha)).toMatchObject(expected);
  const listed = (await api("GET", `${at}/commits?per_page=6`)).json;
  expect(listed.map((each: { verification: { reason: string } }) => each.verification.reason)).toEqual(
    wanted.map(([, expected]) => (expected as { reason: string }).reason).toReversed(),
  );

  const [sha] = wanted[4]!;
  const seen = await api("GET", `${at}/commits/${sha}`);
  const conditional = { "if-none-match": String(seen.headers["etag"]) };
  expect((await api("GET", `${at}/commits/${sha}`, undefined, conditional)).status).toBe(304);
  const { json: key } = await api("POST", "/user/keys", { key: later.line });
  const known = await api("GET", `${at}/commits/${sha}`, undefined, conditional);
  expect([known.status, known.json.verified]).toEqual([200, true]);
  expect(known.json.verification.key_fingerprint).toBe(key.fingerprint);
  await api("DELETE", `/user/keys/${key.id}`);
  expect(await verification(at, sha)).toMatchObject({ verified: false, reason: "unknown_key" });
  await query("update users set suspended = true where id = $1", [bob?.id]);
  expect(await verification(at, wanted[2]![0])).toMatchObject({ reason: "unknown_key" });
  await query("update users set suspended = false where id = $1", [bob?.id]);
});

it("are asked for by a rule, of every commit that is new to the branch", async () => {
  const { at, tree, push } = await repository();
  await api("POST", `${at}/branch-protections`, { pattern: "main", require_signed_commits: true });
  const rules = (await api("GET", `${at}/branch-protections`)).json;
  expect(rules).toMatchObject([{ pattern: "main", require_signed_commits: true }]);
  await commit(tree, own);
  expect(await push("main")).toMatchObject({ code: 0 });
  const unsigned = await commit(tree);
  await commit(tree, own);
  const refused = await push("main", "main:free");
  expect(refused.stderr).toContain(
    `rule "main" requires signed commits: ${unsigned.slice(0, 12)} is not signed; sign them with a key of your account, and push again`,
  );
  // Nothing that came to a branch without the rule comes in by another name.
  await api("POST", `${at}/branch-protections`, { pattern: "release/*", require_signed_commits: true });
  expect((await push("main:release/1")).stderr).toContain("is not signed");
  const branch = { name: "release/2", ref: (await api("GET", `${at}/branches/free`)).json.commit.sha };
  expect((await api("POST", `${at}/branches`, branch)).status).toBe(403);
  await client.git.ok(["reset", "-q", "--hard", `${unsigned}^`], { cwd: tree });
  expect(await push("main:release/3")).toMatchObject({ code: 0 });
});

it("of the instance are on what it makes, and not on what it is told to say", async () => {
  const { at, tree, push } = await repository();
  await api("POST", `${at}/branch-protections`, { pattern: "main", require_signed_commits: true });
  const put = (name: string, more: object = {}) =>
    api("PUT", `${at}/contents/${name}`, { message: "write", content: "dGV4dAo=", ...more });
  const written = await put("by-hand");
  expect(written.json.commit.verification).toMatchObject({ verified: true, made_here: true, signer: null });
  const forged = await put("forged", { author: { name: "Bob", email: "bob@example.org" } });
  expect([forged.status, forged.json.message]).toEqual([403, expect.stringContaining("is not signed")]);

  const propose = async (source: string, key?: SshKeyFile) => {
    await commit(tree, key);
    await push(`HEAD:${source}`);
    const { json } = await api("POST", `${at}/merge-requests`, {
      title: source,
      source_branch: source,
      target_branch: "main",
    });
    return `${at}/merge-requests/${json.number}`;
  };
  const merge = (path: string, strategy: string) => api("PUT", `${path}/merge`, { strategy });
  const signed = await propose("signed", own);
  expect((await merge(signed, "rebase")).json.message).toContain(
    "do not let merge requests be merged rebased",
  );
  const { json: merged } = await merge(signed, "merge");
  expect(merged.state).toBe("merged");
  expect(await verification(at, merged.merge_sha)).toMatchObject({ verified: true, made_here: true });
  const unsigned = await propose("unsigned");
  const [{ id: rule }] = (await api("GET", `${at}/branch-protections`)).json;
  const { head_sha: sha } = (await api("GET", unsigned)).json;
  const standing = async () => [
    (await api("GET", unsigned)).json.blocked_by,
    (await api("GET", `${unsigned}/approvals`)).json.strategies,
  ];
  expect((await api("GET", `${unsigned}/approvals`)).json.unsigned_commits).toEqual([
    { sha, reason: "unsigned" },
  ]);
  expect(await standing()).toEqual([[], ["squash"]]);
  const refused = await merge(unsigned, "merge");
  const told = `signed commits: ${sha.slice(0, 12)} is not signed; sign them with a key of your account, or squash.`;
  expect([refused.status, refused.json.blocked_by]).toEqual([409, [expect.stringContaining(told)]]);
  await api("PATCH", `${at}/branch-protections/${rule}`, { merge_strategies: ["merge"] });
  expect(await standing()).toEqual([
    [expect.stringContaining("is not signed; sign them with a key of your account, and push")],
    ["merge"],
  ]);
  expect((await merge(unsigned, "merge")).json.message).toContain("is not signed; sign them");
  await api("PATCH", `${at}/branch-protections/${rule}`, { merge_strategies: ["merge", "squash"] });
  const { json: squashed } = await merge(unsigned, "squash");
  expect(await verification(at, squashed.merge_sha)).toMatchObject({ verified: true, made_here: true });
});

it("of the instance are not on what a job writes with its token", async () => {
  const { at } = await repository();
  const token = `svc_job_${"s".repeat(43)}`;
  const { id: repositoryId } = (await api("GET", at)).json;
  await insertLeasedAttempt(server.container.platform.db, {
    repositoryId,
    userId: ada!.id,
    token,
    permissions: ["repo:write"],
    number: 1,
  });
  const body = { message: "write", content: "dGV4dAo=" };
  const { status, json } = await server.api("PUT", `${at}/contents/by-job`, { token, body });
  expect([status, json.commit?.verification.reason]).toEqual([200, "unsigned"]);
});

it("of the instance name an author only for commits that are all theirs", async () => {
  const { at, push, tree } = await repository();
  await api("PUT", `${at}/collaborators/bob`, { permission: "write" });
  const merged = async (source: string, committer?: string) => {
    await client.git.ok(["checkout", "-q", "-B", source, "main"], { cwd: tree });
    await push(`HEAD:${source}`);
    const asBob = { token: bob?.token ?? "" };
    const file = { message: "write", content: "dGV4dAo=", branch: source };
    await server.api("PUT", `${at}/contents/${source}`, { ...asBob, body: file });
    if (committer !== undefined)
      await api("PUT", `${at}/contents/${source}-more`, {
        ...file,
        author: { name: "Eve", email: committer },
      });
    const body = { title: source, source_branch: source, target_branch: "main" };
    const { json } = await server.api("POST", `${at}/merge-requests`, { ...asBob, body });
    const { merge_sha: sha } = (
      await api("PUT", `${at}/merge-requests/${json.number}/merge`, { strategy: "squash" })
    ).json;
    const picked = await api("POST", `${at}/merge-requests/${json.number}/cherry-pick`, {
      target: "release",
      create_merge_request: false,
    });
    return Promise.all(
      [sha, picked.json.sha].map(async (each) => (await api("GET", `${at}/commits/${each}`)).json),
    );
  };
  await push("main:release");
  for (const commit of await merged("own"))
    expect([commit.author.username, commit.committer.username, commit.verified]).toEqual([
      "bob",
      "ada",
      true,
    ]);
  for (const commit of await merged("mixed", "eve@example.org")) {
    expect([commit.author.username, commit.committer.username, commit.verified]).toEqual([
      "ada",
      "ada",
      true,
    ]);
    expect(commit.message).toContain("Co-authored-by: bob <bob@users.noreply.invalid>\n");
  }
});
