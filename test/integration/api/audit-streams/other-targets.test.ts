/** Streams of audit logs to a bucket, and to receivers of syslog. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import { startAuditStreamBed, streamPath, type AuditStreamBed } from "../../../support/audit-stream-bed.ts";
import { readBed } from "../../../support/bed.ts";
import { eventually } from "../../../support/eventually.ts";
import { startRsyslog } from "../../../support/rsyslog.ts";
import { s3Keys, startS3Gateway, type S3Gateway } from "../../../support/s3-gateway.ts";
import {
  startCuttingProxy,
  startSyslogReceiver,
  takeAll,
  type SyslogReceiver,
} from "../../../support/syslog-receiver.ts";

let bed: AuditStreamBed;
let gateway: S3Gateway;
let receiver: SyslogReceiver;
beforeAll(async () => {
  [bed, gateway, receiver] = await Promise.all([
    startAuditStreamBed("audit-targets", 1_000),
    startS3Gateway((await readBed()).certificates),
    startSyslogReceiver(),
  ]);
  await bed.record(230);
});
afterAll(async () => {
  await bed?.close();
  await gateway?.stop();
  await receiver?.close();
});
afterEach(async () => {
  await bed.send("DELETE", streamPath);
});

const put = (body: object) => bed.send("PUT", streamPath, body);
const toBucket = (more: object = {}) => ({
  name: gateway.bucket,
  endpoint: gateway.endpoint,
  prefix: "audit/",
  access_key_id: s3Keys.accessKeyId,
  secret_access_key: s3Keys.secretAccessKey,
  ...more,
});

async function failing(): Promise<{ last_error: string }> {
  return eventually(async () => {
    const { json } = await bed.send("GET", streamPath);
    return json["status"] === "failing" && (json as { last_error: string });
  });
}

async function objects(): Promise<Map<string, string>> {
  const names = (await readdir(gateway.directory, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return new Map(
    await Promise.all(
      names
        .toSorted()
        .map(async (name) => [name, await readFile(join(gateway.directory, name), "utf8")] as const),
    ),
  );
}

test("a bucket gets an object for each batch, which has the same name when it is sent again", async () => {
  expect((await put({ bucket: toBucket(), start_seq: 1 })).json).toMatchObject({
    url: null,
    bucket: { name: gateway.bucket, endpoint: gateway.endpoint, prefix: "audit/", region: "us-east-1" },
  });
  await bed.upToDate();
  const stored = await objects();
  const entries = await bed.entries();
  const day = entries[0]?.timestamp.slice(0, 10).replaceAll("-", "/");
  expect([...stored.keys()].slice(0, 2)).toEqual([
    `audit/${day}/000000000001-000000000100.jsonl`,
    `audit/${day}/000000000101-000000000200.jsonl`,
  ]);
  const lines = [...stored.values()].flatMap((text) => text.trimEnd().split("\n"));
  expect(lines.map((line) => JSON.parse(line) as AuditEntry)).toEqual(entries);
  await put({ start_seq: 101 });
  await bed.upToDate();
  const again = await objects();
  for (const [name, text] of [...stored].slice(0, 2)) expect(again.get(name)).toBe(text);
  expect((await bed.send("POST", `${streamPath}/test`)).json).toMatchObject({ accepted: true });
  expect([...(await objects()).keys()].at(-1)).toMatch(/^audit\/test\/evt_\w+\.jsonl$/);
});

test("a bucket that refuses says why in the words of S3; its secret is asked for again with another key", async () => {
  await put({ bucket: toBucket({ secret_access_key: "another-secret" }) });
  expect((await failing()).last_error).toBe("The bucket answered with status 403 (SignatureDoesNotMatch).");
  const { secret_access_key: _secret, ...without } = toBucket();
  await put({ bucket: { ...without, name: "no-such-bucket" } });
  expect((await failing()).last_error).toMatch(/^The bucket answered with status 40\d/);
  const other = await put({ bucket: { ...without, access_key_id: "SOMEBODYELSE" } });
  expect(other.json["errors"][0]).toMatchObject({ field: "bucket.secret_access_key", code: "required" });
  await put({ bucket: toBucket() });
  await bed.upToDate();
  // What is left out stays as it is.
  expect((await put({ bucket: { prefix: "elsewhere/" } })).json["bucket"]).toMatchObject({
    ...without,
    prefix: "elsewhere/",
  });
  const aws = await put({
    bucket: { ...toBucket(), endpoint: "https://s3.us-east-1.amazonaws.com" },
    enabled: false,
  });
  expect(aws.json["bucket"]).toMatchObject({ region: "us-east-1" });
  expect(
    (await put({ bucket: { region: "eu-west-1", secret_access_key: "for-the-region" } })).json["bucket"],
  ).toMatchObject({
    endpoint: "https://s3.eu-west-1.amazonaws.com",
  });
});

/** Of RFC 5424: what comes before the text. */
const header = /^<110>1 (\S+) localhost forgeline - audit \[meta sequenceId="(\d+)"\] /;

