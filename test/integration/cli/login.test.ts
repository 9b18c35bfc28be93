/** `forgeline login|repo|token|trust|runner`: what needs no run. */
import { execFileSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine, type CommandLine } from "../../support/command-line.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import { runnerId } from "../../support/instance-run.ts";
import { needs } from "../../support/programs/needs.ts";

let instance: TestInstance;
let cli: CommandLine;
let connected: Record<string, string>;

beforeAll(async () => {
  instance = await startTestInstance({ worker: false });
  cli = await commandLine({});
  connected = {
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: instance.certificates.caFile,
  };
});
afterAll(async () => {
  await cli.remove();
  await instance.stop();
});

const asAdmin = (...args: string[]) => cli.call(args, connected);

describe("login", () => {
  const to = () => ["login", "--url", instance.url, "--ca-file", instance.certificates.caFile];

  it("keeps a token that works, for this user alone, and later commands use it", async () => {
    const { code, stdout } = await cli.run(to(), { input: `${instance.adminToken}\n` });
    const file = join(cli.home, ".config", "forgeline", "login.json");
    expect(stdout).toBe(`signed in to ${instance.url} as admin; kept in ${file}\n`);
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const env = { GIT_SSL_CAINFO: "/etc/ssl/company.pem" };
    const warned = await cli.run(to(), { env, input: `${instance.adminToken}\n` });
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain("git reads GIT_SSL_CAINFO (/etc/ssl/company.pem) alone: ");
    const { stdout: runners } = await cli.run(["runner", "list"]);
    expect(runners).toMatch(/^rnr_\w+\trunner-0\tonline\t0\/4\t/);
  });

  it("does not show the token that is typed at its prompt, and ends at Ctrl-C", async () => {
    const typed = { after: "Access token (not shown): ", text: `${instance.adminToken}\r` };
    const { code, stdout } = await cli.run(to(), { terminal: true, typed });
    expect(stdout).toContain(`signed in to ${instance.url} as admin`);
    expect(stdout).not.toContain(instance.adminToken.slice(0, 12));
    expect(code).toBe(0);
    const none = await cli.run(to(), { terminal: true, typed: { ...typed, text: "svc_\u0003" } });
    expect(none.stdout).toContain("no token was given");
    expect(none.stdout).not.toContain("svc_");
    expect(none.code).toBe(2);
  });

  it("keeps nothing when the token is wrong", async () => {
    const before = await readFile(join(cli.home, ".config", "forgeline", "login.json"), "utf8");
    const { code, stderr } = await cli.run(to(), { input: "svc_pat_wrong" });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(code).toBe(1);
    expect(await readFile(join(cli.home, ".config", "forgeline", "login.json"), "utf8")).toBe(before);
  });

  it("sends no token to another address than its own", async () => {
    const { stderr, code } = await cli.run([
      "repo",
      "list",
      "--url",
      instance.url.replace("localhost", "127.0.0.1"),
    ]);
    expect(code).toBe(1);
    expect(stderr).not.toContain(instance.adminToken);
  });
});

it("creates a repository and lists it", async () => {
  const created = await asAdmin("repo", "create", "fresh", "--description", "a new one");
  expect(created.stdout).toContain(`git remote add origin ${instance.url}/admin/fresh.git`);
  expect((await asAdmin("repo", "list")).stdout).toBe("admin/fresh\tprivate\ta new one\n");
  const begun = await asAdmin(
    "repo",
    "create",
    "begun",
    "--license",
    "MIT",
    "--gitignore",
    "Node",
    "--readme",
  );
  expect(begun.stdout).toContain(`git clone ${instance.url}/admin/begun.git`);
  const unknown = await asAdmin("repo", "create", "nope", "--license", "Nope");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("GET /licenses")]);
  const again = await asAdmin("repo", "create", "fresh");
  expect(again.code).toBe(1);
});

it("archives, deletes and restores a repository", async () => {
  await asAdmin("repo", "create", "phases");
  expect((await asAdmin("repo", "archive", "admin/phases")).stdout).toBe("archived admin/phases\n");
  expect((await asAdmin("repo", "unarchive", "admin/phases")).stdout).toBe("unarchived admin/phases\n");
  expect((await asAdmin("repo", "delete", "admin/phases")).stdout).toMatch(/^deleted admin\/phases\n/);
  expect((await asAdmin("repo", "archive", "admin/phases")).code).not.toBe(0);
  expect((await asAdmin("repo", "restore", "admin/phases")).stdout).toBe("restored admin/phases\n");
  expect((await asAdmin("repo", "delete", "admin/phases")).code).toBe(0);
  const refused = await asAdmin("repo", "create", "x", "--owner", "nobody", "--internal");
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining("owner")]);
});

