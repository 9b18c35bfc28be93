/** What the token of a job opens: its own repository, for reading, while its attempt holds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";
import { insertLeasedAttempt } from "../../support/leased-attempt.ts";

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
