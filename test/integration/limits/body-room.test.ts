/** Large bodies that are sent at once and do not end: they have their bounds in memory before a byte of them is read. */
import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";

const largest = 14 * 1024 * 1024;

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } });
});
afterAll(() => server?.stop());

/** Says how much it sends, and sends nothing. */
function begin(): ClientRequest {
  const headers = {
    Authorization: `Bearer ${ada.token}`,
    "Content-Type": "application/json",
    "Content-Length": largest,
  };
  const address = `${server.baseUrl}/repos/ada/code/contents/large`;
  const call = request(address, { method: "PUT", ca: server.ca, agent: false, headers });
  call.on("error", () => undefined);
  call.flushHeaders();
  return call;
}

async function reserved(): Promise<number> {
  const text = await server.container.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith("forgeline_http_body_bytes "));
  return Number(line?.split(" ").at(-1));
}

test("of one user so much is received at a time; what goes away frees its room", async () => {
  const calls = Array.from({ length: 4 }, begin);
  await eventually(async () => (await reserved()) === 4 * largest);
  const fifth = begin();
  const [answer] = (await once(fifth, "response")) as [IncomingMessage];
  expect(answer).toMatchObject({ statusCode: 429, headers: { "retry-after": "5", connection: "close" } });
  const bob = await server.person("bob");
  const made = await server.api("POST", "/repos", { token: bob.token, body: { name: "code" } });
  expect(made.status).toBe(201);
  for (const call of [...calls, fifth]) call.destroy();
  await eventually(async () => (await reserved()) === 0);
});
