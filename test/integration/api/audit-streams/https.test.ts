/** Streams of audit logs to an address: whole, in order, at least once, and as their owners say. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import {
  eventsOf,
  startAuditStreamBed,
  streamPath,
  type AuditStreamBed,
} from "../../../support/audit-stream-bed.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  accepting,
  refusing,
  resetting,
  startReceiver,
  withoutEnd,
  type Receiver,
} from "../../../support/webhook-receiver.ts";

let bed: AuditStreamBed;
let receiver: Receiver;
beforeAll(async () => {
  bed = await startAuditStreamBed("audit-streams");
});
afterAll(() => bed?.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await bed.send("DELETE", streamPath);
  await receiver.close();
});

const token = "token-of-the-stream";
const put = (body: object) => bed.send("PUT", streamPath, body);
const toReceiver = (more: object = {}) => put({ url: `${receiver.url}/audit`, token, ...more });
const eventsSent = () => eventsOf(receiver.received);

test("all entries arrive, in order, as the API shows them, at most 100 at a time", async () => {
  await bed.record(250);
  const { status, json } = await toReceiver({ start_seq: 1 });
  expect([status, json]).toMatchObject([
    200,
    { enabled: true, url: `${receiver.url}/audit`, bucket: null, syslog: null, last_error: null },
  ]);
  const stream = await bed.upToDate();
  const entries = await bed.entries();
  expect(eventsSent()).toEqual(entries);
  expect(entries.at(-1)?.action).toBe("audit.stream_create");
  expect(stream).toMatchObject({ last_sent_seq: entries.length, lag: 0, lag_seconds: 0, failures: 0 });
  expect(
    receiver.received.map(({ json: sent }) => (sent["events"] as AuditEntry[]).length).slice(0, 2),
  ).toEqual([100, 100]);
  const [first] = receiver.received;
  expect(first?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "x-svc-audit-log": "acme",
  });
});

test("without a beginning, it sends what is recorded from then on, soon", async () => {
  const before = (await bed.entries()).length;
  await toReceiver();
  await bed.upToDate();
  await bed.record(3);
  await eventually(() => eventsSent().length === 4, { timeoutMs: 10_000 });
  expect(eventsSent().map(({ seq }) => seq)).toEqual([1, 2, 3, 4].map((more) => before + more));
});

test.each([
  ["refuses", refusing(500), "The endpoint answered with status 500; only 200 to 299 count as accepted."],
  ["redirects", refusing(302), "The endpoint answered with status 302; only 200 to 299 count as accepted."],
  ["cuts the connection", resetting, "The endpoint could not be reached, or closed the connection."],
  [
    "answers without end",
    withoutEnd,
    "The endpoint answered with status 500; only 200 to 299 count as accepted.",
  ],
])(
  "a target that %s is tried again until it accepts, and nothing is missing",
  async (_name, answer, error) => {
    receiver.answer = answer;
    await toReceiver();
    await bed.record(5);
    const failing = await eventually(async () => {
      const { json } = await bed.send("GET", streamPath);
      return json["failures"] > 1 && json;
    });
    expect(failing).toMatchObject({ status: "failing", last_error: error });
    expect(failing["lag"]).toBeGreaterThan(0);
    expect(failing["next_attempt_at"]).not.toBeNull();
    const { work } = (await bed.send("GET", "/admin/work?kind=audit_stream&state=running")).json;
    expect(work[0]).toMatchObject({
      subject: { organization: "acme", repository: null, web_url: failing["web_url"] },
    });
    receiver.received.length = 0;
    receiver.answer = accepting;
    expect(await bed.upToDate()).toMatchObject({
      last_error: null,
      failing_since: null,
      next_attempt_at: null,
    });
    expect(eventsSent()).toEqual((await bed.entries()).slice(-6));
  },
);

test("one that refuses in the middle gets from there on, and no batch before the one that it refused", async () => {
  await bed.record(350);
  receiver.answer = (request, response, count) =>
    (count === 3 ? refusing(503) : accepting)(request, response, count);
  await toReceiver({ start_seq: 1 });
  const { last_sent_seq: last } = await bed.upToDate();
  const refused = receiver.received[2];
  expect(receiver.received[3]?.body).toBe(refused?.body);
  const events = eventsSent().map(({ seq }) => seq);
  events.splice(200, 100);
  expect(events).toEqual(Array.from({ length: last }, (_, index) => index + 1));
});

test("paused, it sends nothing; resumed, what has come meanwhile; and again from an entry on", async () => {
  await toReceiver();
  await bed.upToDate();
  expect((await put({ enabled: false })).json).toMatchObject({ status: "paused", enabled: false });
  receiver.received.length = 0;
  await bed.record(2);
  // Whoever is to start the streams for which entries wait has looked.
  const [task] = bed.server.container.automation.dueAuditStreams.periodicTasks;
  await task?.run(new AbortController().signal);
  expect((await bed.send("GET", streamPath)).json).toMatchObject({ status: "paused", lag: 3 });
  expect(receiver.received).toEqual([]);
  await put({ enabled: true });
  await bed.upToDate();
  expect(eventsSent().map(({ action }) => action)).toEqual([
    "audit.stream_update",
    "org.settings_change",
    "org.settings_change",
    "audit.stream_update",
  ]);
  receiver.received.length = 0;
  await put({ start_seq: 5 });
  await bed.upToDate();
  expect(eventsSent()[0]?.seq).toBe(5);
  const head = (await bed.entries()).length;
  const { status, json } = await put({ start_seq: head + 2 });
  expect([status, json["errors"][0]]).toEqual([
    422,
    {
      field: "start_seq",
      code: "too_large",
      message: `The log ends at ${head}: the next entry is ${head + 1}.`,
    },
  ]);
});

test("a receiver that does not know a new token yet gets the one before, for as long as that is valid", async () => {
  const known = new Set([token]);
  receiver.answer = (request, response, count) => {
    const [, given = ""] = request.headers.authorization?.split(" ") ?? [];
    (known.has(given) ? accepting : refusing(401))(request, response, count);
  };
  await toReceiver();
  await bed.upToDate();
  const { json } = await put({ token: "the-second-token" });
  const hours = (new Date(json["previous_token_until"]).getTime() - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  // Saying the same again changes nothing: the one before is still the one that the receiver knows.
  expect((await put({ token: "the-second-token" })).json["previous_token_until"]).toBe(
    json["previous_token_until"],
  );
  await bed.record(1);
  await bed.upToDate();
  expect(receiver.received.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  known.add("the-second-token");
  expect((await put({ previous_token_hours: 0 })).json["previous_token_until"]).toBeNull();
  await bed.upToDate();
  expect(receiver.received.at(-1)?.headers.authorization).toBe("Bearer the-second-token");
});

test("the button sends one entry that is not in the log, and says what came of it", async () => {
  await toReceiver({ enabled: false });
  const taken = await bed.send("POST", `${streamPath}/test`);
  expect([taken.status, taken.json]).toMatchObject([200, { accepted: true, error: null }]);
  expect(eventsSent()).toMatchObject([
    { action: "audit.stream_test", seq: null, actor: { username: "ada" } },
  ]);
  receiver.answer = refusing(404);
  expect((await bed.send("POST", `${streamPath}/test`)).json).toMatchObject({
    accepted: false,
    error: "The endpoint answered with status 404; only 200 to 299 count as accepted.",
  });
});

test("the instance's log has a stream of its own, for administrators", async () => {
  const path = "/admin/audit-log/stream";
  expect((await bed.send("GET", path)).status).toBe(404);
  const made = await bed.send("PUT", path, { url: `${receiver.url}/instance`, token });
  expect(made.json).toMatchObject({ api_url: `${bed.server.baseUrl}${path}` });
  await eventually(() => receiver.received.length > 0, { timeoutMs: 10_000 });
  expect(receiver.received[0]?.headers["x-svc-audit-log"]).toBe("instance");
  expect(eventsSent()[0]).toMatchObject({ action: "audit.stream_create", target: { type: "instance" } });
  const bob = await bed.server.person("bob");
  for (const at of [path, streamPath])
    expect((await bed.server.api("GET", at, { token: bob.token })).status).toBe(at === path ? 403 : 404);
  expect((await bed.send("DELETE", path)).status).toBe(204);
});

test("what cannot be a target is refused with what to do", async () => {
  const refused = async (body: object) => {
    const { status, json } = await put(body);
    return [
      status,
      (json["errors"] as { field: string; code: string }[])?.map(({ field, code }) => `${field} ${code}`),
    ];
  };
  expect(await refused({})).toEqual([422, ["url one_target"]]);
  expect(await refused({ url: receiver.url, token, syslog: { host: "logs.example.com" } })).toEqual([
    422,
    ["syslog one_target"],
  ]);
  expect(await refused({ url: receiver.url })).toEqual([422, ["token required"]]);
  expect(await refused({ url: "http://example.com/", token })).toEqual([422, ["url invalid"]]);
  expect(await refused({ url: "https://ada:secret@example.com/", token })).toEqual([422, ["url invalid"]]);
  expect(await refused({ url: "https://10.0.0.7/", token })).toEqual([422, ["url not_allowed"]]);
  expect(await refused({ syslog: { host: "169.254.169.254" } })).toEqual([422, ["syslog.host not_allowed"]]);
  const bucket = { name: "audit", access_key_id: "KEY" };
  expect(await refused({ bucket })).toEqual([422, ["bucket.secret_access_key required"]]);
  const secret = { secret_access_key: "secret-key" };
  expect(await refused({ bucket: { ...bucket, ...secret, endpoint: "http://s3.example.com" } })).toEqual([
    422,
    ["bucket.endpoint invalid"],
  ]);
  expect(await refused({ bucket: { ...bucket, ...secret, endpoint: "https://[::1]" } })).toEqual([
    422,
    ["bucket.endpoint not_allowed"],
  ]);
  expect(await refused({ bucket: { ...bucket, ...secret }, token })).toEqual([422, ["token not_allowed"]]);
  expect(await refused({ bucket: secret })).toEqual([422, ["bucket.name required"]]);
  for (const prefix of ["a/./b/", "../", "a/..", "/a", "a//b"])
    expect(await refused({ bucket: { ...bucket, ...secret, prefix } })).toEqual([
      422,
      ["bucket.prefix invalid"],
    ]);
  for (const host of ["logs.example.com:6514", "a..b", ".", "-a"])
    expect(await refused({ syslog: { host } })).toEqual([422, ["syslog.host invalid"]]);
  expect(await refused({ url: receiver.url, token, ca_certificate: "x" })).toEqual([
    422,
    ["ca_certificate invalid"],
  ]);
});

test("a token never goes to another host, is never shown, and parameters of an address are hidden", async () => {
  const url = `${receiver.url}/audit?key=secret-in-address`;
  const { json, text } = await put({ url, token, enabled: false });
  expect(json["url"]).toBe(`${receiver.url}/audit?key=***`);
  expect(text).not.toMatch(/secret-in-address|token-of-the-stream/);
  const other = await put({ url: "https://siem.example.com/" });
  expect(other.json["errors"][0]).toMatchObject({ field: "token", code: "required" });
  await put({ url: json["url"], enabled: true });
  await bed.upToDate();
  expect(receiver.received.at(-1)?.path).toBe("/audit?key=secret-in-address");
  await put({ url: `${receiver.url}/audit?key=another-secret` });
  expect((await bed.entries()).at(-1)?.details).toMatchObject({ changed: ["target"] });
  const log = JSON.stringify(await bed.entries());
  expect(log).not.toMatch(/secret-in-address|another-secret|token-of-the-stream/);
});

test("two who set it up at the same time do not make two, and neither loses", async () => {
  const answers = await Promise.all([toReceiver(), toReceiver(), toReceiver()]);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
    [],
  );
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
