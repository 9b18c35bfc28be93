import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ErrorBody } from "@forgeline/schemas/core/error-body.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
});
afterAll(() => server.stop());

const newToken = { name: "x", scopes: ["user:read"] };

test("lists are paged, with links and counts", async () => {
  const kim = await server.person("kim");
  for (let i = 0; i < 6; i++) await server.tokenFor(kim, ["user:read"]);
  const second = await server.api("GET", "/user/tokens?page=2&per_page=3", { token: kim.token });
  expect(second.json).toHaveLength(3);
  expect(second.headers).toMatchObject({
    "x-total-count": "7",
    "x-page": "2",
    "x-per-page": "3",
    "x-total-pages": "3",
  });
  const at = (page: number, rel: string) =>
    `<${server.baseUrl}/user/tokens?page=${page}&per_page=3>; rel="${rel}"`;
  expect(second.headers["link"]).toBe(
    [at(1, "first"), at(1, "prev"), at(3, "next"), at(3, "last")].join(", "),
  );
  const past = await server.api("GET", "/user/tokens?page=9&per_page=1000", { token: kim.token });
  expect(past.json).toEqual([]);
  expect(past.headers["x-per-page"]).toBe("100");
});

test.each(["page=0", "page=x", "page=1.5", "page=", "per_page=-1", "page=1&page=2", "colour=red"])(
  "refuses the query %s with 400",
  async (query) => {
    const answer = await server.api("GET", `/user/tokens?${query}`, { token: ada.token });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: "bad_request", errors: [{ field: query.split("=")[0] }] });
  },
);

test("refuses bad JSON, other types, and bodies that are too large", async () => {
  const post = (body: string, headers = {}) =>
    server.api("POST", "/user/tokens", { token: ada.token, body, headers });
  expect(await post("{")).toMatchObject({ status: 400, json: { error: "bad_request" } });
  expect(
    (await server.api("POST", "/user/tokens", { token: ada.token, body: Buffer.from([0x7b, 0xff, 0x7d]) }))
      .status,
  ).toBe(400);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"])
    expect(await post("{}", { "Content-Type": type })).toMatchObject({
      status: 415,
      json: { error: "unsupported_media_type" },
    });
  expect((await post("{}", { "Content-Encoding": "gzip" })).status).toBe(415);
  expect(await post(`"${"x".repeat(64 * 1024)}"`)).toMatchObject({
    status: 413,
    json: { error: "payload_too_large" },
  });
  expect((await post("[]")).status).toBe(422);
  const empty = await server.api("POST", "/user/tokens", { token: ada.token });
  expect(empty.json.errors.map((e: { field: string }) => e.field)).toEqual(["name", "scopes"]);
});

test("of many wrong fields the first are told, shortened, and that there are more", async () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, 0]));
  const long = "é".repeat(5_000);
  const answer = await server.api("POST", "/user/tokens", {
    token: ada.token,
    body: { ...newToken, [long]: 0, ...fields },
  });
  expect(answer).toMatchObject({ status: 422, json: { error: "validation_failed" } });
  expect(answer.json.message).toContain("These are the first 20 errors; there are more.");
  const told = answer.json.errors as { field: string }[];
  expect(told.map(({ field }) => field).slice(0, 2)).toEqual([`${"é".repeat(200)}…`, "f0"]);
  expect(told).toHaveLength(20);
  expect(answer.text.length).toBeLessThan(5_000);
  const query = Array.from({ length: 500 }, (_, n) => `q${n}=1`).join("&");
  const asked = await server.api("GET", `/user?${query}`, { token: ada.token });
  expect(asked).toMatchObject({ status: 400, json: { error: "bad_request" } });
  expect(asked.json.errors).toHaveLength(20);
});

