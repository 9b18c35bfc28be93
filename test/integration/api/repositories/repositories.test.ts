/** Repositories over REST: create, show, list, and who may. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  bob = await server.person("bob");
});
afterAll(() => server?.stop());

const create = (body: unknown, token = ada.token) => server.api("POST", "/repos", { token, body });
const fields = (answer: { json: { errors: { field: string }[] } }) => answer.json.errors.map((e) => e.field);

describe("POST /repos", () => {
  it("answers with the record and where it is", async () => {
    const answer = await create({ name: "Hello", description: "a test" });
    expect(answer.status).toBe(201);
    expect(answer.headers["location"]).toBe(`${server.baseUrl}/repos/ada/Hello`);
    expect(answer.json).toMatchObject({
      full_name: "ada/Hello",
      private: true,
      visibility: "private",
      default_branch: "main",
      permissions: "admin",
      archived: false,
      clone_urls: { https: `${server.webUrl}/ada/Hello.git` },
    });
    expect(answer.json.id).toMatch(/^repo_/);
  });

  it("writes an audit entry in the same transaction", async () => {
    const { json } = await create({ name: "audited", visibility: "public" });
    const rows = await server.container.platform.db.query(
      "select action, actor_username, target_name, details from audit_log where target_id = $1",
      [json.id],
    );
    expect(rows).toEqual([
      {
        action: "repo.create",
        actor_username: "ada",
        target_name: "ada/audited",
        details: { visibility: "public" },
      },
    ]);
  });

  it("begins with a readable commit when asked", async () => {
    const { json } = await create({
      name: "begun",
      description: "About it",
      default_branch: "trunk",
      auto_init: true,
    });
    const { files } = server.container.platform;
    const head = await files.resolveRef(json.id, "trunk");
    expect(head?.ref).toBe("refs/heads/trunk");
    const readme = await files.readFile(json.id, { sha: head!.sha, path: "README.md", maxBytes: 1000 });
    expect(readme?.bytes?.toString()).toBe("# begun\n\nAbout it\n");
    expect((await files.commitInfo(json.id, head!.sha))?.author.name).toBe("ada");
  });

  it("refuses a used name, whatever its case, and keeps the first", async () => {
    const first = await create({ name: "taken" });
    expect((await create({ name: "TAKEN" })).status).toBe(409);
    expect((await server.api("GET", "/repos/ada/taken", { token: ada.token })).json.id).toBe(first.json.id);
    expect((await create({ name: "taken" }, bob.token)).status).toBe(201);
  });

  it("names every wrong field", async () => {
    expect(fields(await create({}))).toEqual(["name"]);
    expect(fields(await create({ name: "x", colour: 1 }))).toEqual(["colour"]);
    expect(fields(await create({ name: "x", private: true, visibility: "public" }))).toEqual(["private"]);
    expect(fields(await create({ name: "x", visibility: "internal" }))).toEqual(["visibility"]);
    expect(fields(await create({ name: "x", owner: "bob" }))).toEqual(["owner"]);
    expect(fields(await create({ name: "x", license: "nope", gitignore: "../Node" }))).toEqual([
      "license",
      "gitignore",
    ]);
    for (const branch of ["-x", "a..b", "a b", "refs/heads/main", "HEAD", "x.lock"])
      expect([branch, ...fields(await create({ name: "x", default_branch: branch }))]).toEqual([
        branch,
        "default_branch",
      ]);
    for (const name of ["../x", ".x", "-x", "a/b", "x.git", "x.lock", "a b", "", "a".repeat(101)])
      expect([name, ...fields(await create({ name }))]).toEqual([name, "name"]);
  });

  it("needs a token with the scope", async () => {
    expect((await server.api("POST", "/repos", { body: { name: "x" } })).status).toBe(401);
    const answer = await create({ name: "x" }, await server.tokenFor(ada, ["repo:read"]));
    expect(answer.status).toBe(403);
    expect(answer.json.required_scopes).toEqual(["repo:write"]);
  });
});

describe("GET /repos/{owner}/{repo}", () => {
  it("shows a public one to everyone, with the level of the caller", async () => {
    await create({ name: "open", private: false });
    expect((await server.api("GET", "/repos/ada/open")).json.permissions).toBe("read");
    expect((await server.api("GET", "/repos/ADA/Open", { token: bob.token })).json.permissions).toBe("read");
    expect((await server.api("GET", "/repos/ada/open", { token: ada.token })).json.permissions).toBe("admin");
  });

  it("shows a private one like an absent one", async () => {
    await create({ name: "closed" });
    for (const token of [undefined, bob.token]) {
      const [hidden, absent] = await Promise.all(
        ["closed", "nothing"].map((name) => server.api("GET", `/repos/ada/${name}`, token ? { token } : {})),
      );
      expect(hidden!.status).toBe(absent!.status);
      expect(hidden!.text).toBe(absent!.text);
      expect([401, 404]).toContain(hidden!.status);
    }
  });

  it("answers 304 for what the caller has", async () => {
    await create({ name: "tagged" });
    const first = await server.api("GET", "/repos/ada/tagged", { token: ada.token });
    const headers = { "if-none-match": String(first.headers["etag"]) };
    expect((await server.api("GET", "/repos/ada/tagged", { token: ada.token, headers })).status).toBe(304);
  });
});

describe("GET /user/repos", () => {
  it("lists one's own, by page", async () => {
    const carl = await server.person("carl");
    for (const name of ["b", "A", "c"]) await create({ name }, carl.token);
    const answer = await server.api("GET", "/user/repos?per_page=2", { token: carl.token });
    expect(answer.json.map((r: { name: string }) => r.name)).toEqual(["A", "b"]);
    expect(answer.headers["x-total-count"]).toBe("3");
    expect(answer.headers["link"]).toContain('rel="next"');
    expect((await server.api("GET", "/user/repos")).status).toBe(401);
  });
});
