/** Settings of repositories, and what a change of name or visibility and archiving do at each entry point. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });
const create = async (name: string, more: object = {}) => {
  const made = await api("POST", "/repos", ada.token, { name, ...more });
  expect(made.status).toBe(201);
  return made.json.id as string;
};
const patch = (name: string, body: object, token = ada.token) =>
  api("PATCH", `/repos/ada/${name}`, token, body);
const audited = (id: string) =>
  server.container.platform.db.query(
    `select action, details from audit_log where target_id = $1 and action <> 'repo.create' order by seq`,
    [id],
  );
const fieldsOf = (answer: { json: { errors: { field: string }[] } }) =>
  answer.json.errors.map(({ field }) => field);

describe("PATCH", () => {
  it("changes what is named, leaves the rest, and records what changed", async () => {
    const id = await create("plain", { description: "old", auto_init: true });
    const answer = await patch("plain", { description: "new", public_pipelines: false });
    expect(answer).toMatchObject({
      status: 200,
      json: { name: "plain", description: "new", public_pipelines: false, visibility: "private" },
    });
    await patch("plain", { description: "new" });
    expect((await patch("plain", { private: false })).json).toMatchObject({ visibility: "public" });
    expect(await audited(id)).toEqual([
      {
        action: "repo.settings_change",
        details: {
          changes: { description: { from: "old", to: "new" }, public_pipelines: { from: true, to: false } },
        },
      },
      {
        action: "repo.visibility_change",
        details: { old_visibility: "private", new_visibility: "public" },
      },
    ]);
  });

  it("refuses what is wrong, by field, and changes nothing", async () => {
    await create("strict", { auto_init: true });
    expect(fieldsOf(await patch("strict", { visibility: "internal" }))).toEqual(["visibility"]);
    expect(fieldsOf(await patch("strict", { private: true, visibility: "public" }))).toEqual(["private"]);
    expect(fieldsOf(await patch("strict", { default_branch: "nope" }))).toEqual(["default_branch"]);
    expect(fieldsOf(await patch("strict", { default_branch: "-x" }))).toEqual(["default_branch"]);
    expect(fieldsOf(await patch("strict", { owner: "bob" }))).toEqual(["owner"]);
    expect((await patch("strict", { name: "plain" })).status).toBe(409);
    expect((await api("GET", "/repos/ada/strict", ada.token)).json).toMatchObject({
      default_branch: "main",
      visibility: "private",
    });
  });

  it("is for maintainers with the scope; who sees it and where it is found is for admins", async () => {
    const id = await create("guarded");
    expect((await patch("guarded", { description: "x" }, bob.token)).status).toBe(404);
    for (const level of ["read", "triage", "write", "maintain"]) {
      const status = level === "maintain" ? 200 : 403;
      await server.container.platform.db.query(
        `insert into collaborators (repository_id, user_id, permission) values ($1, $2, $3)
         on conflict (repository_id, user_id) do update set permission = excluded.permission`,
        [id, bob.id, level],
      );
      expect((await patch("guarded", { description: "x" }, bob.token)).status).toBe(status);
      const topics = await api("PUT", "/repos/ada/guarded/topics", bob.token, { topics: ["a"] });
      expect(topics.status).toBe(status);
    }
    const before = (await api("GET", "/repos/ada/guarded", ada.token)).json;
    for (const body of [
      { name: "mine" },
      { visibility: "public" },
      { private: false },
      { public_pipelines: false },
      { description: "y", private: true },
    ]) {
      const refused = await patch("guarded", body, bob.token);
      expect([refused.status, refused.json.error]).toEqual([403, "forbidden"]);
    }
    const after = (await api("GET", "/repos/ada/guarded", ada.token)).json;
    expect(after).toEqual(before);
    const narrow = await server.tokenFor(ada, ["repo:write"]);
    expect((await patch("guarded", { description: "x" }, narrow)).json.required_scopes).toEqual([
      "repo:admin",
    ]);
  });

  it("moves the default branch, for new clones too", async () => {
    await create("branches", { auto_init: true });
    await api("POST", "/repos/ada/branches/branches", ada.token, { name: "trunk" });
    expect((await patch("branches", { default_branch: "trunk" })).json.default_branch).toBe("trunk");
    const listed = await git.ok([
      "ls-remote",
      "--symref",
      addressWithToken(server.webUrl, "ada/branches", ada.token),
      "HEAD",
    ]);
    expect(listed).toContain("ref: refs/heads/trunk");
    expect((await api("DELETE", "/repos/ada/branches/branches/main", ada.token)).status).toBe(204);
  });
});

describe("an old name", () => {
  it("leads to the repository for who sees it, and tells others nothing", async () => {
    const id = await create("before", { auto_init: true });
    expect((await patch("before", { name: "After" })).json.full_name).toBe("ada/After");
    const answer = await api("GET", "/repos/ADA/Before/commits?per_page=1", ada.token);
    expect([answer.status, answer.headers["location"]]).toEqual([
      301,
      `${server.baseUrl}/repos/ada/After/commits?per_page=1`,
    ]);
    for (const token of [undefined, bob.token]) {
      const [moved, absent] = [
        await api("GET", "/repos/ada/before", token),
        await api("GET", "/repos/ada/absent", token),
      ];
      expect([moved!.status, moved!.text]).toEqual([absent!.status, absent!.text]);
    }
    const clone = `${git.home}/renamed`;
    await git.ok(["clone", "-q", addressWithToken(server.webUrl, "ada/before", ada.token), clone]);
    await git.commit(clone, { "more.txt": "more\n" });
    await git.ok(["push", "-q"], { cwd: clone });
    expect((await api("PATCH", "/repos/ada/before", ada.token, { description: "same" })).json.id).toBe(id);
  });

  it("belongs to the repository that takes it, and comes back with a second change", async () => {
    const first = await create("one");
    await patch("one", { name: "two" });
    const second = await create("one");
    expect((await api("GET", "/repos/ada/one", ada.token)).json.id).toBe(second);
    await patch("one", { name: "three" });
    expect((await api("GET", "/repos/ada/one", ada.token)).headers["location"]).toMatch(/\/three$/);
    await patch("two", { name: "one" });
    expect((await api("GET", "/repos/ada/one", ada.token)).json.id).toBe(first);
    expect((await api("GET", "/repos/ada/two", ada.token)).status).toBe(301);
    expect((await patch("one", { name: "ONE" })).json.name).toBe("ONE");
  });
});

describe("archiving", () => {
  it("closes every way to write until it is undone", async () => {
    const id = await create("old", { auto_init: true });
    expect((await api("POST", "/repos/ada/old/archive", ada.token)).json.archived).toBe(true);
    await api("POST", "/repos/ada/old/archive", ada.token);
    const refused = [
      await patch("old", { description: "x" }),
      await api("PUT", "/repos/ada/old/topics", ada.token, { topics: [] }),
      await api("PUT", "/repos/ada/old/contents/x", ada.token, { message: "x", content: "eA==" }),
      await api("POST", "/repos/ada/old/branches", ada.token, { name: "b" }),
      await api("POST", "/repos/ada/old/pipelines", ada.token, {}),
    ];
    expect(refused.map(({ json }) => json.error)).toEqual(refused.map(() => "repository_archived"));
    const clone = `${git.home}/archived`;
    await git.ok(["clone", "-q", addressWithToken(server.webUrl, "ada/old", ada.token), clone]);
    await git.commit(clone, { "x.txt": "x\n" });
    const push = await git.run(["push"], { cwd: clone });
    expect([push.code === 0, push.stderr]).toEqual([false, expect.stringContaining("archived")]);
    expect((await api("POST", "/repos/ada/old/unarchive", ada.token)).json.archived).toBe(false);
    await git.ok(["push", "-q"], { cwd: clone });
    expect(await audited(id)).toEqual([
      { action: "repo.archive", details: { archived: true } },
      { action: "repo.archive", details: { archived: false } },
    ]);
  });
});

it("keeps topics sorted, each once", async () => {
  await create("tagged");
  const put = (topics: unknown) => api("PUT", "/repos/ada/tagged/topics", ada.token, { topics });
  expect((await put(["web", "api", "web"])).json.topics).toEqual(["api", "web"]);
  expect((await put(["Not ok"])).status).toBe(422);
  expect((await api("GET", "/repos/ada/tagged", ada.token)).json.topics).toEqual(["api", "web"]);
});

describe("organizations", () => {
  it("have repositories that owners and members create, also internal ones", async () => {
    expect((await api("POST", "/orgs", ada.token, { name: "acme" })).status).toBe(201);
    const body = { name: "shared", owner: "acme", visibility: "internal" };
    const refused = await api("POST", "/repos", bob.token, body);
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ["owner"]]);
    const made = await api("POST", "/repos", ada.token, body);
    expect(made).toMatchObject({
      status: 201,
      json: { full_name: "acme/shared", visibility: "internal", owner: { type: "org" } },
    });
    await api("PUT", "/orgs/acme/members/bob", ada.token, { role: "member" });
    await api("POST", "/repos", ada.token, { name: "closed", owner: "acme" });
    const own = await api("POST", "/repos", bob.token, { name: "bobs", owner: "ACME" });
    expect([own.status, own.json.full_name]).toEqual([201, "acme/bobs"]);
    const { json } = await api("GET", "/user/repos", bob.token);
    expect(json.map((r: { full_name: string; permissions: string }) => [r.full_name, r.permissions])).toEqual(
      [
        ["acme/bobs", "admin"],
        ["ada/guarded", "maintain"],
        ["acme/shared", "read"],
      ],
    );
    const { headers } = await api("GET", "/user/repos?per_page=1", bob.token);
    expect(headers["x-total-count"]).toBe("3");
  });

  it("show each repository once, whatever it comes from, and a limited token its own", async () => {
    const dan = await server.person("dan");
    const { db } = server.container.platform;
    await api("PUT", "/orgs/acme/members/dan", ada.token, { role: "member" });
    const ids: Record<string, string> = {};
    for (const [name, visibility] of [
      ["t1", "private"],
      ["t2", "internal"],
      ["t3", "public"],
    ] as const)
      ids[name] = (await api("POST", "/repos", ada.token, { name, owner: "acme", visibility })).json.id;
    const [org] = await db.query<{ owner_id: string }>("select owner_id from repositories where id = $1", [
      ids["t1"],
    ]);
    await db.query(
      `insert into teams (id, organization_id, name, path, lineage) values ('team_a', $1, 'a', 'a', array['team_a'])`,
      [org!.owner_id],
    );
    await db.query(`insert into team_members (team_id, user_id) values ('team_a', $1)`, [dan.id]);
    for (const name of ["t1", "t2"]) {
      await db.query(
        `insert into team_repositories (repository_id, team_id, permission) values ($1, 'team_a', 'write')`,
        [ids[name]],
      );
      await db.query(
        `insert into collaborators (repository_id, user_id, permission) values ($1, $2, 'triage')`,
        [ids[name], dan.id],
      );
    }
    const { json, headers } = await api("GET", "/user/repos", dan.token);
    const shown = json.map((r: { name: string; permissions: string }) => `${r.name} ${r.permissions}`);
    expect(shown).toEqual(["shared read", "t1 write", "t2 write", "t3 read"]);
    expect(headers["x-total-count"]).toBe("4");
    const second = await api("GET", "/user/repos?per_page=2&page=2", dan.token);
    expect(second.json.map((r: { name: string }) => r.name)).toEqual(["t2", "t3"]);
    const limited = await api("POST", "/user/tokens", dan.token, {
      name: "limited",
      scopes: ["repo:read"],
      repositories: ["acme/t2"],
    });
    const few = await api("GET", "/user/repos", limited.json.token);
    expect([few.json.map((r: { name: string }) => r.name), few.headers["x-total-count"]]).toEqual([
      ["t2"],
      "1",
    ]);
  });
});