test("what carries pipeline files takes a larger body, and none takes more members than anything needs", async () => {
  await server.api("POST", "/repos", { token: ada.token, body: { name: "linted" } });
  const lint = (body: string) =>
    server.api("POST", "/repos/ada/linted/pipelines/lint", { token: ada.token, body });
  expect((await lint(JSON.stringify({ content: `# ${"[,".repeat(50_000)}` }))).status).toBe(200);
  const many = await lint(`{"content":[${"0,".repeat(11_000)}0]}`);
  expect(many).toMatchObject({
    status: 413,
    json: { message: "The body can have at most 10,000 fields and entries in total." },
  });
  expect((await lint("[".repeat(500_000))).status).toBe(413);
});

test("knows unknown paths and methods, and names every answer", async () => {
  const unknown = await server.api("GET", "/nothing");
  expect(unknown).toMatchObject({ status: 404, json: { error: "not_found" } });
  expect(unknown.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  const put = await server.api("PUT", "/user/tokens");
  expect(put).toMatchObject({ status: 405, json: { error: "method_not_allowed" } });
  expect(put.headers["allow"]).toBe("GET, POST, HEAD");
  expect((await server.api("GET", "/user/%E0%A4%A")).status).toBe(404);
  expect((await server.api("GET", "//%2e%2e/etc/passwd")).status).toBe(404);
  const head = await server.api("HEAD", "/user", { token: ada.token });
  expect([head.status, head.text]).toEqual([200, ""]);
});

test.each([
  ["OPTIONS", "/user/passkeys/challenges", "POST"],
  ["GET", "/user/passkeys/challenges", "POST"],
  ["HEAD", "/user/sessions/passkeys", "POST"],
  ["PATCH", "/runners/register", "POST"],
  ["GET", "/repos/ada/none/pipelines/lint", "POST"],
  ["DELETE", "/orgs/guild/teams/smiths/masters/members", "GET, HEAD"],
  ["PATCH", "/orgs/guild/teams/smiths/repos/code", "PUT, DELETE"],
])(
  "%s %s is not the record of that name: its address has methods of its own",
  async (method, path, allow) => {
    const answer = await server.api(method, path, { token: ada.token, body: {} });
    expect([answer.status, answer.headers["allow"]?.split(", ").sort()]).toEqual([
      405,
      allow.split(", ").sort(),
    ]);
  },
);

test("a matching entity tag gives 304, and nobody else's ever matches", async () => {
  const first = await server.api("GET", "/user", { token: ada.token });
  const tag = first.headers.etag ?? "";
  expect(tag).toMatch(/^"[\w-]{32}"$/);
  expect(first.headers).toMatchObject({
    "cache-control": "private, no-cache",
    vary: "Authorization, Cookie",
  });
  const again = await server.api("GET", "/user", {
    token: ada.token,
    headers: { "If-None-Match": `"a", W/${tag}` },
  });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, "", tag]);

  const meta = await server.api("GET", "/meta", { token: ada.token });
  const stranger = await server.api("GET", "/meta", {
    headers: { "If-None-Match": meta.headers.etag ?? "" },
  });
  expect(stranger.status).toBe(200);
  const refused = await server.api("GET", "/user", { headers: { "If-None-Match": "*" } });
  expect([refused.status, refused.headers.etag]).toEqual([401, undefined]);
});

test("Idempotency-Key: the first answer again, refused for another body", async () => {
  const post = (key: string, body: unknown, person = ada) =>
    server.api("POST", "/repos", { token: person.token, body, headers: { "Idempotency-Key": key } });
  const first = await post("k1", { name: "one" });
  expect(first.status).toBe(201);
  const again = await post("k1", { name: "one" });
  expect([again.status, again.text, again.headers.location]).toEqual([
    201,
    first.text,
    first.headers.location,
  ]);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(await post("k1", { name: "two" })).toMatchObject({
    status: 422,
    json: { errors: [{ code: "reused" }] },
  });
  const bob = await server.person("bob");
  expect((await post("k1", { name: "two" }, bob)).status).toBe(201);
  expect((await post("bad key", { name: "three" })).status).toBe(400);
  // A refusal is not kept: the same key may be used once the cause is gone.
  expect((await post("k2", { name: "one" })).status).toBe(409);
  expect((await post("k2", { name: "four" })).status).toBe(201);
});