test("a receiver of syslog gets a message for each entry, with the entry as JSON", async () => {
  const syslog = { host: "localhost", port: receiver.port };
  expect((await put({ syslog, start_seq: 1 })).json).toMatchObject({ url: null, syslog });
  await bed.upToDate();
  const entries = await bed.entries();
  expect(receiver.messages.map((message) => JSON.parse(message.replace(header, "")) as AuditEntry)).toEqual(
    entries,
  );
  expect(receiver.messages.map((message) => header.exec(message)?.slice(1))).toEqual(
    entries.map(({ timestamp, seq }) => [timestamp, String(seq)]),
  );
  expect((await bed.send("POST", `${streamPath}/test`)).json).toMatchObject({ accepted: true });
  expect(receiver.messages.at(-1)).toMatch(/^<110>1 \S+ localhost forgeline - audit - \{"id":"evt_/);
});

test("what a receiver of syslog may not have read is sent again", async () => {
  let met = 0;
  receiver.meet = (reset) => {
    met += 1;
    if (met === 1) reset();
    return met > 1;
  };
  receiver.messages.length = 0;
  await put({ syslog: { host: "localhost", port: receiver.port } });
  expect((await failing()).last_error).toBe("The endpoint could not be reached, or closed the connection.");
  await bed.record(20);
  await bed.upToDate();
  const ids = receiver.messages.map((message) => (JSON.parse(message.replace(header, "")) as AuditEntry).id);
  expect([...new Set(ids)]).toEqual((await bed.entries()).slice(-21).map(({ id }) => id));
  receiver.meet = takeAll;
});

test("a connection that is cut on the way is not taken for one that the receiver has closed", async () => {
  const cutting = await startCuttingProxy(receiver.port, 3);
  receiver.meet = takeAll;
  try {
    await put({ syslog: { host: "localhost", port: cutting.port }, start_seq: 1 });
    expect((await failing()).last_error).toBe("The endpoint could not be reached, or closed the connection.");
  } finally {
    await cutting.close();
  }
});

test("rsyslog takes what we send", async () => {
  const rsyslog = await startRsyslog();
  try {
    await put({ syslog: { host: "localhost", port: rsyslog.port }, start_seq: 1 });
    await bed.upToDate();
    const entries = await bed.entries();
    await eventually(async () => (await rsyslog.messages()).length === entries.length);
    const messages = await rsyslog.messages();
    expect(messages.map(({ entry }) => entry)).toEqual(entries);
    expect(messages[4]?.header).toBe(
      `110 ${entries[4]?.timestamp} localhost forgeline audit [meta sequenceId="5"]`,
    );
  } finally {
    await rsyslog.stop();
  }
});

test("a certificate that another authority signed is not accepted", async () => {
  const { ca } = bed.server;
  const other = await bed.send("PUT", streamPath, {
    syslog: { host: "localhost", port: receiver.port },
    ca_certificate: String(ca),
  });
  expect(other.status, other.text).toBe(200);
  await bed.upToDate();
  await put({ ca_certificate: rootCertificates[0] ?? "" });
  expect((await failing()).last_error).toBe("The certificate of the endpoint is not trusted here.");
});
