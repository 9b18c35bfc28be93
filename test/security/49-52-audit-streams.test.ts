/**
 * Rows 49 to 52 for streams of audit logs: every kind of target is dialled at addresses that were checked and at no other, and a hostile
 * one neither holds a sender for ever nor fills its memory.
 */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBucketTarget } from "@forgeline/server/domains/automation/audit-streams/bucket-target.ts";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";
import type { ResolvedAddress } from "@forgeline/server/platform/outbound/checked-addresses.ts";
import { createOutbound } from "@forgeline/server/platform/outbound/outbound.ts";
import { readBed } from "../support/bed.ts";
import { startAuditStreamBed, streamPath, type AuditStreamBed } from "../support/audit-stream-bed.ts";
import { insideSpellings } from "../support/inside-spellings.ts";
import { startSyslogReceiver, type SyslogReceiver } from "../support/syslog-receiver.ts";
import { startReceiver, withoutEnd, type Receiver } from "../support/webhook-receiver.ts";

let bed: AuditStreamBed;
let receiver: Receiver;
let syslog: SyslogReceiver;
let silent: Server;
let ca: string;
let met = 0;

beforeAll(async () => {
  const { caFile } = (await readBed()).certificates;
  [bed, receiver, syslog, ca] = await Promise.all([
    startAuditStreamBed("audit-stream-targets"),
    startReceiver(),
    startSyslogReceiver(),
    readFile(caFile, "utf8"),
  ]);
  // It takes connections, and says nothing.
  silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  syslog.meet = () => {
    met += 1;
    return true;
  };
});
afterAll(async () => {
  await bed?.close();
  await receiver?.close();
  await syslog?.close();
  silent?.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const dial = (host: string, options: { allow?: string; resolve?: () => Promise<ResolvedAddress[]> } = {}) =>
  createOutbound({
    allowed: parseAddressRanges(options.allow ?? "").ranges,
    extraCa: ca,
    logger: { warn: () => undefined },
    ...(options.resolve ? { resolve: options.resolve } : {}),
  }).dialTls({ host, port: syslog.port, timeoutMs: 3_000, signal: AbortSignal.timeout(10_000) });

test.each(insideSpellings)("%s is not dialled", async (host) => {
  await expect(dial(host.replace(/^\[|\]$/g, ""))).rejects.toMatchObject({ reason: "no_public_address" });
  expect(met).toBe(0);
});

test("one bad address among good ones refuses a name, and it is looked up once", async () => {
  const good = { address: "127.0.0.1", family: 4 };
  const answers = [[good, { address: "10.0.0.1", family: 4 }], [good], [{ address: "10.0.0.1", family: 4 }]];
  const resolve = async () => answers.shift() ?? [];
  const options = { allow: "127.0.0.1", resolve };
  await expect(dial("localhost", options)).rejects.toMatchObject({ reason: "no_public_address" });
  const connection = await dial("localhost", options);
  connection.destroy();
  // What it would have been told the second time is still there.
  expect(answers).toHaveLength(1);
});

test("no bucket makes anything else dial", async () => {
  let dialled = 0;
  const inside = createServer(() => {
    dialled += 1;
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  const connections = createOutbound({
    allowed: parseAddressRanges("").ranges,
    extraCa: ca,
    logger: { warn: () => undefined },
  }).connect({ max: 1 });
  for (const name of ["audit", "a--use1-az4--x-s3", "a--op-s3", "mfzwi23gnjvgw.mrap"]) {
    const target = createBucketTarget(connections, {
      kind: "bucket",
      name,
      region: "us-east-1",
      endpoint: `https://127.0.0.1:${portOf(inside)}`,
      prefix: "",
      access_key_id: "KEY",
      secretAccessKey: "secret",
    });
    await expect(target.send({ lines: ["{}"], place: null }, AbortSignal.timeout(5_000))).rejects.toThrow(
      "leads to no address, or to one that is not public",
    );
  }
  inside.close();
  expect(dialled).toBe(0);
});

const trial = async (body: object) => {
  const { status, text } = await bed.send("PUT", streamPath, { enabled: false, ...body });
  expect(status, text).toBe(200);
  const tried = await bed.send("POST", `${streamPath}/test`);
  return { ...tried.json, text: tried.text } as {
    accepted: boolean;
    error: string;
    duration_ms: number;
    text: string;
  };
};

test("what a target answers is told as its status alone, and a body without end is cut", async () => {
  receiver.answer = (request, response, count) => {
    if (request.path === "/endless") withoutEnd(request, response, count);
    else response.writeHead(403, { "content-type": "text/plain" }).end("internal-metadata-canary");
  };
  const token = "token-of-the-stream";
  const refused = await trial({ url: `${receiver.url}/secret`, token });
  expect(refused.error).toBe("The endpoint answered with status 403; only 200 to 299 count as accepted.");
  expect(refused.text).not.toContain("canary");
  const endless = await trial({ url: `${receiver.url}/endless`, token });
  expect([endless.accepted, endless.error]).toEqual([
    false,
    "The endpoint answered with status 500; only 200 to 299 count as accepted.",
  ]);
  expect(endless.duration_ms).toBeLessThan(9_000);
});

test("a target that says nothing is given up after 10 seconds", { timeout: 30_000 }, async () => {
  const said = await trial({ syslog: { host: "localhost", port: portOf(silent) } });
  expect([said.accepted, said.error]).toEqual([false, "The endpoint did not respond within 10 seconds."]);
});
