/** Large bodies that are sent at once and do not end: they have their bounds in memory before a byte of them is read. */
import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";

const mib = 1024 * 1024;
const largest = 14 * mib;
const maxInAll = 256 * mib;

let server: ApiServer;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await personWithRepository("ada");
});
afterAll(() => server?.stop());

async function personWithRepository(name: string): Promise<TestPerson> {
  const person = await server.person(name);
  expect((await makeRepository(person, "code")).status).toBe(201);
  return person;
}

function makeRepository({ token }: TestPerson, name: string) {
  return server.api("POST", "/repos", { token, body: { name } });
}

/** Says how much it sends, and sends nothing. */
function begin({ token, username }: TestPerson, bytes = largest): ClientRequest {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Content-Length": bytes,
  };
  const address = `${server.baseUrl}/repos/${username}/code/contents/large`;
  const call = request(address, { method: "PUT", ca: server.ca, agent: false, headers });
  call.on("error", () => undefined);
  call.flushHeaders();
  return call;
}

async function reserved(): Promise<number> {
  const text = await server.container.platform.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith("forgeline_http_body_bytes "));
  return Number(line?.split(" ").at(-1));
}

test("of one user so much is received at a time; what goes away frees its room", async () => {
  const calls = Array.from({ length: 4 }, () => begin(ada));
  await eventually(async () => (await reserved()) === 4 * largest);
  const fifth = begin(ada);
  const [answer] = (await once(fifth, "response")) as [IncomingMessage];
  expect(answer).toMatchObject({ statusCode: 429, headers: { "retry-after": "5", connection: "close" } });
  await personWithRepository("bob");
  for (const call of [...calls, fifth]) call.destroy();
  await eventually(async () => (await reserved()) === 0);
});

test("of all together so much is received; what is small always has room", async () => {
  const people = await Promise.all(["cleo", "dan", "eve", "fay", "gil"].map(personWithRepository));
  const sizes = Array.from({ length: Math.floor(maxInAll / largest) }, () => largest);
  sizes.push(maxInAll % largest);
  const calls = sizes.map((bytes, n) => begin(people[Math.floor(n / 4)] as TestPerson, bytes));
  await eventually(async () => (await reserved()) === maxInAll);
  const late = begin(ada);
  const [answer] = (await once(late, "response")) as [IncomingMessage];
  expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "5" } });
  expect((await makeRepository(ada, "small")).status).toBe(201);
  for (const call of [...calls, late]) call.destroy();
  await eventually(async () => (await reserved()) === 0);
});

test("bodies for Git LFS take of the same room", async () => {
  const headers = {
    "Content-Type": "application/vnd.git-lfs+json",
    "Content-Length": mib,
    Authorization: `Basic ${Buffer.from(`ada:${ada.token}`).toString("base64")}`,
  };
  const address = `${new URL(server.baseUrl).origin}/ada/code.git/info/lfs/objects/batch`;
  const calls = Array.from({ length: 64 }, () => {
    const call = request(address, { method: "POST", ca: server.ca, agent: false, headers });
    call.on("error", () => undefined);
    call.flushHeaders();
    return call;
  });
  await eventually(async () => (await reserved()) === 64 * mib);
  const late = begin(ada);
  const [answer] = (await once(late, "response")) as [IncomingMessage];
  expect(answer).toMatchObject({ statusCode: 429 });
  for (const call of [...calls, late]) call.destroy();
  await eventually(async () => (await reserved()) === 0);
});
