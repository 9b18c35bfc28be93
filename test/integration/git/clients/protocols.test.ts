/** What users of `git` do all day, in each version of the protocol, over HTTPS and SSH. */
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { createSshClient, type SshClient } from "../../../support/ssh-client.ts";
import { telling } from "../../../support/size.ts";
import { addressWithToken, type GitClient } from "../git-client.ts";

let server: ApiServer;
let client: SshClient;
let git: GitClient;
let ada: TestPerson;
let sshEnv: Record<string, string>;
let tree: string;
let head: string;
let made = 0;

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  client = await createSshClient(server);
  git = client.git;
  ada = await server.person("ada");
  sshEnv = client.env(await client.keyOf(ada));
  await server.api("POST", "/repos", { token: ada.token, body: { name: "history" } });
  tree = await git.workTree({ "a.txt": "0", "b.txt": "b" });
  for (let n = 1; n < 6; n++) await git.commit(tree, { "a.txt": String(n) });
  await git.ok(["branch", "side", "HEAD~2"], { cwd: tree });
  await git.ok(["tag", "-a", "-m", "one", "v1", "HEAD~3"], { cwd: tree });
  head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
  await git.ok(["push", "-q", https("history"), "main", "side", "v1"], { cwd: tree });
});
afterAll(async () => {
  await client?.remove();
  await server?.stop();
});

const https = (name: string) => addressWithToken(server.webUrl, `ada/${name}`, ada.token);
const transports = [
  { transport: "HTTPS", versions: telling([0, 2], [1]), address: https, env: () => ({}) },
  {
    transport: "SSH",
    // `ssh/clone-and-push.test.ts` has the same, but for what is deepened and mirrored.
    versions: telling([], [2]),
    address: (name: string) => client.address(`ada/${name}`),
    env: () => sshEnv,
  },
] as const;
const cases = transports.flatMap(({ versions, ...transport }) =>
  versions.map((version) => ({ ...transport, version })),
);

