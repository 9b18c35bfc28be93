/** Who may clone and push over HTTPS, and what strangers learn. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymousActor } from "@forgeline/server/platform/access/actor.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
let tree: string;

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  bob = await server.person("bob");
  tree = await git.workTree();
  for (const [name, visibility] of [
    ["open", "public"],
    ["closed", "private"],
  ]) {
    await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
    await git.ok(["push", "-q", address(`ada/${name}`, ada.token), "main"], { cwd: tree });
  }
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const address = (name: string, token?: string) => addressWithToken(server.webUrl, name, token);
const lsRemote = (name: string, token?: string) => git.run(["ls-remote", address(name, token)]);

describe("cloning", () => {
  it("needs no token for a public repository, in every protocol version", async () => {
    for (const version of [0, 1, 2]) {
      const target = `${git.home}/open-${version}`;
      await git.ok(["-c", `protocol.version=${version}`, "clone", "-q", address("ada/open"), target]);
      expect(await git.ok(["-C", target, "rev-parse", "HEAD"])).toBe(
        await git.ok(["rev-parse", "HEAD"], { cwd: tree }),
      );
    }
  });

  it("works with the token of one who may, whatever the case of the names", async () => {
    expect((await lsRemote("Ada/CLOSED", ada.token)).code).toBe(0);
    expect((await lsRemote("ada/closed", await server.tokenFor(ada, ["repo:read"]))).code).toBe(0);
  });

  it("tells strangers nothing about what exists", async () => {
    const ask = (path: string, token?: string) =>
      server.api("GET", `//${path}.git/info/refs?service=git-upload-pack`, token ? { token } : {});
    for (const token of [undefined, bob.token]) {
      const hidden = await ask("ada/closed", token);
      const absent = await ask("ada/nothing", token);
      expect(hidden.status).toBe(token ? 404 : 401);
      expect(hidden.status).toBe(absent.status);
      expect(hidden.text).toBe(absent.text);
      const same = (headers: object) => ({ ...headers, date: "", "x-request-id": "" });
      expect(same(hidden.headers)).toEqual(same(absent.headers));
    }
  });

  it("is refused with a wrong token, also where none is needed", async () => {
    const wrong = `svc_pat_${"x".repeat(51)}`;
    const answer = await server.api("GET", "//ada/open.git/info/refs?service=git-upload-pack", {
      token: wrong,
    });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
  });

  it("is refused with a token that lacks the scope", async () => {
    const token = await server.tokenFor(ada, ["pipeline:read"]);
    const answer = await server.api("GET", "//ada/closed.git/info/refs?service=git-upload-pack", { token });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("repo:read");
  });

  it("opens no directory that somebody changed", async () => {
    await server.api("POST", "/repos", { token: ada.token, body: { name: "changed" } });
    expect((await lsRemote("ada/changed", ada.token)).code).toBe(0);
    const { id } = (await server.api("GET", "/repos/ada/changed", { token: ada.token })).json;
    const directory = server.container.platform.storage.directory(id);
    await appendFile(join(directory, "config"), "[uploadpack]\n\tallowAnySHA1InWant = true\n");
    expect((await lsRemote("ada/changed", ada.token)).code).not.toBe(0);
  });

  it("speaks no dumb protocol", async () => {
    for (const path of ["info/refs", "HEAD", "objects/info/packs"]) {
      const answer = await server.api("GET", `//ada/open.git/${path}`);
      expect([401, 403]).toContain(answer.status);
      expect(answer.text).not.toContain("refs/heads");
    }
  });
});

describe("pushing", () => {
  const push = (name: string, token?: string) =>
    git.run(["push", address(name, token), "main:refs/heads/x"], { cwd: tree });

  it("is refused to everyone else", async () => {
    const readOnly = await server.tokenFor(ada, ["repo:read"]);
    for (const [name, token] of [
      ["ada/open", undefined],
      ["ada/open", bob.token],
      ["ada/closed", bob.token],
      ["ada/closed", readOnly],
    ] as const) {
      expect((await push(name, token)).code, `${name}`).not.toBe(0);
    }
    expect(await git.ok(["ls-remote", address("ada/open"), "refs/heads/x"])).toBe("");
  });

  it("begins with no grant to read", async () => {
    const { gitAccess } = server.container.hosting;
    const open = { owner: "ada", name: "open" };
    const grant = await gitAccess.authorize(anonymousActor, { program: "upload-pack", ...open });
    await expect((await grant.open()).beginPush()).rejects.toThrow("begins no push");
    const pushing = gitAccess.authorize(anonymousActor, { program: "receive-pack", ...open });
    await expect(pushing).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("says why in words", async () => {
    expect((await push("ada/open", bob.token)).stderr).toContain("not allowed");
    expect((await push("ada/closed", await server.tokenFor(ada, ["repo:read"]))).stderr).toContain(
      "repo:write",
    );
  });
});

describe("fetching parts", () => {
  it("serves shallow and partial clones", async () => {
    const big = await git.workTree({ "a.txt": "1" });
    await git.commit(big, { "a.txt": "2" });
    await server.api("POST", "/repos", { token: ada.token, body: { name: "parts" } });
    await git.ok(["push", "-q", address("ada/parts", ada.token), "main"], { cwd: big });
    const url = address("ada/parts", ada.token);
    await git.ok(["clone", "-q", "--depth=1", url, `${git.home}/shallow`]);
    expect(await git.ok(["-C", `${git.home}/shallow`, "rev-list", "--count", "HEAD"])).toBe("1");
    await git.ok(["clone", "-q", "--filter=blob:none", url, `${git.home}/partial`]);
    expect(await git.ok(["-C", `${git.home}/partial`, "show", "HEAD~1:a.txt"])).toBe("1");
  });

  it("serves a commit by its id while a branch contains it", async () => {
    const url = address("ada/parts", ada.token);
    const older = await git.ok(["-C", `${git.home}/partial`, "rev-parse", "HEAD~1"]);
    for (const version of [0, 2]) {
      const into = `${git.home}/exact-${version}`;
      await git.ok(["init", "-q", into]);
      await git.ok(["-C", into, "-c", `protocol.version=${version}`, "fetch", "-q", "--depth=1", url, older]);
      expect(await git.ok(["-C", into, "rev-parse", "FETCH_HEAD"])).toBe(older);
    }
  });

  it("serves no commit that no ref reaches, in any protocol version", async () => {
    const secret = await git.workTree({ "secret.txt": "s" });
    const url = address("ada/parts", ada.token);
    await git.ok(["push", "-q", "--force", url, "main:refs/heads/leak"], { cwd: secret });
    const leaked = await git.ok(["rev-parse", "HEAD"], { cwd: secret });
    const fetch = (version: number) =>
      git.run(["-C", `${git.home}/exact-2`, "-c", `protocol.version=${version}`, "fetch", url, leaked]);
    expect((await fetch(2)).code).toBe(0);
    await git.ok(["push", "-q", url, ":refs/heads/leak"], { cwd: secret });
    await git.ok(["init", "-q", `${git.home}/thief`]);
    const { id } = (await server.api("GET", "/repos/ada/parts", { token: ada.token })).json;
    const directory = server.container.platform.storage.directory(id);
    for (const [version, hidden] of [0, 1, 2, 0, 1, 2].map((each, at) => [each, at > 2] as const)) {
      const args = ["update-ref", "refs/internal/kept", leaked];
      if (hidden) await server.container.platform.git.run({ directory, args });
      const answer = await git.run([
        "-C",
        `${git.home}/thief`,
        "-c",
        `protocol.version=${version}`,
        "fetch",
        url,
        leaked,
      ]);
      expect(answer.code, `version ${version}`).not.toBe(0);
      expect(answer.stderr).toMatch(/not our ref|unadvertised object/);
    }
  });
});
