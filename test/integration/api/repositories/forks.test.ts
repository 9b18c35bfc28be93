/** Forks: a copy of what is reachable and nothing else, with a life of its own and a link to where it came from. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
let root: TestPerson;
let made = 0;

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, bob, root] = await Promise.all([
    server.person("ada"),
    server.person("bob"),
    server.person("root", { isAdmin: true }),
  ]);
  for (const [org, owner] of [
    ["acme", ada],
    ["guild", bob],
  ] as const)
    await server.api("POST", "/orgs", { token: owner.token, body: { name: org } });
  await server.api("PUT", "/orgs/acme/members/bob", { token: ada.token, body: { role: "member" } });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const urlOf = (fullName: string, person: TestPerson) =>
  addressWithToken(server.webUrl, fullName, person.token);
const fork = (person: TestPerson, fullName: string, body: object = {}) =>
  server.api("POST", `/repos/${fullName}/forks`, { token: person.token, body });

async function upstream(visibility: "public" | "private" | "internal" = "public") {
  const name = `up${made++}`;
  const body = { name, owner: "acme", visibility };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  const fullName = `acme/${name}`;
  const tree = await git.workTree();
  await git.ok(["tag", "-a", "-m", "one", "v1"], { cwd: tree });
  await git.ok(["branch", "side"], { cwd: tree });
  await git.ok(["push", "-q", urlOf(fullName, ada), "main", "side", "v1"], { cwd: tree });
  return { name, fullName, tree, id: json.id as string };
}

describe("a fork", () => {
  it("has all branches and tags, its own name, and says where it came from", async () => {
    const { name, fullName } = await upstream();
    const answer = await fork(bob, fullName);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(answer.json.url);
    expect(answer.json).toMatchObject({
      full_name: `bob/${name}`,
      fork: true,
      upstream: { full_name: fullName, url: `${server.baseUrl}/repos/${fullName}` },
      visibility: "public",
      permissions: "admin",
    });
    const refs = (of: string) => git.ok(["ls-remote", urlOf(of, bob)]);
    expect(await refs(`bob/${name}`)).toBe(await refs(fullName));
    await git.ok(["clone", "-q", urlOf(`bob/${name}`, bob), `clone${String(made)}`]);
    await git.ok(["fsck", "--full"], { cwd: join(git.home, `clone${String(made)}`) });
    const listed = await server.api("GET", `/repos/${fullName}/forks`, { token: ada.token });
    expect(listed.json.map((one: { full_name: string }) => one.full_name)).toEqual([`bob/${name}`]);
    expect(
      (await server.api("GET", `/repos/bob/${name}`, { token: bob.token })).json.upstream.full_name,
    ).toBe(fullName);
    const log = await server.api("GET", "/admin/audit-log?action=repo.create", { token: root.token });
    expect(log.json[0]).toMatchObject({ details: { fork_of: fullName }, target: { name: `bob/${name}` } });
  });

  it("goes its own way: neither sees what the other gets, and shares no file", async () => {
    const { name, fullName, tree, id } = await upstream();
    const { json } = await fork(bob, fullName);
    const secret = await git.commit(tree, { later: "1" });
    await git.ok(["push", "-q", urlOf(fullName, ada), "main"], { cwd: tree });
    const elsewhere = await git.workTree({ other: "1" });
    const theirs = await git.run(["fetch", "-q", urlOf(`bob/${name}`, bob), secret], { cwd: elsewhere });
    expect(theirs.code).not.toBe(0);
    const directories = [id, json.id].map((one: string) => server.container.platform.storage.directory(one));
    expect(await readdir(join(directories[1]!, "objects/info")).catch(() => [])).not.toContain("alternates");
    const inodes = await Promise.all(
      directories.map(async (directory) => {
        const packs = await readdir(join(directory, "objects/pack"));
        return Promise.all(
          packs.map(async (pack) => (await stat(join(directory, "objects/pack", pack))).ino),
        );
      }),
    );
    expect(inodes[0]!.filter((inode) => inodes[1]!.includes(inode))).toEqual([]);
    await git.ok(["push", "-q", urlOf(`bob/${name}`, bob), "main:mine"], { cwd: tree });
    expect(await git.ok(["ls-remote", urlOf(fullName, ada)])).not.toContain("mine");
  });

  it("brings no object that no branch or tag reaches", async () => {
    const { fullName, tree } = await upstream();
    const gone = await git.commit(tree, { gone: "1" });
    await git.ok(["push", "-q", urlOf(fullName, ada), "main:gone"], { cwd: tree });
    await git.ok(["push", "-q", urlOf(fullName, ada), ":gone"], { cwd: tree });
    const { json } = await fork(bob, fullName, { name: `clean${String(made++)}` });
    const look = await server.container.platform.git.run({
      directory: server.container.platform.storage.directory(json.id),
      args: ["cat-file", "-e", gone],
      acceptExitCodes: [0, 1, 128],
    });
    expect(look.exitCode).not.toBe(0);
  });

  it("of an empty repository is empty, and takes pushes", async () => {
    const name = `empty${String(made++)}`;
    await server.api("POST", "/repos", { token: ada.token, body: { name, visibility: "public" } });
    expect((await fork(bob, `ada/${name}`)).status).toBe(201);
    const tree = await git.workTree();
    await git.ok(["push", "-q", urlOf(`bob/${name}`, bob), "main"], { cwd: tree });
  });

  it("stays a fork when its upstream goes", async () => {
    const { name, fullName } = await upstream();
    await fork(bob, fullName);
    await server.api("DELETE", `/repos/${fullName}`, { token: ada.token });
    const left = (await server.api("GET", `/repos/bob/${name}`, { token: bob.token })).json;
    expect(left).toMatchObject({ fork: true, upstream: null });
  });
});

describe("who sees what", () => {
  it("keeps an internal repository within its organization: elsewhere the fork is private", async () => {
    const { fullName } = await upstream("internal");
    expect((await fork(bob, fullName, { name: `i${String(made++)}` })).json.visibility).toBe("private");
    const inside = await fork(bob, fullName, { owner: "acme", name: `i${String(made++)}` });
    expect(inside.json.visibility).toBe("internal");
  });

  it("does not name an upstream to who does not see it, nor list a fork", async () => {
    const { name, fullName } = await upstream("private");
    await server.api("PUT", `/repos/${fullName}/collaborators/bob`, {
      token: ada.token,
      body: { permission: "read" },
    });
    expect((await fork(bob, fullName)).json).toMatchObject({ visibility: "private" });
    const listed = await server.api("GET", `/repos/${fullName}/forks`, { token: ada.token });
    expect(listed.json).toEqual([]);
    const before = await server.api("GET", `/repos/bob/${name}`, { token: bob.token });
    const headers = { "If-None-Match": before.headers.etag ?? "" };
    const again = () => server.api("GET", `/repos/bob/${name}`, { token: bob.token, headers });
    expect((await again()).status).toBe(304);
    await server.api("DELETE", `/repos/${fullName}/collaborators/bob`, { token: ada.token });
    const after = await again();
    expect([after.status, after.json]).toMatchObject([200, { fork: true, upstream: null }]);
    expect((await fork(bob, fullName)).status).toBe(404);
  });

  it("does not name a hidden upstream to a token that is limited to its fork", async () => {
    for (const [visibility, shown] of [
      ["private", undefined],
      ["internal", undefined],
      ["public", "full_name"],
    ] as const) {
      const { fullName } = await upstream(visibility);
      const name = `f${String(made++)}`;
      expect((await fork(ada, fullName, { name })).json.upstream.full_name).toBe(fullName);
      const body = { name, scopes: ["repo:read"], repositories: [`ada/${name}`] };
      const { token } = (await server.api("POST", "/user/tokens", { token: ada.token, body })).json;
      const seen = (await server.api("GET", `/repos/ada/${name}`, { token })).json;
      expect(seen).toMatchObject({ fork: true, upstream: shown ? { full_name: fullName } : null });
      expect((await server.api("GET", `/repos/${fullName}`, { token })).status).toBe(shown ? 200 : 404);
    }
  });

  it("refuses foreign organizations, names in use, and tokens that are limited to repositories", async () => {
    const { fullName } = await upstream();
    const foreign = await fork(ada, fullName, { owner: "guild" });
    expect([foreign.status, foreign.json.errors[0].field]).toEqual([422, "owner"]);
    expect((await fork(ada, fullName, { owner: "acme" })).status).toBe(409);
    const before = await readdir(join(server.dataDir, "repositories"));
    const limited = await server.api("POST", "/user/tokens", {
      token: ada.token,
      body: { name: "limited", scopes: ["repo:write"], repositories: [fullName] },
    });
    const refused = await server.api("POST", `/repos/${fullName}/forks`, {
      token: limited.json.token,
      body: {},
    });
    expect(refused.status).toBe(403);
    expect(await readdir(join(server.dataDir, "repositories"))).toEqual(before);
  });
});