test("Idempotency-Key: ten at once make one record", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      server.api("POST", "/repos", {
        token: ada.token,
        body: { name: "many" },
        headers: { "Idempotency-Key": "many" },
      }),
    ),
  );
  expect(answers.every((a) => a.status === 201 || a.status === 409)).toBe(true);
  expect(new Set(answers.filter((a) => a.status === 201).map((a) => a.json.id)).size).toBe(1);
});

test("Idempotency-Key: may be used again a minute after its server died, and a day after its answer", async () => {
  const post = (name: string) =>
    server.api("POST", "/repos", { token: ada.token, body: { name }, headers: { "Idempotency-Key": "old" } });
  const age = (change: string) =>
    server.container.platform.db.query(`update idempotency_keys set ${change} where key = 'old'`);
  expect((await post("unanswered")).status).toBe(201);
  await age("status = null, headers = null, body = null");
  expect(await post("unanswered")).toMatchObject({ status: 409, headers: { "retry-after": "1" } });
  await age("created_at = now() - interval '61 seconds'");
  expect((await post("answered")).status).toBe(201);
  await age("created_at = now() - interval '23 hours'");
  expect((await post("answered")).headers["idempotency-replayed"]).toBe("true");
  await age("created_at = now() - interval '25 hours'");
  expect((await post("next-day")).status).toBe(201);
});

test("Idempotency-Key: works for addresses of any length", async () => {
  await server.api("POST", "/repos", { token: ada.token, body: { name: "long" } });
  const path = `/repos/ada/long/pipelines/${randomBytes(3000).toString("hex")}/cancel`;
  const headers = { "Idempotency-Key": "long" };
  expect((await server.api("POST", path, { token: ada.token, body: {}, headers })).status).toBe(404);
});

test("Idempotency-Key: a secret is not shown again, the record is named", async () => {
  const post = () =>
    server.api("POST", "/user/tokens", {
      token: ada.token,
      body: newToken,
      headers: { "Idempotency-Key": "t1" },
    });
  const first = await post();
  const again = await post();
  expect(again).toMatchObject({ status: 409, json: { error: "conflict", record: first.json.url } });
  expect(z.strictObject(ErrorBody.shape).parse(again.json)).toEqual(again.json);
  const stored = await server.container.platform.db.query("select body, headers from idempotency_keys");
  expect(JSON.stringify(stored)).not.toContain("svc_pat_");
});

test("plain HTTP is refused, whatever it carries", async () => {
  const answer = await new Promise<{
    status: number;
    text: string;
    connection: string | undefined;
    requestId: unknown;
  }>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${ada.token}`, "X-Forwarded-Proto": "https" };
    const req = httpRequest({ port: server.httpPort, path: "/api/v1/user", headers }, (res) => {
      let text = "";
      res.on("data", (chunk) => (text += String(chunk)));
      res.on("end", () =>
        resolve({
          status: res.statusCode ?? 0,
          text,
          connection: res.headers.connection,
          requestId: res.headers["x-request-id"],
        }),
      );
    });
    req.on("error", reject).end();
  });
  expect(answer).toMatchObject({ status: 403, connection: "close", requestId: expect.any(String) });
  expect(JSON.parse(answer.text)).toMatchObject({ error: "https_required" });
});

test("forwarded headers from outside have no effect on the recorded address", async () => {
  const created = await server.api("POST", "/user/tokens", {
    token: ada.token,
    body: newToken,
    headers: { "X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", Forwarded: "for=203.0.113.9" },
  });
  const row = await server.container.platform.db.one<{ ip_address: string }>(
    "select ip_address from audit_log where target_id = $1",
    [created.json.id],
  );
  expect(["127.0.0.1", "::1"]).toContain(row?.ip_address);
});
