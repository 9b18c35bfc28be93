/**
 * Requests that no honest program sends: headers twice, too many or too large, bodies of other kinds, and credentials that
 * are not one. Each has a clear answer in JSON with a request id, and none changes anything. Fields of bodies:
 * `bad-fields.test.ts`; paths in `contents`: `test/integration/api/contents/write-files.test.ts`.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashToken, newAccessToken } from "@forgeline/server/platform/credentials/credential.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { databaseState, type DatabaseState } from "../support/database-state.ts";
import { rawRequest, sendRaw, type RawAnswer } from "../support/raw-https.ts";

let server: ApiServer;
let state: DatabaseState;
let ada: TestPerson;
let host: string;
let bearer: string;
beforeAll(async () => {
  server = await startApiServer();
  state = await databaseState(server.database);
  ada = await server.person("ada");
  host = `Host: localhost:${server.httpsPort}`;
  bearer = `Authorization: Bearer ${ada.token}`;
});
afterAll(async () => {
  await state?.close();
  await server?.stop();
});

const json = "Content-Type: application/json";
const body = JSON.stringify({ name: "new", private: true });
const length = `Content-Length: ${body.length}`;
const create = "POST /api/v1/repos";
const stackTrace = /\bat .+:\d+:\d+|node_modules|\.ts\b/;

async function refused(text: string | Buffer, expected: { status: number; error: string; message?: RegExp }) {
  const before = await state.read();
  const answer = await sendRaw(server, text);
  expect([answer.status, errorOf(answer).error]).toEqual([expected.status, expected.error]);
  expect(answer.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
  expect(answer.body).not.toMatch(stackTrace);
  expect(errorOf(answer).message).toMatch(expected.message ?? /\.$/);
  expect(await state.read()).toEqual(before);
}

function errorOf(answer: RawAnswer): { error: string; message: string } {
  return JSON.parse(answer.body) as { error: string; message: string };
}

test("the request that all these are made from is accepted, and seen in the state", async () => {
  const before = await state.read();
  const answer = await sendRaw(server, rawRequest(create, [host, bearer, json, length], body));
  expect(answer.status).toBe(201);
  expect(await state.read()).not.toEqual(before);
});

const mallory = `Authorization: Bearer ${newAccessToken("pat")}`;

test.each([
  ["Authorization", () => [host, bearer, mallory, json, length]],
  ["Authorization, in other letters", () => [host, mallory, bearer.toUpperCase(), json, length]],
  ["Authorization, the same", () => [host, bearer, bearer, json, length]],
  ["Content-Type", () => [host, bearer, json, "Content-Type: text/plain", length]],
  ["Host", () => [host, "Host: evil.example", bearer, json, length]],
  ["Idempotency-Key", () => [host, bearer, json, length, "Idempotency-Key: a", "Idempotency-Key: b"]],
  ["Content-Length", () => [host, bearer, json, length, "Content-Length: 2"]],
  ["Content-Length and Transfer-Encoding", () => [host, bearer, json, length, "Transfer-Encoding: chunked"]],
  ["Transfer-Encoding", () => [host, bearer, json, "Transfer-Encoding: chunked, identity"]],
])("%s given twice is refused", async (_name, headers) => {
  await refused(rawRequest(create, headers(), body), { status: 400, error: "bad_request" });
});

test("huge headers and addresses are refused, as are very many", async () => {
  const tooLarge = { status: 400, error: "bad_request", message: /too large/ };
  await refused(rawRequest(create, [host, bearer, `X-Long: ${"x".repeat(20_000)}`]), tooLarge);
  await refused(rawRequest(`GET /api/v1/repos/${"x".repeat(20_000)}`, [host, bearer]), tooLarge);
  const many = Array.from({ length: 150 }, (_, i) => `X-${i}: 1`);
  await refused(rawRequest(create, [host, ...many, bearer, json, length], body), {
    status: 400,
    error: "bad_request",
    message: /headers/,
  });
});

test("what is no HTTP is refused", async () => {
  const unreadable = { status: 400, error: "bad_request", message: /valid HTTP/ };
  await refused("hello\r\n\r\n", unreadable);
  await refused(rawRequest("GET /api/v1/user\0", [host, bearer]), unreadable);
  await refused(rawRequest(create, [host, bearer, json, "X-Line: a\rb", length], body), unreadable);
  await refused(rawRequest("GET /api/v1/user", [host, bearer, "No colon"]), unreadable);
});

test.each(["text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "json", ""])(
  "a body of the type %j is refused",
  async (type) => {
    await refused(rawRequest(create, [host, bearer, `Content-Type: ${type}`, length], body), {
      status: 415,
      error: "unsupported_media_type",
    });
  },
);

test("a body without a type, compressed, cut off or endless is refused", async () => {
  const type = { status: 415, error: "unsupported_media_type" };
  await refused(rawRequest(create, [host, bearer, length], body), type);
  await refused(rawRequest(create, [host, bearer, json, length, "Content-Encoding: gzip"], body), type);
  const chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
  await refused(
    rawRequest(create, [host, bearer, json, "Transfer-Encoding: chunked"], chunk.repeat(17) + "0\r\n\r\n"),
    { status: 413, error: "payload_too_large" },
  );
});

test("a nested body without end, and keys that mean something to JavaScript, are refused", async () => {
  const max = 9_000;
  const deep = "[".repeat(max);
  const send = (text: string) => server.api("POST", "/repos", { token: ada.token, body: text });
  expect((await send(deep)).status).toBe(400);
  expect((await send(`${deep}${"]".repeat(max)}`)).status).toBe(422);
  expect((await send(deep.repeat(2))).status).toBe(413);
  for (const key of ["__proto__", "constructor", "toString"]) {
    const answer = await send(`{"name":"p","${key}":{"private":false}}`);
    expect([key, answer.status, answer.json.errors]).toEqual([
      key,
      422,
      [{ field: key, code: "unknown_field", message: "Unknown field." }],
    ]);
  }
  expect((await send('{"name":"one","name":{"two":2}}')).status).toBe(422);
});

test("a token that is cut, changed, foreign or dressed up is refused like none at all", async () => {
  const { token } = ada;
  const revoked = await server.tokenFor(ada, ["repo:write"]);
  const id = (await server.container.platform.db.one<{ id: string }>(
    "update access_tokens set revoked_at = now() where token_hash = $1 returning id",
    [hashToken(revoked)],
  ))!.id;
  expect(id).toMatch(/^tok_/);
  const before = await state.read();
  const tokens = {
    truncated: token.slice(0, -1),
    half: token.slice(0, 30),
    prefixAlone: "svc_pat_",
    longer: `${token}0`,
    changed: token.replace(/.$/, (c) => (c === "0" ? "1" : "0")),
    otherCase: token.toUpperCase(),
    ofAnotherInstance: newAccessToken("pat"),
    asBot: token.replace("svc_pat_", "svc_bot_"),
    asSession: token.replace("svc_pat_", "svc_session_"),
    asJob: token.replace("svc_pat_", "svc_job_"),
    itsHash: hashToken(token).toString("hex"),
    hashAsToken: `svc_pat_${createHash("sha256").update(token).digest("base64url")}`,
    revoked,
    sql: `svc_pat_' or '1'='1`,
    empty: "",
  };
  for (const [name, value] of Object.entries(tokens)) {
    const answer = await server.api("POST", "/repos", { token: value, body: { name: "stolen" } });
    expect([name, answer.status, answer.json.error]).toEqual([name, 401, "unauthorized"]);
    expect([name, answer.text.includes(value) && value !== ""]).toEqual([name, false]);
  }
  for (const Authorization of [token, `Token ${token}`, `Bearer ${token} x`, `Bearer  `, `Bearer\t${token}`])
    expect(
      (await server.api("POST", "/repos", { headers: { Authorization }, body: { name: "x" } })).status,
    ).toBe(401);
  expect(await state.read()).toEqual(before);
});

test("X-Forwarded-For and its like from outside change neither the address nor the scheme", async () => {
  const forged = ["X-Forwarded-For: 10.0.0.1", "X-Forwarded-Proto: http", "X-Forwarded-Host: evil.example"];
  const body = JSON.stringify({ name: "forwarded" });
  const headers = [
    host,
    bearer,
    json,
    `Content-Length: ${body.length}`,
    ...forged,
    "Forwarded: for=10.0.0.1",
  ];
  const answer = await sendRaw(server, rawRequest(create, headers, body));
  expect(answer.status).toBe(201);
  expect(answer.body).not.toContain("evil.example");
  const { id } = JSON.parse(answer.body) as { id: string };
  const row = await server.container.platform.db.one<{ ip_address: string }>(
    "select ip_address from audit_log where target_id = $1",
    [id],
  );
  expect(["127.0.0.1", "::1"]).toContain(row?.ip_address);
});
