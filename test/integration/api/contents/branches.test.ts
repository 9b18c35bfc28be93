/** Creating and deleting branches and tags over REST, as a push would. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGitFixture, type GitFixture } from "./fixture.ts";

let fixture: GitFixture;
let first: string;
let second: string;

beforeAll(async () => {
  fixture = await startGitFixture();
  const { git, client, tree } = fixture;
  const pipeline =
    'on:\n  push:\n    branches: ["*", "*/*"]\n  tag: {}\njobs:\n  t:\n    image: alpine\n    steps: [{ run: echo }]\n';
  first = await client.commit(tree, { ".forgeline.yml": pipeline });
  second = await client.commit(tree, {});
  await git("push", "-q", "origin", "main");
});
afterAll(() => fixture?.stop());

const post = (path: string, body: unknown, token = fixture.ada.token) =>
  fixture.server.api("POST", `/repos/ada/code/${path}`, { token, body });
const remove = (path: string, token = fixture.ada.token) =>
  fixture.server.api("DELETE", `/repos/ada/code/${path}`, { token });
const refs = () =>
  fixture.client.ok(["for-each-ref", "--format=%(refname) %(objectname)"], { cwd: fixture.bare });

describe("branches", () => {
  it("begin at a branch, a tag or a commit", async () => {
    const made = await post("branches", { name: "feature/a" });
    expect(made.status).toBe(201);
    expect(made.headers["location"]).toBe(`${fixture.server.baseUrl}/repos/ada/code/branches/feature%2Fa`);
    expect(made.json).toMatchObject({ name: "feature/a", default: false, commit: { sha: second } });
    expect((await fixture.get("/branches/feature/a")).json).toEqual(made.json);
    expect((await post("branches", { name: "old", ref: first })).json.commit.sha).toBe(first);
    expect((await post("branches", { name: "again", ref: "feature/a" })).status).toBe(201);
    expect((await post("branches", { name: "x", ref: "nope" })).json.errors[0].field).toBe("ref");
    expect((await post("branches", { name: "x", ref: "main~1" })).json.errors[0].field).toBe("ref");
    expect((await post("branches", { name: "x", ref: "f".repeat(40) })).json.errors[0].field).toBe("ref");
  });

  it("start pipelines", async () => {
    await post("branches", { name: "built" });
    const runs = (await fixture.get("/pipelines")).json as { ref: string; sha: string }[];
    expect(runs.find((run) => run.ref === "refs/heads/built")).toMatchObject({ sha: second });
  });

  it("keep their names apart", async () => {
    const before = await refs();
    for (const name of ["feature/a", "feature", "feature/a/b", "main"])
      expect([name, (await post("branches", { name })).status]).toEqual([name, 409]);
    for (const name of [
      "--exec=x",
      "-x",
      "a..b",
      "a b",
      "HEAD",
      "refs/heads/x",
      "x.lock",
      "a/.b",
      first,
      "a\nb",
      "",
      "x".repeat(250),
    ]) {
      const answer = await post("branches", { name });
      expect([name, answer.status, answer.json.errors?.[0].field]).toEqual([name, 422, "name"]);
    }
    expect(await refs()).toBe(before);
  });

  it("are made once when many ask, and only that push is recorded", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post("branches", { name: "wanted" })));
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
    await fixture.server.container.hosting.pushes.settleOpen();
    const rows = await fixture.server.container.platform.db.query<{ state: string }>(
      "select state from pushes where updates @> $1 order by state",
      [JSON.stringify([{ ref: "refs/heads/wanted" }])],
    );
    expect(rows.map((row) => row.state)).toEqual(["recorded", "refused", "refused"]);
  });

  it("are deleted, but not the default one", async () => {
    expect((await remove("branches/feature%2Fa")).status).toBe(204);
    expect((await fixture.get("/branches/feature/a")).status).toBe(404);
    expect((await remove("branches/feature/a")).status).toBe(404);
    const refused = await remove("branches/main");
    expect([refused.status, refused.json.error]).toEqual([409, "conflict"]);
    expect((await fixture.get("/branches/main")).status).toBe(200);
    expect((await remove("branches/--exec=x")).status).toBe(404);
  });
});

describe("tags", () => {
  it("are lightweight, or annotated by the caller", async () => {
    const light = await post("tags", { name: "v1", ref: first });
    expect([light.status, light.json.sha, light.json.message]).toEqual([201, first, null]);
    const annotated = await post("tags", { name: "rel/v2", message: "Second" });
    expect(annotated.json).toMatchObject({
      name: "rel/v2",
      message: "Second\n",
      commit: { sha: second },
      tagger: { name: "ada", username: "ada" },
    });
    expect(annotated.headers["location"]).toContain("/tags/rel%2Fv2");
    expect((await fixture.get("/tags/rel/v2")).json).toEqual(annotated.json);
    await fixture.client.ok(["fsck", "--strict"], { cwd: fixture.bare });
    const runs = (await fixture.get("/pipelines")).json as { ref: string; source: string }[];
    expect(runs.find((run) => run.ref === "refs/tags/rel/v2")).toMatchObject({ source: "tag" });
  });

  it("refuse used and bad names", async () => {
    expect((await post("tags", { name: "v1" })).status).toBe(409);
    for (const name of ["-v", "v..1", "v 1"])
      expect([name, (await post("tags", { name })).json.errors[0].field]).toEqual([name, "name"]);
    expect((await post("tags", { name: "v9", message: " " })).json.errors[0].field).toBe("message");
  });

  it("are deleted", async () => {
    expect((await remove("tags/rel/v2")).status).toBe(204);
    expect((await remove("tags/rel/v2")).status).toBe(404);
  });
});

it("all need write access and an active repository", async () => {
  const before = await refs();
  const eve = await fixture.server.person("eve");
  const reader = await fixture.server.tokenFor(fixture.ada, ["repo:read"]);
  for (const path of ["branches", "tags"]) {
    expect((await post(path, { name: "eve" }, eve.token)).status).toBe(404);
    expect((await post(path, { name: "eve" }, reader)).json.required_scopes).toEqual(["repo:write"]);
  }
  expect((await remove("branches/old", eve.token)).status).toBe(404);
  const { db } = fixture.server.container.platform;
  await db.query("update repositories set archived = true where id = $1", [fixture.repositoryId]);
  for (const answer of [
    await post("branches", { name: "late" }),
    await post("tags", { name: "late" }),
    await remove("branches/old"),
    await remove("tags/v1"),
  ])
    expect(answer.json.error).toBe("repository_archived");
  expect(await refs()).toBe(before);
});
