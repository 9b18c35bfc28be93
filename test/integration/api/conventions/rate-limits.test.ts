/** Points 8 and 9 of issue 4 at the entry points: headers on every answer, who counts against what, and what is free. */
import { request as plainRequest } from "node:http";
import { connect } from "node:tls";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiAnswer, type ApiServer } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let beside: ApiServer;
let git: GitClient;
const env = {
  FORGELINE_LIMIT_CORE: "5000",
  FORGELINE_LIMIT_UNAUTHENTICATED: "20",
  FORGELINE_LIMIT_GIT: "6",
  FORGELINE_LIMIT_SOCKETS: "20",
};
beforeAll(async () => {
  server = await startApiServer({ env });
  // Behind a proxy on this machine.
  beside = await startApiServer({ env: { ...env, FORGELINE_TRUSTED_PROXIES: "127.0.0.1" }, beside: server });
  git = await createGitClient(server.caFile);
});
afterAll(async () => {
  await git?.remove();
  await beside?.stop();
  await server?.stop();
});

const left = (answer: Pick<ApiAnswer, "headers">) => Number(answer.headers["x-ratelimit-remaining"]);
const forgetWindows = () => server.container.platform.db.query("delete from rate_limit_windows");

function expectHeaders(what: string, answer: ApiAnswer): void {
  const { headers } = answer;
  expect([what, answer.status, headers["x-ratelimit-resource"]]).toEqual([what, answer.status, "core"]);
  expect(Number(headers["x-ratelimit-limit"])).toBeGreaterThan(0);
  expect(headers["x-ratelimit-remaining"]).toMatch(/^\d+$/);
  expect(Number(headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000);
}

describe("headers", () => {
  it("are on every answer, whatever its status, and each costs one", async () => {
    const ada = await server.person("ada");
    const { token } = ada;
    const bare = await server.tokenFor(ada, ["audit:read"]);
    const cases: [string, number, () => Promise<ApiAnswer>][] = [
      ["found", 200, () => server.api("GET", "/user", { token })],
      ["head", 200, () => server.api("HEAD", "/user", { token })],
      ["created", 201, () => server.api("POST", "/repos", { token, body: { name: "one" } })],
      ["query", 400, () => server.api("GET", "/user/repos?page=x", { token })],
      ["scope", 403, () => server.api("GET", "/user", { token: bare })],
      ["repository", 404, () => server.api("GET", "/repos/ada/none", { token })],
      ["path", 404, () => server.api("GET", "/no/such/path", { token })],
      ["malformed path", 404, () => server.api("GET", "/repos/ada/%zz", { token })],
      ["method", 405, () => server.api("PATCH", "/meta", { token })],
      ["taken", 409, () => server.api("POST", "/repos", { token, body: { name: "one" } })],
      [
        "type",
        415,
        () => server.api("POST", "/repos", { token, body: "x", headers: { "Content-Type": "a/b" } }),
      ],
      ["body", 422, () => server.api("POST", "/repos", { token, body: { name: 1 } })],
      ["document", 200, () => server.api("GET", "/openapi.json", { token })],
    ];
    let remaining = 5000;
    for (const [what, status, ask] of cases) {
      const answer = await ask();
      expect([what, answer.status]).toEqual([what, status]);
      expectHeaders(what, answer);
      remaining -= 1;
      expect([what, left(answer)]).toEqual([what, remaining]);
    }
    const missing = await server.api("GET", "/user");
    expect(missing.status).toBe(401);
    expectHeaders("no token", missing);
    expect(missing.headers["x-ratelimit-limit"]).toBe("20");
    const wrong = await server.api("GET", "/user", { token: `${token}x` });
    expect([wrong.status, left(wrong)]).toEqual([401, left(missing) - 1]);
  });

  it("count all tokens of a user together, and every user alone", async () => {
    const bob = await server.person("bob");
    const second = await server.tokenFor(bob, ["user:read"]);
    expect(left(await server.api("GET", "/user", { token: bob.token }))).toBe(4999);
    expect(left(await server.api("GET", "/user", { token: second }))).toBe(4998);
    const eve = await server.person("eve");
    expect(left(await server.api("GET", "/user", { token: eve.token }))).toBe(4999);
  });
});

describe("what is unchanged", () => {
  it("costs nothing, and says so", async () => {
    const lea = await server.person("lea");
    const { token } = lea;
    const first = await server.api("GET", "/user", { token });
    const headers = { "If-None-Match": first.headers.etag ?? "" };
    for (let i = 0; i < 5; i++) {
      const same = await server.api("GET", "/user", { token, headers });
      expect([same.status, left(same)]).toEqual([304, left(first)]);
    }
    const document = await server.api("GET", "/openapi.json", { token });
    const again = await server.api("GET", "/openapi.json", {
      token,
      headers: { "If-None-Match": document.headers.etag ?? "" },
    });
    expect([again.status, left(again)]).toEqual([304, left(document)]);
  });
});

describe("GET /rate_limit", () => {
  it("shows every limit and costs nothing", async () => {
    const kim = await server.person("kim");
    const look = async () => server.api("GET", "/rate_limit", { token: kim.token });
    const before = await look();
    expect(before.json.resources).toEqual([
      { resource: "core", limit: 5000, used: 0, remaining: 5000, window_seconds: 3600, reset_at: null },
      { resource: "git", limit: 6, used: 0, remaining: 6, window_seconds: 3600, reset_at: null },
      { resource: "sockets", limit: 20, used: 0, remaining: 20, window_seconds: 60, reset_at: null },
    ]);
    await server.api("GET", "/user", { token: kim.token });
    for (let i = 0; i < 3; i++) {
      const after = await look();
      expect(after.json.resources[0]).toMatchObject({ used: 1, remaining: 4999 });
      expect(Date.parse(after.json.resources[0].reset_at)).toBeGreaterThan(Date.now());
      expect(left(after)).toBe(4999);
    }
  });
});

describe("without a token", () => {
  it("an address has its limit in all servers together, then 429 with when to come back", async () => {
    await forgetWindows();
    let given = 0;
    let refused: ApiAnswer | undefined;
    for (let i = 0; i < 30; i++) {
      const answer = await (i % 2 === 0 ? server : beside).api("GET", "/openapi.json");
      if (answer.status === 200) given += 1;
      else refused = answer;
    }
    expect(given).toBe(20);
    expect(refused).toMatchObject({ status: 429, json: { error: "rate_limit_exceeded" } });
    const wait = Number(refused?.headers["retry-after"]);
    expect(wait).toBeGreaterThan(3500);
    expect(Math.abs(Date.parse(refused?.json.reset_at) - Date.now() - wait * 1000)).toBeLessThan(5000);
    expectHeaders("refused", refused as ApiAnswer);
  });

  it("no header, spelling or method gets past it", async () => {
    const forged = ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP", "CF-Connecting-IP"];
    for (const [i, name] of forged.entries()) {
      const headers = { [name]: `203.0.113.${i}` };
      expect((await server.api("GET", "/openapi.json", { headers })).status).toBe(429);
    }
    for (const path of ["/openapi.json?x=1", "/OPENAPI.JSON", "/openapi.json/", "/repos/a/b", "/%zz"])
      expect([path, (await server.api("GET", path)).status]).toEqual([path, 429]);
    for (const method of ["HEAD", "OPTIONS", "POST", "DELETE"])
      expect([method, (await server.api(method, "/openapi.json")).status]).toEqual([method, 429]);
    expect((await server.api("GET", "/user", { token: "svc_pat_wrong" })).status).toBe(429);
    // Sockets have a limit of their own, in which each refusal counts as ten.
    expect(await upgradeStatus("/api/v1/repos/a/b/pipelines/1/logs/stream")).toBe(404);
    expect(await upgradeStatus("/api/v1/repos/a/b/pipelines/1/logs/stream")).toBe(429);
    const { token } = await server.person("max");
    expect((await server.api("GET", "/user", { token })).status).toBe(200);
    expect((await server.api("GET", "/rate_limit")).json.resources[0]).toMatchObject({ remaining: 0 });
  });

  it("a trusted proxy's word names the address; IPv6 counts by network, IPv4 in IPv6 form as IPv4", async () => {
    await forgetWindows();
    const via = (forwardedFor: string) => throughProxy(beside, forwardedFor);
    expect(left(await via("198.51.100.1"))).toBe(19);
    expect(left(await via("198.51.100.2"))).toBe(19);
    // What the client itself sent stands before what the proxy added.
    expect(left(await via("203.0.113.9, 198.51.100.1"))).toBe(18);
    expect(left(await via("::ffff:198.51.100.1"))).toBe(17);
    expect(left(await via("::FFFF:C633:6401"))).toBe(16);
    expect(left(await via("2001:db8:1:200::1"))).toBe(19);
    expect(left(await via("2001:0DB8:1:2ff:ffff:ffff:ffff:ffff"))).toBe(18);
    expect(left(await via("2001:db8:1:300::1"))).toBe(19);
  });
});

describe("upgrades", () => {
  it("that are refused count as ten by their address, also where nothing is and where runners come in", async () => {
    const headers = { Connection: "Upgrade", Upgrade: "websocket" };
    const tries = async (path: string, forwardedFor: string) => {
      const statuses = [];
      for (let n = 0; n < 3; n++)
        statuses.push((await throughProxy(beside, forwardedFor, { path, headers })).status);
      return statuses;
    };
    expect(await tries("/nowhere", "198.51.100.71")).toEqual([404, 404, 429]);
    expect(await tries("/api/v1/runners/connect", "198.51.100.72")).toEqual([401, 401, 429]);
  });
});

describe("Git", () => {
  const head = { owner: "gil", name: "tree" };
  it("counts operations, not requests, and not the question for a password", async () => {
    const gil = await server.person("gil");
    await server.api("POST", "/repos", { token: gil.token, body: { name: head.name } });
    const tree = await git.workTree();
    const address = addressWithToken(server.webUrl, "gil/tree", gil.token);
    const remaining = async () =>
      (await server.api("GET", "/rate_limit", { token: gil.token })).json.resources.find(
        (r: { resource: string }) => r.resource === "git",
      ).remaining;
    await git.ok(["push", "-q", address, "main"], { cwd: tree });
    expect(await remaining()).toBe(5);
    await git.ok(["clone", "-q", address, `${git.home}/cloned`]);
    expect(await remaining()).toBe(4);
    await git.ok(["-C", `${git.home}/cloned`, "fetch", "-q"]);
    expect(await remaining()).toBe(3);
    expect((await server.api("GET", "//gil/tree.git/info/refs?service=git-upload-pack")).status).toBe(401);
    for (let i = 0; i < 3; i++) await git.ok(["ls-remote", address]);
    const refused = await git.run(["ls-remote", address]);
    expect(refused.stderr).toContain("429");
    const answer = await server.api("GET", "//gil/tree.git/info/refs?service=git-upload-pack", {
      token: gil.token,
    });
    expect(answer).toMatchObject({ status: 429, headers: { "x-ratelimit-resource": "git" } });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(3500);
    expect((await server.api("GET", "/user", { token: gil.token })).status).toBe(200);
  });
});

describe("limits of single users", () => {
  it("are set by administrators, audited, and take effect", async () => {
    const admin = await server.person("root", { isAdmin: true });
    const ned = await server.person("ned");
    const set = (body: unknown, token = admin.token) =>
      server.api("PUT", "/admin/users/NED/limits", { token, body });
    const stranger = await server.person("sid");
    expect((await set({ core: 10 }, stranger.token)).status).toBe(403);
    expect((await set({ core: 0 })).status).toBe(422);
    expect((await set({ webhook: 5 })).status).toBe(422);
    expect(
      (await server.api("PUT", "/admin/users/nobody/limits", { token: admin.token, body: {} })).status,
    ).toBe(404);
    const answer = await set({ core: 7 });
    expect(answer.json.limits).toContainEqual({
      resource: "core",
      limit: 7,
      window_seconds: 3600,
      custom: true,
    });
    const answers = [];
    for (let i = 0; i < 9; i++) answers.push(await server.api("GET", "/user", { token: ned.token }));
    expect(answers.map(({ status }) => status)).toEqual([...Array(7).fill(200), 429, 429]);
    expect(answers[0]?.headers["x-ratelimit-limit"]).toBe("7");
    const rows = await server.container.platform.db.query(
      "select action, details from audit_log where target_id = $1",
      [ned.id],
    );
    expect(rows).toEqual([
      { action: "admin.limits_change", details: { old_limits: {}, limits: { core: 7 } } },
    ]);
    expect((await set({})).json.limits).toContainEqual({
      resource: "core",
      limit: 5000,
      window_seconds: 3600,
      custom: false,
    });
    expect((await server.api("GET", "/rate_limit", { token: ned.token })).json.resources[0]).toMatchObject({
      limit: 5000,
      used: 7,
    });
  });
});

function throughProxy(
  to: ApiServer,
  forwardedFor: string,
  { path = "/api/v1/openapi.json", headers = {} as Record<string, string> } = {},
): Promise<Pick<ApiAnswer, "headers" | "status">> {
  const all = { ...headers, "X-Forwarded-For": forwardedFor, "X-Forwarded-Proto": "https" };
  return new Promise((resolve, reject) => {
    plainRequest(`http://127.0.0.1:${to.httpPort}${path}`, { headers: all, agent: false }, (res) => {
      res.resume();
      resolve({ status: res.statusCode ?? 0, headers: res.headers });
    })
      .on("error", reject)
      .end();
  });
}

async function upgradeStatus(path: string): Promise<number> {
  const socket = connect({
    host: "127.0.0.1",
    port: server.httpsPort,
    ca: server.ca,
    servername: "localhost",
  });
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nOrigin: ${server.webUrl}\r\n\r\n`,
  );
  return Number((await text(socket)).split(" ")[1]);
}
