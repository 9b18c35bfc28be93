/** What the token of a job opens: its own repository, as far as its permissions and its people go, while its attempt holds. */
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";
import { insertLeasedAttempt, type LeasedAttempt } from "../../support/leased-attempt.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let tree: string;
let head: string;
let own: string;

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  tree = await git.workTree();
  head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
  const ids: string[] = [];
  for (const name of ["own", "other"]) {
    const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
    ids.push(json.id);
    await git.ok(["push", "-q", address(name, ada.token), "main"], { cwd: tree });
  }
  own = ids[0]!;
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const address = (name: string, secret: string) => addressWithToken(server.webUrl, `ada/${name}`, secret);

describe.each(["a user", "a schedule"])("the token of a job that %s started", (starter) => {
  const token = `svc_job_${(starter === "a user" ? "k" : "s").repeat(43)}`;
  let attemptId: string;
  beforeAll(async () => {
    const userId = starter === "a user" ? ada.id : null;
    const leased = { repositoryId: own, userId, token, sha: head };
    attemptId = await insertLeasedAttempt(server.container.platform.db, leased);
  });

  it("fetches its commit", async () => {
    await git.ok(["init", "-q", `${git.home}/job`]);
    await git.ok(["-C", `${git.home}/job`, "fetch", "-q", "--depth=1", address("own", token), head]);
    expect(await git.ok(["-C", `${git.home}/job`, "rev-parse", "FETCH_HEAD"])).toBe(head);
  });

  it("does not see another repository of the same user", async () => {
    const answer = await git.run(["ls-remote", address("other", token)]);
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain("not found");
  });

  it("does not push", async () => {
    expect(
      (await git.run(["push", address("own", token), "main:refs/heads/x"], { cwd: tree })).code,
    ).not.toBe(0);
    expect(await git.ok(["ls-remote", address("own", ada.token), "refs/heads/x"])).toBe("");
  });

  it("ends with its attempt", async () => {
    await server.container.platform.db.query("update job_attempts set state = 'ended' where id = $1", [
      attemptId,
    ]);
    expect((await git.run(["ls-remote", address("own", token)])).code).not.toBe(0);
  });
});