it("adds, lists and removes a deploy key", async () => {
  await asAdmin("repo", "create", "deployed");
  needs("ssh-keygen");
  const file = join(cli.home, "deploy");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "deploy@host", "-f", file]);
  const at = (step: string, ...rest: string[]) =>
    asAdmin("repo", "deploy-key", step, "admin/deployed", ...rest);
  const added = await at("add", `${file}.pub`, "--write");
  expect(added.stdout).toMatch(/^added key_\w+ \(write\): deploy@host SHA256:\S+\n$/);
  const id = added.stdout.split(" ")[1] ?? "";
  expect((await at("list")).stdout).toMatch(new RegExp(`^${id}\tdeploy@host\twrite\tSHA256:\\S+\n$`));
  expect(await at("add", `${file}.pub`)).toMatchObject({
    code: 1,
    stderr: "error: The key is already in use.\n",
  });
  expect(await at("add", "absent.pub")).toMatchObject({ code: 2, stderr: "error: cannot read absent.pub\n" });
  expect((await at("remove", id)).stdout).toBe(`removed ${id}\n`);
  expect((await at("list")).stdout.trim()).toBe("");
});

it("makes, changes, lists and deletes rules for branches and tags", async () => {
  await asAdmin("repo", "create", "ruled", "--readme");
  const at = (step: string, ...rest: string[]) => asAdmin("repo", "protection", step, "admin/ruled", ...rest);
  const made = await at(
    "set",
    "main",
    "--level",
    "none",
    "--users",
    "admin",
    "--approvals",
    "1",
    "--pipeline",
  );
  expect(made.stdout).toMatch(/^made the rule for main \(prot_\w+\)\n$/);
  expect((await at("set", "v*", "--tag")).stdout).toMatch(/^made the rule for v\* /);
  expect((await at("list")).stdout).toBe(
    "branch\tmain\tnone,admin\t1 approval, pipeline\ntag\tv*\tmaintain\tfixed\n",
  );
  const changed = await at("set", "main", "--users", "", "--no-pipeline", "--force-push", "--level", "admin");
  expect(changed.stdout).toMatch(/^changed the rule for main /);
  expect((await at("list")).stdout).toContain("branch\tmain\tadmin\t1 approval, force push allowed\n");
  expect(await at("set", "v*", "--tag", "--pipeline")).toMatchObject({ code: 2 });
  expect(await at("set", "main", "--level", "owner")).toMatchObject({ code: 2 });
  expect(await at("delete", "v*")).toMatchObject({
    code: 2,
    stderr: "error: admin/ruled has no rule for v*\n",
  });
  expect((await at("delete", "v*", "--tag")).stdout).toBe("no rule for v* any more\n");
  expect((await at("list", "--json")).stdout).toContain('"tags": []');
});

it("creates tokens for some repositories, from some addresses, for some days", async () => {
  for (const name of ["first", "second"]) await asAdmin("repo", "create", name);
  const limits = ["--repo", "admin/first", "-R", "admin/second", "--from", "10.0.0.0/8", "192.0.2.1"];
  const args = ["token", "create", "narrow", "--scopes", "repo:read", "--expires", "7", ...limits];
  const { stdout } = await asAdmin(...args, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    repositories: ["admin/first", "admin/second"],
    address_ranges: ["10.0.0.0/8", "192.0.2.1"],
    expires_at: expect.any(String),
  });
  const wrong = await asAdmin("token", "create", "x", "--scopes", "repo:read", "--expires", "soon");
  expect([wrong.code, wrong.stderr]).toEqual([2, 'error: "soon" is neither a number of days nor never\n']);
});

it("creates, lists and revokes tokens", async () => {
  const { stdout } = await asAdmin("token", "create", "ci", "--scopes", "repo:read,pipeline:read", "--json");
  const { id, token } = JSON.parse(stdout) as { id: string; token: string };
  const who = await cli.run(["repo", "list"], { env: { ...connected, FORGELINE_TOKEN: token } });
  expect(who.code).toBe(0);
  expect((await asAdmin("token", "list")).stdout).toContain(
    `${id}\tci\trepo:read,pipeline:read\tall\teverywhere\t`,
  );
  expect((await asAdmin("token", "list")).stdout).not.toContain(token);
  expect((await asAdmin("token", "revoke", id)).stdout).toBe(`revoked ${id}\n`);
  const revoked = await cli.run(["repo", "list"], { env: { ...connected, FORGELINE_TOKEN: token } });
  expect(revoked.code).toBe(1);
});

it("shows one runner with what a job may take on it", async () => {
  const { stdout } = await asAdmin("runner", "view", "runner-0");
  expect(stdout).toMatch(/^id\trnr_\w+\nname\trunner-0\nstatus\tonline\n/);
  expect(stdout).toMatch(/\nmemory of a job\t[\d.]+ [GM]iB\ncores of a job\t[\d.]+\ndisk of a job\t/);
});

