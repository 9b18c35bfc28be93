/**
 * Rows 49 to 52 for webhooks: kept connections reach what was checked and nothing else, and what a hostile endpoint answers is
 * bounded in time and memory, and shown to nobody but those who run it. Row 6: who has no right any more is told nothing.
 */
import { gzipSync } from "node:zlib";
import { createServer as createPlainServer, type Server } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import type { ResolvedAddress } from "@forgeline/server/platform/outbound/checked-addresses.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { readBed } from "../support/bed.ts";
import { eventually } from "../support/eventually.ts";
import { insideSpellings } from "../support/inside-spellings.ts";
import { accepting, startReceiver, type Receiver } from "../support/webhook-receiver.ts";

let server: ApiServer;
let receiver: Receiver;
let ca: string;
let ada: TestPerson;
let port: number;
const stopping = new AbortController();
let following: Promise<void>;

beforeAll(async () => {
  const { caFile } = (await readBed()).certificates;
  [receiver, ca] = await Promise.all([startReceiver(), readFile(caFile, "utf8")]);
  port = Number(new URL(receiver.url).port);
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  server = await startApiServer({ env });
  ada = await server.person("ada");
  await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } });
  following = server.container.automation.followerRunner.run("webhooks", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await server?.stop();
  await receiver?.close();
});
beforeEach(() => {
  receiver.answer = accepting;
  receiver.received.length = 0;
});

const logger = { warn: () => undefined };
const connectionsTo = (allow: string, resolve?: (host: string) => Promise<ResolvedAddress[]>) =>
  createOutbound({
    allowed: parseAddressRanges(allow).ranges,
    extraCa: ca,
    logger,
    ...(resolve ? { resolve } : {}),
  }).connect({ max: 2 });
const post = (host: string, timeoutMs = 5_000) => ({
  url: `https://${host}:${port}/`,
  headers: {},
  body: "{}",
  maxResponseBytes: 65_536,
  timeoutMs,
});

test.each(insideSpellings)("%s is not dialled", async (host) => {
  const connections = connectionsTo("");
  await expect(connections.post(post(host))).rejects.toMatchObject({ reason: "no_public_address" });
  connections.close();
  expect(receiver.received).toEqual([]);
});

test("each new connection is checked, and one bad address among good ones refuses it", async () => {
  let found: ResolvedAddress[] = [{ address: "127.0.0.1", family: 4 }];
  const connections = connectionsTo("127.0.0.1", async () => found);
  await expect(connections.post(post("localhost"))).resolves.toMatchObject({ status: 204 });
  // A kept connection leads to where it was dialled, whatever the name says now; a new one is not made.
  found = [...found, { address: "10.0.0.1", family: 4 }];
  await expect(connections.post(post("localhost"))).resolves.toMatchObject({ status: 204 });
  const others = connectionsTo("127.0.0.1", async () => found);
  await expect(others.post(post("localhost"))).rejects.toMatchObject({ reason: "no_public_address" });
  for (const each of [connections, others]) each.close();
  expect(receiver.received).toHaveLength(2);
});

async function delivered(path: string, body: object = {}) {
  const hooks = "/repos/ada/code/webhooks";
  const send = (method: string, address: string, given?: object) =>
    server.api(method, address, { token: ada.token, ...(given ? { body: given } : {}) });
  const made = await send("POST", hooks, { url: `${receiver.url}${path}`, ...body });
  const hook = `${hooks}/${made.json["id"]}`;
  const ping = await send("POST", `${hook}/ping`);
  const shown = await eventually(
    async () => {
      const { json } = await send("GET", `${hook}/deliveries/${ping.json["id"]}`);
      return json["attempts_count"] === 1 && json;
    },
    { timeoutMs: 20_000 },
  );
  await send("DELETE", hook);
  return shown as {
    status: string;
    error: string | null;
    attempts: {
      status: number | null;
      response_body: string | null;
      duration_ms: number;
      response_truncated: boolean;
    }[];
  };
}

test("a redirect is a failure, and leads nowhere", async () => {
  receiver.answer = (_request, response) =>
    void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
  expect(await delivered("/moved")).toMatchObject({ status: "retrying", attempts: [{ status: 307 }] });
  expect(receiver.received.map(({ path }) => path)).toEqual(["/moved"]);
});

test("a body without end is cut at 64 KiB, and its status counts", async () => {
  receiver.answer = (_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  const { status, attempts } = await delivered("/endless");
  expect(status).toBe("delivered");
  expect(attempts[0]).toMatchObject({ status: 200, response_truncated: true });
  expect(attempts[0]?.response_body).toHaveLength(65_536);
});

test("what is packed is not unpacked, and headers have a limit", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  receiver.answer = (_request, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  expect((await delivered("/bomb")).attempts[0]).toMatchObject({
    response_body: "",
    response_truncated: true,
  });
  receiver.answer = (_request, response) => void response.setHeader("x", "x".repeat(1_000_000)).end();
  expect(await delivered("/headers")).toMatchObject({ status: "retrying", attempts: [{ status: null }] });
});

test("an endpoint that says nothing is left after ten seconds", async () => {
  receiver.answer = () => undefined;
  const { error, attempts } = await delivered("/silent");
  expect(error).toContain("10 seconds");
  expect(attempts[0]?.duration_ms).toBeLessThan(12_000);
});

test("certificates are always checked, also against an authority of one's own", async () => {
  const plain: Server = createPlainServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port: plainPort } = plain.address() as AddressInfo;
  const at = (url: string, body: object = {}) => delivered("", { url, ...body });
  expect(await at(`https://localhost:${plainPort}/`)).toMatchObject({ status: "retrying" });
  plain.close();
  const other = await readFile("test/security/other-authority.pem", "utf8");
  expect((await at(receiver.url, { ca_certificate: other })).error).toContain("not trusted");
  expect(await at(receiver.url, { ca_certificate: ca })).toMatchObject({ status: "delivered" });
});

test("the owner before learns nothing of a repository that has moved away", async () => {
  const send = (method: string, path: string, body: object) =>
    server.api(method, path, { token: ada.token, body });
  await send("POST", "/orgs", { name: "acme" });
  await send("POST", "/repos", { name: "secret", owner: "acme" });
  await send("POST", "/orgs/acme/webhooks", { url: `${receiver.url}/acme`, events: ["repository"] });
  await send("POST", "/repos/acme/secret/webhooks", {
    url: `${receiver.url}/secret`,
    events: ["repository"],
  });
  await send("PATCH", "/repos/acme/secret", { description: "before" });
  await eventually(() => receiver.received.length === 2);
  await send("POST", "/repos/acme/secret/transfer", { new_owner: "ada" });
  await send("PATCH", "/repos/ada/secret", { description: "after" });
  await send("POST", "/repos", { name: "last", owner: "acme" });
  await eventually(() => receiver.received.some(({ json }) => json["action"] === "created"));
  const told = receiver.received.map(({ path, json }) => `${path} ${String(json["action"])}`);
  expect(told.toSorted()).toEqual(["/acme created", "/acme edited", "/acme transferred", "/secret edited"]);
});
