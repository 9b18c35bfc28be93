/** Two Git implementations that are not `git`: what their users do all day, and what they are told when they may not. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { installedDulwich } from "../../../support/dulwich.ts";
import { createSshClient } from "../../../support/ssh-client.ts";
import { addressWithToken, createGitClient, type GitAnswer, type GitClient } from "../git-client.ts";

// `npm test` installs it before the tests, and says why where it cannot.
const python = await installedDulwich(loadLauncherConfig().cache);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const clients = [
  { name: "isomorphic-git", words: [process.execPath, here("isomorphic-client.ts")] },
  { name: "dulwich", words: [python ?? "", here("dulwich-client.py")] },
];

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  git = await createGitClient(server.caFile);
  [ada, bob] = await Promise.all([server.person("ada"), server.person("bob")]);
  // dulwich has it from Git's own settings.
  await writeFile(join(git.home, ".gitconfig"), `[http]\n\tsslCAInfo = ${server.caFile}\n`);
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

describe.each(clients)("$name", ({ name, words }) => {
  const run = (more: Record<string, string>, ...args: string[]) =>
    new Promise<GitAnswer>((resolve) => {
      if (words[0] === "")
        throw new Error(`${name} is not installed: npm test does it where PyPI can be reached`);
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: git.home,
        NODE_EXTRA_CA_CERTS: server.caFile,
        ...more,
      };
      const [program = "", ...first] = words;
      const child = execFile(
        program,
        [...first, ...args],
        { env, timeout: 50_000 },
        (error, stdout, stderr) =>
          resolve({ code: error ? (child.exitCode ?? 1) : 0, stdout: stdout.trim(), stderr }),
      );
    });
  async function ok(more: Record<string, string>, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(more, ...args);
    if (code !== 0) throw new Error(`${name} ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  it("clones, fetches and pushes, and hears why a push is refused", async () => {
    const repo = `for-${name}`;
    const visibility = "public";
    await server.api("POST", "/repos", { token: ada.token, body: { name: repo, visibility } });
    const url = addressWithToken(server.webUrl, `ada/${repo}`, ada.token);
    const tree = await git.workTree({ "a.txt": "one", "b.txt": "two".repeat(1_000) });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });

    const clone = join(git.home, `${name}-clone`);
    await ok({}, "clone", url, clone);
    expect(await git.ok(["-C", clone, "rev-parse", "HEAD"])).toBe(
      await git.ok(["rev-parse", "HEAD"], { cwd: tree }),
    );
    expect(await git.ok(["-C", clone, "status", "--porcelain"])).toBe("");

    const mine = await ok({}, "commit", clone, "c.txt", "three");
    await ok({}, "push", clone, "refs/heads/main:refs/heads/main");
    await ok({}, "push", clone, "refs/heads/main:refs/heads/side/branch");
    const refs = await git.ok(["ls-remote", url]);
    expect(refs).toContain(`${mine}\trefs/heads/main`);
    expect(refs).toContain(`${mine}\trefs/heads/side/branch`);

    await git.ok(["pull", "-q", url, "main"], { cwd: tree });
    const theirs = await git.commit(tree, { "d.txt": "four" });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect(await ok({}, "fetch", clone)).toBe(theirs);
    await git.ok(["-C", clone, "fsck", "--strict"]);

    // For its name, by our rules; and for its history, which is the client's own to see.
    const refused = await run({}, "push", clone, "refs/heads/main:refs/heads/HEAD");
    expect([refused.code === 0, refused.stderr]).toEqual([false, refused.stderr]);
    expect(refused.stderr).toMatch(/pre-receive hook declined/);
    await git.ok([
      "-C",
      clone,
      "config",
      "remote.origin.url",
      addressWithToken(server.webUrl, `ada/${repo}`, bob.token),
    ]);
    const foreign = await run({}, "push", clone, "refs/heads/main:refs/heads/foreign");
    expect([foreign.code === 0, foreign.stderr]).toEqual([false, foreign.stderr]);
    expect(foreign.stderr).toMatch(/403|not allowed/);
    expect(await git.ok(["ls-remote", url])).not.toMatch(/foreign|heads\/HEAD/);
  });

  async function overSsh(): Promise<void> {
    const ssh = await createSshClient(server);
    try {
      const env = ssh.env(await ssh.keyOf(ada));
      await server.api("POST", "/repos", { token: ada.token, body: { name: "over-ssh", readme: true } });
      const clone = join(git.home, "over-ssh");
      await ok(env, "clone", ssh.address("ada/over-ssh"), clone);
      const mine = await ok(env, "commit", clone, "c.txt", "three");
      await ok(env, "push", clone, "refs/heads/main:refs/heads/main");
      await git.ok(["-C", clone, "fsck", "--strict"]);
      const url = addressWithToken(server.webUrl, "ada/over-ssh", ada.token);
      expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toContain(mine);
      expect(await ok(env, "fetch", clone)).toBe(mine);
      const refused = await run(env, "push", clone, "refs/heads/main:refs/heads/HEAD");
      expect([refused.code === 0, refused.stderr]).toEqual([
        false,
        expect.stringContaining("pre-receive hook declined"),
      ]);
    } finally {
      await ssh.remove();
    }
  }

  // isomorphic-git speaks HTTPS alone.
  const alsoOver = name === "dulwich" ? ["SSH"] : [];
  it.each(alsoOver)("clones, fetches and pushes over %s", overSsh);

  it("clones what is public without a token, and nothing else", async () => {
    const repo = `for-${name}`;
    const anonymous = addressWithToken(server.webUrl, `ada/${repo}`);
    await ok({}, "clone", anonymous, join(git.home, `${name}-anonymous`));
    await server.api("PATCH", `/repos/ada/${repo}`, { token: ada.token, body: { visibility: "private" } });
    const { code, stderr } = await run({}, "clone", anonymous, join(git.home, `${name}-refused`));
    expect([code === 0, /401|Unauthorized/i.test(stderr), stderr]).toEqual([false, true, stderr]);
  });
});
