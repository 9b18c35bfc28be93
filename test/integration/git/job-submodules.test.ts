/** `clone.submodules` on the real server: what the token of a job opens besides its own repository. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { checkOut } from "@forgeline/runner/workspace/checkout.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { insertLeasedAttempt } from "../../support/leased-attempt.ts";
import { plainCheckout } from "../../support/plain-checkout.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

const token = `svc_job_${"m".repeat(43)}`;
let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let tree: string;

const push = (name: string, from: string) =>
  git.ok(["push", "-q", addressWithToken(server.webUrl, `ada/${name}`, ada.token), "HEAD:main"], {
    cwd: from,
  });

/** A repository with one file; its commit. */
async function repository(name: string, visibility: "public" | "private"): Promise<string> {
  await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
  const made = await git.workTree({ name: `${name}\n` });
  await push(name, made);
  return git.ok(["rev-parse", "HEAD"], { cwd: made });
}

/** One more commit of the job's repository, with one submodule. */
async function withSubmodule(path: string, sha: string): Promise<string> {
  await git.ok(["update-index", "--add", "--cacheinfo", `160000,${sha},${path}`], { cwd: tree });
  await git.ok(["config", "--file", ".gitmodules", `submodule.${path}.path`, path], { cwd: tree });
  await git.ok(["config", "--file", ".gitmodules", `submodule.${path}.url`, `../${path}.git`], { cwd: tree });
  await git.ok(["add", ".gitmodules"], { cwd: tree });
  await git.ok(["commit", "-q", "-m", path], { cwd: tree });
  await push("job", tree);
  return git.ok(["rev-parse", "HEAD"], { cwd: tree });
}

async function checkOutJob(name: string, sha: string): Promise<string> {
  const directory = join(git.home, name);
  const commits = createCommitFetcher();
  try {
    await checkOut({
      ...plainCheckout(`${server.webUrl}/ada/job.git`),
      token,
      caFile: server.caFile,
      sha,
      clone: { depth: 1, filter: "none", tags: false, lfs: false, submodules: "recursive" },
      egress: { ...openEgress, mode: "required" },
      directory,
      commits,
      onLine: () => undefined,
    });
  } finally {
    commits.close();
  }
  return directory;
}

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "job" } });
  await insertLeasedAttempt(server.container.platform.db, {
    repositoryId: made.json.id,
    userId: ada.id,
    token,
  });
  tree = await git.workTree();
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

it("a public repository of this server, by a relative address; a private one is not found", async () => {
  const first = await withSubmodule("open", await repository("open", "public"));
  const directory = await checkOutJob("first", first);
  expect(await readFile(join(directory, "open", "name"), "utf8")).toBe("open\n");

  const second = await withSubmodule("hidden", await repository("hidden", "private"));
  await expect(checkOutJob("second", second)).rejects.toThrow(
    /^submodule "hidden": [^]*not found[^]*a job can read its own repository and public ones\)$/,
  );
});