describe.each(cases)("over $transport in version $version", ({ transport, address, env, version }) => {
  const run = (args: string[], cwd = git.home) =>
    git.run(["-c", `protocol.version=${version}`, ...args], { cwd, env: env() });
  const ok = (args: string[], cwd = git.home) =>
    git.ok(["-c", `protocol.version=${version}`, ...args], { cwd, env: env() });
  const into = () => `${git.home}/clone-${made++}`;

  it("shallow clones begin, deepen by number, by date and by ref, and become whole", async () => {
    const to = into();
    await ok(["clone", "-q", "--depth=1", "--no-single-branch", address("history"), to]);
    const count = () => ok(["rev-list", "--count", "origin/main"], to);
    expect(await count()).toBe("1");
    await ok(["fetch", "-q", "--deepen=1"], to);
    expect(await count()).toBe("2");
    await ok(["fetch", "-q", "--shallow-exclude=v1"], to);
    expect(await count()).toBe("3");
    await ok(["fetch", "-q", "--shallow-since=2001-01-01"], to);
    await ok(["fetch", "-q", "--unshallow"], to).catch(() => undefined);
    expect([await count(), await ok(["rev-parse", "--is-shallow-repository"], to)]).toEqual(["6", "false"]);
    await ok(["fsck", "--strict"], to);
  });

  it("single-branch, partial and sparse clones fetch what they need when they need it", async () => {
    const single = into();
    await ok(["clone", "-q", "--single-branch", "-b", "side", "--no-tags", address("history"), single]);
    expect(
      await ok(["for-each-ref", "--format=%(refname)", "refs/remotes", "refs/tags"], single),
    ).not.toMatch(/main|v1/);
    for (const filter of ["blob:none", "tree:0", "blob:limit=0"]) {
      const to = into();
      await ok(["clone", "-q", "--no-checkout", `--filter=${filter}`, address("history"), to]);
      const missing = await ok(["rev-list", "--objects", "--all", "--missing=print"], to);
      expect([filter, missing.includes("?")]).toEqual([filter, true]);
      expect(await ok(["show", "HEAD~4:a.txt"], to)).toBe("1");
      await ok(["checkout", "-q", "main"], to);
      await ok(["fetch", "-q"], to);
    }
    const sparse = into();
    await ok(["clone", "-q", "--sparse", "--filter=blob:none", address("history"), sparse]);
    await ok(["sparse-checkout", "set", "--no-cone", "/b.txt"], sparse);
    expect(await ok(["ls-files", "-t"], sparse)).toBe("S a.txt\nH b.txt");
  });

  it("pushes with options, all or nothing, with and against a lease, and deletes", async () => {
    const name = `push-${made++}`;
    await server.api("POST", "/repos", { token: ada.token, body: { name } });
    const url = address(name);
    await ok(["push", "-q", "--atomic", "-o", "note=x", url, "main", "side", "v1"], tree);
    const torn = await run(["push", "--atomic", url, "main:fresh", "main~3:refs/heads/main"], tree);
    expect([torn.code === 0, (await ok(["ls-remote", url])).includes("fresh")]).toEqual([false, false]);
    const lease = (expected: string) => `--force-with-lease=side:${expected}`;
    const stale = await run(["push", lease(head), url, "main~1:side"], tree);
    expect(stale.stderr).toContain("stale info");
    await ok(["push", "-q", lease(await ok(["rev-parse", "side"], tree)), url, "main~1:side"], tree);
    await ok(["push", "-q", url, ":side", ":refs/tags/v1"], tree);
    expect(await ok(["ls-remote", url])).toBe(`${head}\tHEAD\n${head}\trefs/heads/main`);
  });

  it("mirrors: everything there, and gone what is gone here", async () => {
    const name = `mirror-${made++}`;
    await server.api("POST", "/repos", { token: ada.token, body: { name } });
    const bare = into();
    await ok(["clone", "-q", "--mirror", address("history"), bare]);
    await ok(["push", "-q", "--mirror", address(name)], bare);
    expect(await ok(["ls-remote", address(name)])).toBe(await ok(["ls-remote", address("history")]));
    await ok(["update-ref", "-d", "refs/heads/side"], bare);
    await ok(["push", "-q", "--mirror", address(name)], bare);
    expect(await ok(["ls-remote", address(name)])).not.toContain("side");
  });

  it("fetches with much history of its own, whose question is packed", async () => {
    const to = into();
    await ok(["init", "-q", to]);
    const stream = Array.from({ length: 400 }, (_, n) =>
      [
        "commit refs/heads/local",
        `mark :${n + 1}`,
        "committer A <a@example.org> 1700000000 +0000",
        "data 1",
        "x",
        "",
      ].join("\n"),
    );
    execFileSync("git", ["fast-import", "--quiet"], { cwd: to, input: stream.join("\n") });
    const traced = { cwd: to, env: { ...env(), GIT_TRACE_CURL: "1" } };
    const args = ["-c", `protocol.version=${version}`, "fetch", "-q", address("history"), "main"];
    const { code, stderr } = await git.run(args, traced);
    expect([code, /content-encoding: gzip/i.test(stderr)]).toEqual([0, transport === "HTTPS"]);
    expect(await ok(["rev-parse", "FETCH_HEAD"], to)).toBe(head);
    await rm(to, { recursive: true, force: true });
  });
});

describe("what git shows of a refusal over HTTPS", () => {
  const clone = (url: string) => git.run(["clone", "-q", url, `${git.home}/refused`]);

  it("says that a token is missing, wrong, or lacks a scope, and that there is no such repository", async () => {
    const wrong = `svc_pat_${"x".repeat(51)}`;
    const narrow = await server.tokenFor(ada, ["pipeline:read"]);
    const of = (name: string, token?: string) => addressWithToken(server.webUrl, name, token);
    expect((await clone(of("ada/history"))).stderr).toMatch(/could not read Username|Authentication failed/);
    expect((await clone(of("ada/history", wrong))).stderr).toContain("remote: ");
    expect((await clone(of("ada/history", narrow))).stderr).toMatch(/remote: .*scope/);
    const absent = await clone(of("ada/absent", ada.token));
    expect(absent.stderr).toContain("remote: Not found.");
    expect(absent.stderr).toContain("not found");
  });

  it("says that only the smart protocol is spoken", async () => {
    const answer = await server.api("GET", "//ada/history.git/info/refs", { token: ada.token });
    expect([answer.status, answer.text]).toEqual([
      403,
      "This server supports only the smart HTTP protocol.\n",
    ]);
    const dumb = await git.run(["clone", "-q", https("history"), `${git.home}/dumb`], {
      env: { GIT_SMART_HTTP: "0" },
    });
    expect([dumb.code === 0, dumb.stderr]).toEqual([false, dumb.stderr]);
    expect(dumb.stderr).toContain("remote: This server supports only the smart HTTP protocol.");
  });
});
