/**
 * A few kilobytes of directories that contain each other: ten thousand million files. Whatever looks at them must stop
 * early, in time and in memory; the client's own Git could not even list them.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startGitFixture, type GitFixture } from "./fixture.ts";

let fixture: GitFixture;
let bomb: string;

beforeAll(async () => {
  fixture = await startGitFixture();
  const { git, client, tree } = fixture;
  const pipeline =
    "on:\n  push:\n    paths: [src/**]\njobs:\n  t:\n    image: alpine\n    steps: [{ run: echo }]\n";
  await client.commit(tree, { ".forgeline.yml": pipeline });
  await git("push", "-q", "origin", "main");
  let level = await git("rev-parse", "HEAD^{tree}");
  for (let depth = 0; depth < 10; depth += 1) {
    await git("read-tree", "--empty");
    const lines = Array.from({ length: 10 }, (_, n) => `040000 tree ${level}\td${n}`).join("\\n");
    level = await shell(`printf '${lines}\\n' | git mktree --missing`);
  }
  bomb = await git("commit-tree", level, "-p", "HEAD", "-m", "Bomb");
  await git("push", "-q", "origin", `${bomb}:refs/heads/main`);
});
afterAll(() => fixture?.stop());

it("is shown in part, and says so", async () => {
  const commit = await fixture.get(`/commits/${bomb}`);
  expect([commit.status, commit.json.files_truncated]).toEqual([200, true]);
  expect(commit.json.files.length).toBeLessThanOrEqual(300);
  const compared = await fixture.get(`/compare/${commit.json.parents[0].sha}...main`);
  expect([compared.status, compared.json.files_truncated]).toEqual([200, true]);
  const changes = await fixture.get(`/changes/${bomb}`);
  expect([changes.status, changes.headers["x-files-truncated"]]).toEqual([200, "true"]);
  expect(changes.json[2].path).toBe("d0/d0/d0/d0/d0/d0/d0/d0/d0/d0/.forgeline.yml");
  expect((await fixture.get("/contents/d0/d1/d2")).json).toHaveLength(10);
});

it("can be written to, since only the way to the file is read", async () => {
  const body = { message: "Into it", content: Buffer.from("x").toString("base64") };
  const answer = await fixture.server.api("PUT", "/repos/ada/code/contents/d0/d1/new.txt", {
    token: fixture.ada.token,
    body,
  });
  expect(answer.status).toBe(200);
  expect((await fixture.get("/raw/main/d0/d1/new.txt")).text).toBe("x");
  expect((await fixture.get(`/commits/${answer.json.commit.sha}`)).json.files).toMatchObject([
    { path: "d0/d1/new.txt", status: "added" },
  ]);
});

it("is not packed", async () => {
  for (const path of ["/tarball/main", "/zipball/main"]) {
    const answer = await fixture.get(path);
    expect([path, answer.status, answer.json.errors[0].field]).toEqual([path, 422, "ref"]);
  }
});

function shell(line: string): Promise<string> {
  return fixture.client.ok(["-c", `alias.make=!${line}`, "make"], { cwd: fixture.tree });
}