it("drains a runner by its name and lets it take jobs again", async () => {
  expect((await asAdmin("runner", "drain", "runner-0")).stdout).toMatch(/^runner-0 is drain/);
  expect((await asAdmin("runner", "resume", "runner-0")).stdout).toBe("runner-0 is online\n");
});

it("removes a runner by its name for good, whose program then ends and says why", async () => {
  const { program } = await instance.addRunner("old");
  expect(await asAdmin("runner", "remove", "old")).toMatchObject({ code: 0, stdout: "removed old\n" });
  expect(await program.exited()).toBe(1);
  expect(await readFile(program.logFile, "utf8")).toContain("was revoked");
  expect((await asAdmin("runner", "list")).stdout).not.toContain("\told\t");
  const again = await asAdmin("runner", "remove", "old");
  expect(again).toMatchObject({
    code: 2,
    stderr: 'error: there is no runner "old"; see forgeline runner list\n',
  });
});

it("asks for the id where several runners have the name", async () => {
  const [one, other] = [await instance.addRunner("twin"), await instance.addRunner("twin-2")];
  const ids = await Promise.all([one, other].map(runnerId));
  await instance.api("PATCH", `/runners/${ids[1]}`, { name: "twin" });
  const unclear = await asAdmin("runner", "drain", "twin");
  expect(unclear.code).toBe(2);
  for (const id of ids) expect(unclear.stderr).toContain(id);
  expect((await asAdmin("runner", "drain", ids[0] ?? "")).code).toBe(0);
});

it("prints a line that installs a runner, with a token of one use and the authority's checksum", async () => {
  const { stdout } = await asAdmin("runner", "add");
  expect(stdout).toMatch(
    new RegExp(
      `curl -fsSk ${instance.url}/downloads/install-runner.sh \\| .*sh -s -- [0-9a-f]{64} svc_reg_[\\w-]+`,
    ),
  );
});

it("tells Git to trust this address alone", async () => {
  const { stdout, code } = await cli.run(["trust", "--only", "git"], { env: connected });
  expect(stdout).toMatch(/^git +trusts it now$/m);
  const other = { ...connected, GIT_SSL_CAINFO: "/etc/ssl/company.pem" };
  expect((await cli.run(["trust", "--only", "git"], { env: other })).stdout).toMatch(
    /^git +reads GIT_SSL_CAINFO \(\/etc\/ssl\/company\.pem\) alone: /m,
  );
  expect(code).toBe(0);
  const configured = execFileSync("git", [
    "config",
    "--file",
    join(cli.home, ".gitconfig"),
    "--list",
  ]).toString();
  expect(configured.toLowerCase()).toBe(
    `http.${instance.url}/.sslcainfo=${instance.certificates.caFile}\n`.toLowerCase(),
  );
});

it("suspends and lets in again, and shows and proves the audit log of an organization", async () => {
  await instance.api("POST", "/orgs", { name: "acme" });
  expect((await asAdmin("admin", "users", "admin")).stdout).toMatch(/^admin\t\S*\tuser\tenterprise\tadmin$/m);
  const own = await asAdmin("admin", "suspend", "admin");
  expect([own.code, own.stderr]).toEqual([1, "error: You cannot suspend your own account.\n"]);
  expect((await asAdmin("admin", "unsuspend", "admin")).stdout).toBe("admin is not suspended\n");
  const listed = await asAdmin("audit", "list", "acme", "--action", "org.*", "--since", "2026-01-01");
  expect(listed.stdout).toMatch(/^\S+Z\tadmin\torg\.create\torganization acme\t127\.0\.0\.1$/m);
  const proved = await asAdmin("audit", "verify", "acme");
  expect(proved.stdout).toMatch(/^valid: \d+ entries, head \d+ [0-9a-f]{64}$/m);
  expect(proved.code).toBe(0);
  await instance.api("PATCH", "/orgs/acme", { description: "one more entry" });
  const inParts = await asAdmin("audit", "verify", "acme", "--limit", "1");
  expect([inParts.code, inParts.stdout]).toEqual([0, expect.stringMatching(/^valid: 2 entries, head 2 /)]);
});

it("sets, shows and clears the rate limits of an organization", async () => {
  await instance.api("POST", "/orgs", { name: "limited" });
  const limits = (...args: string[]) => asAdmin("admin", "limits", "limited", "--organization", ...args);
  const set = await limits("--set", "core=20000", "git=5000");
  expect(set.stdout).toMatch(/^core\t\S+\t3600\tcustom$/m);
  expect((await limits()).stdout).toBe(set.stdout);
  expect((await limits("--clear")).stdout).not.toContain("custom");
  const wrong = await limits("--set", "core");
  expect([wrong.code, wrong.stderr]).toEqual([2, 'error: "core" is not of the form CATEGORY=NUMBER\n']);
  const unknown = await limits("--set", "coffee=1");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("coffee")]);
});
