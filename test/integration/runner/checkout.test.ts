/** The checkout of a job with the host's git, from a server that asks for the token. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { buildLease, buildStep } from "../../support/lease-spec.ts";
import { RunnerBed } from "../../support/runner-bed.ts";

const token = "svc_job_0a1b2c3d4e5f60718293";
let bed: RunnerBed;
let root: string;
let shas: string[];
const requests: string[] = [];

function git(...args: string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...identity, ...args], { cwd: join(root, "work"), encoding: "utf8" }).trim();
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-git-"));
  execFileSync("git", ["init", "-q", "-b", "main", join(root, "work")]);
  shas = ["one", "two", "three"].map((text) => {
    execFileSync("sh", ["-c", `echo "$1" > file; ln -sf file link`, "sh", text], { cwd: join(root, "work") });
    git("add", ".");
    git("commit", "-q", "-m", text);
    return git("rev-parse", "HEAD");
  });
  execFileSync("git", ["clone", "-q", "--bare", join(root, "work"), join(root, "demo.git")]);
  execFileSync("git", ["clone", "-q", "--bare", join(root, "work"), join(root, "lib.git")]);
  execFileSync("git", ["-C", join(root, "demo.git"), "config", "uploadpack.allowAnySHA1InWant", "true"]);
  execFileSync("git", ["-C", join(root, "demo.git"), "config", "uploadpack.allowFilter", "true"]);
  bed = await RunnerBed.open();
  bed.server.git = { root, token, requests };
  bed.startRunner();
  await eventually(() => bed.server.messages("hello").length > 0);
});
afterAll(async () => {
  await bed.close();
  await rm(root, { recursive: true, force: true });
});

interface Run {
  sha: string;
  script: string;
  depth?: number;
  filter?: "none" | "blob:none";
  secret?: string;
  submodules?: "direct" | "recursive";
}

/** One more commit, with a submodule; the branch stays where it is. Its id. */
function withSubmodule(url: string): string {
  git("checkout", "-q", "--detach", "main");
  git("config", "--file", ".gitmodules", "submodule.lib.path", "lib");
  git("config", "--file", ".gitmodules", "submodule.lib.url", url);
  git("update-index", "--add", "--cacheinfo", `160000,${shas[0] ?? ""},lib`);
  git("add", ".gitmodules");
  git("commit", "-q", "-m", "submodule");
  const sha = git("rev-parse", "HEAD");
  git("push", "-q", join(root, "demo.git"), `HEAD:refs/heads/with-${sha}`);
  git("rm", "-q", "--cached", "lib");
  git("checkout", "-q", "--force", "main");
  return sha;
}

async function run(attemptId: string, wanted: Run) {
  const { sha, script, depth = 1, filter = "none", secret = token, submodules } = wanted;
  const where = { url: `${bed.server.url.replace("wss", "https").replace(/\/api.*/, "")}/demo.git`, sha };
  const job = { clone: { depth, filter, tags: false, lfs: false, ...(submodules && { submodules }) } };
  const clone = { ...where, ref: "refs/heads/main" };
  bed.server.offer(buildLease({ attemptId, token: secret, clone, job, steps: [buildStep(0, script)] }));
  const result = await eventually(() => bed.server.results.get(attemptId));
  return {
    result,
    log: bed.server.log(`${attemptId}.step0`).toString(),
    setup: bed.server.log(`${attemptId}.setup`).toString(),
  };
}

describe("the checkout", () => {
  it("is exactly the commit that runs, also when the branch has moved on", async () => {
    const sha = shas[1] ?? "";
    const { result, log, setup } = await run("att_old", {
      sha,
      script: "cat file link; git rev-parse HEAD; git log --oneline | wc -l",
    });
    expect(result).toMatchObject({ status: "success" });
    expect(log.split(/\s+/).filter(Boolean)).toEqual(["two", "two", sha, "1"]);
    expect(setup).toContain(`Checked out ${sha}`);
  });

  it("takes one request in the usual case, in which the steps' own git finds a shallow clone", async () => {
    requests.length = 0;
    const script = "git fsck && git status --porcelain && cat .git/shallow";
    const { log } = await run("att_one", { sha: shas[2] ?? "", depth: 2, script });
    expect(requests).toEqual(["POST /demo.git/git-upload-pack"]);
    expect(log.trim()).toBe(shas[1]);
  });

  it("goes as deep as asked, and can leave blobs to be fetched when needed", async () => {
    const sha = shas[2] ?? "";
    expect((await run("att_deep", { sha, depth: 0, script: "git log --oneline | wc -l" })).log.trim()).toBe(
      "3",
    );
    expect((await run("att_part", { sha, depth: 2, filter: "blob:none", script: "cat file" })).log).toBe(
      "three\n",
    );
  });

  it("leaves the token in no file", async () => {
    const script =
      'grep -r "$CI_JOB_TOKEN" . ; grep -rE "(Authorization|extraheader)" -i .git/config; echo looked; cat .git/config';
    const { log } = await run("att_tok", { sha: shas[2] ?? "", script: `set +e\n${script}` });
    expect(log.startsWith("looked\n")).toBe(true);
    expect(log).toContain("/demo.git");
    const state = await readFile(join(bed.home, "state.json"), "utf8");
    expect(state).not.toContain(token);
    await eventually(async () => (await readdir(join(bed.home, "checkouts"))).length === 0);
  });

  it("has the submodules that the file asks for, and names one that cannot be fetched", async () => {
    const sha = withSubmodule("../lib.git");
    const { result, log } = await run("att_sub", { sha, submodules: "direct", script: "cat file lib/file" });
    expect([result.status, log]).toEqual(["success", "three\none\n"]);
    const without = await run("att_nosub", { sha, script: "ls -A lib; echo end" });
    expect(without.log).toBe("end\n");
    const bad = withSubmodule("git@localhost:lib.git");
    const failed = await run("att_badsub", { sha: bad, submodules: "recursive", script: "true" });
    expect(failed.result).toMatchObject({
      status: "error",
      reason: "clone",
      message: expect.stringContaining(
        'Cloning failed: submodule "lib": its address "git@localhost:lib.git"',
      ),
    });
  });

  it("fails with git's words for a commit that is not there, and for a token that is not taken", async () => {
    const absent = await run("att_abs", { sha: "1".repeat(40), script: "true" });
    expect(absent.result).toMatchObject({ status: "error", reason: "clone" });
    expect(absent.result.message).toContain("not our ref");
    const refused = await run("att_ref", {
      sha: shas[0] ?? "",
      script: "true",
      secret: "svc_job_wrong_wrong_wrong",
    });
    expect(refused.result).toMatchObject({ status: "error", reason: "clone" });
    expect(refused.result.steps[0]).toMatchObject({ status: "skipped", reason: "clone" });
  });
});
