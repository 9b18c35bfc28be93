/**
 * Rows 49 to 52: requests whose address a user chose reach the Internet and nothing else, in every spelling, whatever a
 * name says the second time, and no hostile answer holds or fills the server. Through the client, and as an issuer of single
 * sign-on; webhooks are in `49-52-webhooks.test.ts`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import type { ResolvedAddress } from "@forgeline/server/platform/outbound/checked-addresses.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { insideSpellings } from "../support/inside-spellings.ts";

let directory: string;
let sink: Server;
let port: number;
let ca: string;
let connections = 0;
let answer: RequestListener;
let server: ApiServer;
let owner: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-outbound-"));
  const { caFile, certFile, keyFile } = await ensureCertificates(directory, [
    "localhost",
    "127.0.0.1",
    "good.test",
  ]);
  ca = await readFile(caFile, "utf8");
  sink = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) }, (req, res) =>
    answer(req, res),
  );
  sink.on("connection", () => (connections += 1));
  // Both families, where the machine has both.
  await new Promise<void>((resolve, reject) => {
    sink.once("error", () => sink.listen(0, "127.0.0.1", resolve).once("error", reject));
    sink.listen(0, "::", resolve);
  });
  port = (sink.address() as AddressInfo).port;
  server = await startApiServer({ env: { FORGELINE_OUTBOUND_CA_FILE: caFile } });
  owner = (await server.person("olga")).token;
  await server.api("POST", "/orgs", { token: owner, body: { name: "acme" } });
});
afterAll(async () => {
  await server.stop();
  sink.closeAllConnections();
  sink.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(() => {
  connections = 0;
  answer = (_req, res) => res.end("hello");
});

const logger = { warn: () => undefined };
const outboundTo = (allow: string, resolve?: (host: string) => Promise<ResolvedAddress[]>) =>
  createOutbound({
    allowed: parseAddressRanges(allow).ranges,
    extraCa: ca,
    logger,
    ...(resolve ? { resolve } : {}),
  });
const get = { method: "GET", headers: {} };

test.each(insideSpellings)("%s is not called by the client, nor for an issuer", async (host) => {
  await expect(outboundTo("").fetch(`https://${host}:${port}/`, get)).rejects.toMatchObject({
    reason: "no_public_address",
  });
  const set = await server.api("PUT", "/orgs/acme/sso", {
    token: owner,
    body: { issuer: `https://${host}:${port}`, client_id: "x", client_secret: "y" },
  });
  expect([set.status, set.json.errors?.[0]?.field]).toEqual([422, "issuer"]);
  expect(connections).toBe(0);
});

test.each([
  "http://example.com",
  "ftp://example.com",
  "file:///etc/passwd",
  "https://a:b@example.com",
  "x",
  "",
])("%j is no address to call", async (address) => {
  await expect(outboundTo("").fetch(address, get)).rejects.toMatchObject({ reason: "address" });
});

test("a name is looked up once, and one bad address among good ones refuses it", async () => {
  const good = { address: "93.184.215.14", family: 4 };
  const bad = { address: "127.0.0.1", family: 4 };
  let asked = 0;
  // Good the first time, bad from then on: what was checked is what is dialled, so the sink is never reached.
  const rebinding = async () => [(asked += 1) === 1 ? { address: "192.0.2.1", family: 4 } : bad];
  const quick = { ...get, signal: AbortSignal.timeout(300) };
  await expect(
    outboundTo("192.0.2.0/24", rebinding).fetch(`https://good.test:${port}/`, quick),
  ).rejects.toBeInstanceOf(Error);
  expect([asked, connections]).toEqual([1, 0]);
  for (const found of [[good, bad], [bad, good], [good, { address: "::1", family: 6 }], []])
    await expect(
      outboundTo("", async () => found).fetch(`https://good.test:${port}/`, get),
    ).rejects.toMatchObject({ reason: "no_public_address" });
  expect(connections).toBe(0);
});

test("what the operator lists may be called, by its name and with its certificate", async () => {
  const here = async () => [{ address: "127.0.0.1", family: 4 }];
  const reached = await outboundTo("127.0.0.1", here).fetch(`https://good.test:${port}/`, get);
  expect([reached.status, await reached.text()]).toEqual([200, "hello"]);
  await expect(
    outboundTo("127.0.0.1", here).fetch(`https://elsewhere.test:${port}/`, get),
  ).rejects.toMatchObject({ reason: "untrusted_certificate" });
});

test("redirects are answers, and go nowhere", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    answer = (_req, res) => res.writeHead(status, { Location: `https://127.0.0.1:${port}/next` }).end();
    const moved = await outboundTo("127.0.0.1").fetch(`https://127.0.0.1:${port}/`, get);
    expect(moved.status).toBe(status);
  }
  expect(connections).toBe(5);
});

test("hostile answers end: too long, packed, cut, with huge headers, and what drips ends with the caller's patience", async () => {
  const outbound = outboundTo("127.0.0.1");
  const ask = (signal?: AbortSignal) =>
    outbound.fetch(`https://127.0.0.1:${port}/`, signal ? { ...get, signal } : get);
  answer = (_req, res) => {
    const more = () => {
      while (!res.destroyed && res.write("x".repeat(64 * 1024)));
      if (!res.destroyed) res.once("drain", more);
    };
    more();
  };
  await expect(ask()).rejects.toMatchObject({ reason: "answer_too_large" });
  answer = (_req, res) => res.setHeader("Content-Encoding", "gzip").end("x");
  await expect(ask()).rejects.toMatchObject({ reason: "answer_encoded" });
  answer = (_req, res) => res.setHeader("X", "x".repeat(1_000_000)).end();
  await expect(ask()).rejects.toMatchObject({ reason: "unreachable" });
  answer = (_req, res) => {
    res.write("x");
    res.socket?.destroy();
  };
  await expect(ask()).rejects.toMatchObject({ reason: "unreachable" });
  answer = (_req, res) => void res.write("x");
  await expect(ask(AbortSignal.timeout(200))).rejects.toMatchObject({ reason: "timeout" });
});

test("nothing else of the server calls out", async () => {
  const { globSync } = await import("node:fs");
  const callers: string[] = [];
  for (const file of globSync("server/**/*.ts", { exclude: (name) => name === "node_modules" })) {
    const text = await readFile(file, "utf8");
    if (/(?<![.\w])fetch\(["'`\w]|from "undici"|\brequest\b[^\n]*from "node:https?"/.test(text))
      callers.push(file);
  }
  expect(callers.toSorted()).toEqual([
    // To the endpoint that the operator has set.
    "server/domains/automation/traces/send-spans.ts",
    "server/platform/outbound/connections.ts",
    "server/platform/outbound/exchange.ts",
    "server/platform/outbound/outbound.ts",
  ]);
});
