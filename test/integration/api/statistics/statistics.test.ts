/** Statistics of repositories: pushed with the real Git, computed by a worker, read over REST. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workflowBundle } from "@forgeline/workflows/worker/bundle.ts";
import { createPeriodicTasks } from "@forgeline/server/platform/periodic-tasks.ts";
import "../../../support/quiet-temporal.ts";
import { createWorkflowWorker, type WorkflowWorker } from "@forgeline/workflows/worker/create-worker.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { bundleCache } from "../../../support/bundle-cache.ts";
import { createGitClient, type GitClient } from "../../git/git-client.ts";
import { at, computedAnew, pushedRepository, type TestRepository } from "./pushed-repository.ts";

let server: ApiServer;
let starting: ReturnType<typeof createPeriodicTasks>;
let git: GitClient;
let worker: WorkflowWorker;
let running: Promise<void>;
let ada: TestPerson;

beforeAll(async () => {
  const taskQueue = `test-statistics-${process.pid}`;
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: taskQueue } });
  [git, ada] = await Promise.all([createGitClient(server.caFile), server.person("ada")]);
  const { runs } = server.container.pipelines;
  const { maintenance, upkeepSchedules } = server.container.upkeep;
  const { statistics, statisticsStarter } = server.container.hosting;
  starting = createPeriodicTasks(statisticsStarter.periodicTasks, server.container.platform.logger);
  const bundle = await workflowBundle(bundleCache);
  const { address } = server.config.temporal;
  worker = await createWorkflowWorker({
    address,
    taskQueue,
    bundle,
    services: { runs, maintenance, statistics, upkeepSchedules },
  });
  running = worker.run();
  starting.start();
});
afterAll(async () => {
  await starting?.close();
  worker?.shutdown();
  await running;
  await git?.remove();
  await server?.stop();
});

const places = () => ({ server, git, owner: ada });
const repository = (body?: Record<string, unknown>) => pushedRepository(places(), body);
const anew = (one: TestRepository) => computedAnew(places(), one);

describe("after a push", () => {
  it("shows commits by week, contributors with lines, and languages", async () => {
    const one = await repository({ visibility: "public" });
    expect(await one.upTo(null)).toMatchObject({ total_commits: 0, weeks: [{}, {}, {}] });
    await one.commit({ "src/a.ts": "export const a = 1;\n", "README.md": "# Read\n" });
    await one.commit({ "src/a.ts": "export const a = 2;\nexport const b = 3;\n", run: "#!/bin/sh\nls\n" });
    const grace = { GIT_AUTHOR_NAME: "Grace", GIT_AUTHOR_EMAIL: "Grace@Example.org" };
    await one.commit({ "lib.py": "x = 1\n" }, "2026-03-15", grace);
    await one.push();
    const commits = await one.upTo(await one.head());
    expect(commits).toMatchObject({
      total_commits: 3,
      weeks: [
        { week: "2026-02-23", commits: 0, additions: 0, deletions: 0 },
        { week: "2026-03-02", commits: 2, additions: 6, deletions: 1 },
        { week: "2026-03-09", commits: 1, additions: 1, deletions: 0 },
      ],
    });
    expect(await one.get("/stats/contributors?until=2026-03-15&weeks=1")).toEqual([
      {
        name: "Ada",
        username: null,
        email: "ada@example.org",
        commits: 2,
        additions: 6,
        deletions: 1,
        first_week: "2026-03-02",
        last_week: "2026-03-02",
        weeks: [],
      },
      {
        name: "Grace",
        username: null,
        email: "grace@example.org",
        commits: 1,
        additions: 1,
        deletions: 0,
        first_week: "2026-03-09",
        last_week: "2026-03-09",
        weeks: [{ week: "2026-03-09", commits: 1, additions: 1, deletions: 0 }],
      },
    ]);
    expect(await one.get("/stats/languages")).toMatchObject({
      state: "ready",
      total_bytes: 59,
      languages: [
        { language: "TypeScript", color: "#3178c6", bytes: 40, files: 1, percent: 67.8 },
        { language: "Shell", bytes: 13, files: 1, percent: 22 },
        { language: "Python", bytes: 6, files: 1, percent: 10.2 },
      ],
    });
    expect(await one.get("")).toMatchObject({ primary_language: "TypeScript" });
    const everyone = await server.api("GET", `${one.path}/stats/languages`);
    expect(everyone.status).toBe(200);
    const headers = { "If-None-Match": String(everyone.headers["etag"]) };
    expect((await server.api("GET", `${one.path}/stats/languages`, { headers })).status).toBe(304);
  });

  it("counts one person's verified addresses as one, also those of commits over REST", async () => {
    const one = await repository();
    await server.container.platform.db.query(
      `insert into user_emails (id, user_id, email, verified_at) values ('eml_' || repeat('a', 26), $1, 'Ada@Example.org', now())`,
      [ada.id],
    );
    await one.commit({ a: "1\n" });
    await one.push();
    const put = await server.api("PUT", `${one.path}/contents/b.txt`, {
      token: ada.token,
      body: { message: "b", content: Buffer.from("b\nc\n").toString("base64"), branch: "main" },
    });
    expect(put.status).toBeLessThan(300);
    await one.upTo(put.json.commit.sha);
    const people = await one.get("/stats/contributors");
    expect(people).toEqual([
      expect.objectContaining({ username: "ada", email: null, commits: 2, additions: 3 }),
    ]);
    await server.container.platform.db.query("delete from user_emails where user_id = $1", [ada.id]);
    expect((await one.get("/stats/contributors")).length).toBe(2);
  });

  it("follows the default branch, and only that", async () => {
    const one = await repository();
    await one.commit({ "a.c": "int a;\n" });
    await one.push();
    const first = await one.head();
    await one.upTo(first);
    await git.ok(["checkout", "-q", "--orphan", "other"], { cwd: one.tree });
    await one.commit({ "a.c": null, "b.rs": "fn b() {}\n" });
    await git.ok(["push", "-q", one.url, "other"], { cwd: one.tree });
    await one.upTo(first);
    expect((await one.get("")).primary_language).toBe("C");
    const patch = { token: ada.token, body: { default_branch: "other" } };
    expect((await server.api("PATCH", one.path, patch)).status).toBe(200);
    await one.upTo(await one.head());
    expect((await one.get("")).primary_language).toBe("Rust");
    expect((await one.get("/stats/languages")).languages.length).toBe(1);
  });

  it("is computed anew after a force push", async () => {
    const one = await repository({ default_branch: "trunk" });
    await one.commit({ "a.go": "package a\n" });
    await one.commit({ "b.go": "package a\n" });
    await git.ok(["push", "-q", one.url, "HEAD:trunk"], { cwd: one.tree });
    expect(await one.upTo(await one.head())).toMatchObject({ total_commits: 2 });
    await git.ok(["commit", "-q", "--amend", "-m", "y"], { cwd: one.tree, env: at("2026-03-10") });
    await git.ok(["push", "-q", "--force", one.url, "HEAD:trunk"], { cwd: one.tree });
    expect(await one.upTo(await one.head())).toMatchObject({ total_commits: 2 });
    const before = await one.rows();
    expect(await anew(one)).toEqual(before);
  });
});

describe("languages", () => {
  it("leave out what is vendored, generated, documentation, data, binary or a link, unless told otherwise", async () => {
    const one = await repository();
    await one.commit({
      "src/main.h": "#import <Foundation/Foundation.h>\n@interface A\n@end\n",
      "node_modules/x/index.js": "var x;\n",
      "docs/how.js": "var y;\n",
      "api.pb.go": "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n",
      "package.json": "{}\n",
      "blob.c": "int\0a;",
      "min.css": `a{b:c}${"x".repeat(300)}`,
      "empty.rb": "",
    });
    await git.ok(
      ["update-index", "--add", "--cacheinfo", `120000,${await blob(one, "src/main.h")},link.py`],
      {
        cwd: one.tree,
      },
    );
    await git.ok(["commit", "-q", "-m", "link"], { cwd: one.tree });
    await one.push();
    await one.upTo(await one.head());
    const names = async () =>
      (await one.get("/stats/languages")).languages.map((each: { language: string }) => each.language);
    expect(await names()).toEqual(["Objective-C"]);
    await git.ok(["rm", "-q", "--cached", "link.py"], { cwd: one.tree });
    await one.commit({
      ".gitattributes":
        "node_modules/** -linguist-vendored\n*.json linguist-detectable\n*.h linguist-language=C++\napi.pb.go -linguist-generated\n",
      "docs/.gitattributes": "* -linguist-documentation\n",
    });
    await one.push();
    await one.upTo(await one.head());
    expect((await names()).sort()).toEqual(["C++", "Go", "JSON", "JavaScript"]);
    await one.commit({ "docs/.gitattributes": null, "more.js": "var z = 1;\n" });
    await one.push();
    await one.upTo(await one.head());
    const before = await one.rows();
    expect((await names()).sort()).toEqual(["C++", "Go", "JSON", "JavaScript"]);
    expect(await anew(one)).toEqual(before);
  });
});

async function blob({ tree }: TestRepository, path: string): Promise<string> {
  return git.ok(["rev-parse", `HEAD:${path}`], { cwd: tree });
}

describe("what cannot be done", () => {
  it("is told, and tried again after the next push", async () => {
    const one = await repository();
    await one.commit({ a: "1\n" });
    await one.push();
    await one.upTo(await one.head());
    await server.container.hosting.statistics.giveUp(one.id, "no disk at /secret");
    const failed = await server.api("GET", `${one.path}/stats/commits`, { token: ada.token });
    expect(failed.json).toMatchObject({ state: "failed", commit: await one.head() });
    expect(failed.text).not.toContain("secret");
    await one.commit({ b: "1\n" });
    await one.push();
    await one.upTo(await one.head());
  });

  it("waits where nobody computes, and is not lost", async () => {
    const one = await repository();
    await one.upTo(null);
    await starting.close();
    await one.commit({ a: "1\n" });
    await one.push();
    await one.commit({ a: "2\n" });
    await one.push();
    expect(await one.get("/stats/commits")).toMatchObject({ state: "updating", commit: null });
    starting.start();
    expect(await one.upTo(await one.head())).toMatchObject({ total_commits: 2 });
  });

  it("dates and numbers of any size do no harm", async () => {
    const one = await repository();
    const tree = await git.ok(["hash-object", "-t", "tree", "-w", "/dev/null"], {
      cwd: one.tree,
    });
    const text = `tree ${tree}\nauthor Odd <o@x> 99999999999999 +0000\ncommitter Odd <o@x> 99999999999999 +0000\n\nodd\n`;
    await writeFile(join(git.home, "odd"), text);
    const sha = await git.ok(["hash-object", "-t", "commit", "-w", "--literally", join(git.home, "odd")], {
      cwd: one.tree,
    });
    await git.ok(["push", "-q", one.url, `${sha}:refs/heads/main`], { cwd: one.tree });
    await one.upTo(sha);
    expect(await one.get("/stats/contributors")).toMatchObject([{ name: "Odd", last_week: "9999-11-29" }]);
  });

  it("refuses windows that make no sense", async () => {
    const { path } = await repository();
    for (const query of ["weeks=0", "weeks=521", "until=yesterday", "other=1"])
      expect((await server.api("GET", `${path}/stats/commits?${query}`, { token: ada.token })).status).toBe(
        400,
      );
    const early = await server.api("GET", `${path}/stats/commits?until=0001-01-01`, { token: ada.token });
    expect(early.status).toBe(200);
  });
});