describe("the token of a job with repo:write", () => {
  let bert: TestPerson;
  let rita: TestPerson;
  let team: string;
  let places = 0;
  const to = (secret: string) => addressWithToken(server.webUrl, team, secret);
  const push = (token: string, ref: string) => git.run(["push", to(token), `HEAD:${ref}`], { cwd: tree });
  const asAda = (method: string, path: string, body?: object) =>
    server.api(method, `/repos/${team}${path}`, { token: ada.token, ...(body ? { body } : {}) });
  const collaborate = (person: TestPerson, permission: string) =>
    asAda("PUT", `/collaborators/${person.username}`, { permission });

  /** The token of a job in a run of bert's. */
  async function lease(more: Partial<LeasedAttempt> = {}): Promise<string> {
    places += 1;
    const token = `svc_job_${String(places).padStart(43, "w")}`;
    const { db } = server.container.platform;
    const { id } = (await asAda("GET", "")).json;
    const leased = { repositoryId: id, userId: bert.id, token, permissions: ["repo:write"] as const };
    await insertLeasedAttempt(db, { ...leased, number: 2000 + places, ...more });
    return token;
  }

  beforeAll(async () => {
    [bert, rita] = [await server.person("bert"), await server.person("rita")];
    team = "ada/team";
    await server.api("POST", "/repos", { token: ada.token, body: { name: "team", private: true } });
    await git.run(["checkout", "-q", "-b", "job"], { cwd: tree });
    await writeFile(`${tree}/.forgeline.yml`, "image: alpine\nsteps: ['true']\n");
    await git.ok(["add", "."], { cwd: tree });
    await git.ok(["commit", "-qm", "pipeline"], { cwd: tree });
    await git.ok(["push", "-q", to(ada.token), "HEAD:refs/heads/main"], { cwd: tree });
    await collaborate(bert, "write");
    await collaborate(rita, "read");
  });

  it("pushes branches and tags, and starts no pipeline with that", async () => {
    const token = await lease();
    const branch = await push(token, "refs/heads/from-job");
    expect(branch.stderr).toContain("No pipelines start, because a job pushed this.");
    expect(branch.code).toBe(0);
    expect((await push(token, "refs/tags/v1")).code).toBe(0);
    const created = await server.api("POST", `/repos/${team}/branches`, {
      token,
      body: { name: "by-rest", ref: "main" },
    });
    expect(created.status).toBe(201);
    // That of ada's own push; the numbers of runs with leases are high.
    const runs = (await asAda("GET", "/pipelines?per_page=100")).json as { number: number }[];
    expect(runs.map(({ number }) => number).filter((number) => number < 1000)).toEqual([1]);
  });

  it("is nobody in the lists of a protection, and never more than Write", async () => {
    const token = await lease({ userId: ada.id });
    const protect = (body: object) => asAda("POST", "/branch-protections", body);
    await protect({ pattern: "named", push_level: "none", push_users: ["ada", "bert"] });
    await protect({ pattern: "high", push_level: "maintain" });
    for (const ref of ["refs/heads/named", "refs/heads/high"]) {
      const refused = await push(token, ref);
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain("rule");
      expect((await push(ada.token, ref)).code).toBe(0);
    }
  });

  it("does not administer", async () => {
    const token = await lease({ userId: ada.id, permissions: ["repo:write", "pipeline:write"] });
    const asJob = (method: string, path: string, body?: object) =>
      server.api(method, `/repos/${team}${path}`, { token, ...(body ? { body } : {}) });
    const refused = { json: { error: "forbidden", message: "The token of a job cannot do this." } };
    expect(await asJob("PUT", "/secrets/A", { value: "long enough" })).toMatchObject(refused);
    expect(await asJob("POST", "/forks", { name: "mine" })).toMatchObject(refused);
    expect((await asJob("DELETE", "")).status).toBe(403);
  });

  it("loses the right to write with whoever started the run, or ran it again", async () => {
    const mine = await lease();
    const rerun = await lease({ rerunBy: rita.id });
    const sentence = "Whoever started this run, or ran it again, may not write to the repository now.";
    const read = (token: string) => server.api("GET", `/repos/${team}`, { token });
    const write = (token: string) =>
      server.api("POST", `/repos/${team}/branches`, { token, body: { name: "late", ref: "main" } });
    expect((await write(rerun)).json.message).toContain(sentence);
    expect((await read(rerun)).status).toBe(200);
    await collaborate(bert, "read");
    expect((await push(mine, "refs/heads/late")).code).not.toBe(0);
    expect((await write(mine)).json.message).toContain(sentence);
    await collaborate(bert, "write");
    expect((await push(mine, "refs/heads/in-time")).code).toBe(0);
  });

  it("with no permissions at all fetches, and reads nothing else", async () => {
    const token = await lease({ permissions: [] });
    expect((await git.run(["ls-remote", to(token)])).code).toBe(0);
    expect((await server.api("GET", `/repos/${team}`, { token })).json).toMatchObject({
      error: "insufficient_scope",
      message: "The token lacks the scope repo:read. `permissions` of the job can list it.",
    });
    expect((await push(token, "refs/heads/none")).code).not.toBe(0);
  });
});

it("reads its repository for an administrator who has no role there, and nothing else", async () => {
  const { db } = server.container.platform;
  const root = await server.person("root");
  await db.query("update users set is_admin = true where id = $1", [root.id]);
  const token = `svc_job_${"r".repeat(43)}`;
  await insertLeasedAttempt(db, { repositoryId: own, userId: root.id, token, sha: head, number: 3000 });
  expect(await git.ok(["ls-remote", address("own", token), "refs/heads/main"])).toContain(head);
  expect((await git.run(["ls-remote", address("other", token)])).code).not.toBe(0);
});
