/** Webhooks as their owners configure them: no request is sent here (`deliveries.test.ts`). */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startApiServer,
  type ApiAnswer,
  type ApiServer,
  type TestPerson,
} from "../../../support/api-server.ts";
import { readBed } from "../../../support/bed.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  [ada, ben] = await Promise.all([server.person("ada"), server.person("ben")]);
  await send("POST", "/repos", { name: "code" });
  await send("POST", "/repos", { name: "other" });
  await send("POST", "/orgs", { name: "acme" });
});
afterAll(() => server.stop());

const send = (method: string, path: string, body?: object, { token } = ada): Promise<ApiAnswer> =>
  server.api(method, path, body === undefined ? { token } : { token, body });
const hooks = "/repos/ada/code/webhooks";
const url = "https://ci.example.com/hook";

test("what is not given is the usual, and the secret is shown once", async () => {
  const { status, json, headers } = await send("POST", hooks, { url });
  expect(status).toBe(201);
  expect(json).toMatchObject({
    url,
    events: ["push"],
    active: true,
    content_type: "json",
    ordered: false,
    ca_certificate: null,
    disabled_reason: null,
    failing_since: null,
    next_attempt_at: null,
    waiting: 0,
    last_delivery: null,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
  });
  expect(headers["location"]).toBe(json["api_url"]);
  const shown = await send("GET", `${hooks}/${json["id"]}`);
  const { secret: _secret, ...rest } = json as Record<string, unknown>;
  expect(shown.json).toEqual(rest);
  const own = await send("POST", hooks, { url, secret: "a-secret-of-my-own" });
  expect(own.json["secret"]).toBeNull();
});

test("secrets of an address are neither shown nor logged nor lost", async () => {
  const given = "https://ada:s3cret@ci.example.com/hook?token=s3cret";
  const { json } = await send("POST", hooks, { url: given });
  expect(json["url"]).toBe("https://***@ci.example.com/hook?token=***");
  const path = `${hooks}/${json["id"]}`;
  // As a form sends it that was filled with what is shown.
  const same = await send("PATCH", path, { url: json["url"], ordered: true });
  expect(same.json).toMatchObject({ url: json["url"], ordered: true });
  const rows = await server.container.platform.db.query(
    "select details::text from audit_log where action like 'webhook.%'",
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("s3cret");
  const stored = await server.container.platform.db.query("select * from webhooks where id = $1", [
    json["id"],
  ]);
  expect(
    JSON.stringify(stored, (_key, value: unknown) =>
      Buffer.isBuffer(value) ? value.toString("latin1") : value,
    ),
  ).not.toContain("s3cret");
});

test.each([
  [{ url: "http://ci.example.com/" }, "url"],
  [{ url: "https://10.0.0.1/" }, "url"],
  [{ url: "https://[::1]/" }, "url"],
  [{ url, events: [] }, "events"],
  [{ url, events: ["nothing"] }, "events.0"],
  [{ url, events: ["ping"] }, "events.0"],
  [{ url, secret: "short" }, "secret"],
  [{ url, secret: "with spaces in between it" }, "secret"],
  [{ url, content_type: "form" }, "content_type"],
  [{ url, ca_certificate: "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----" }, "ca_certificate"],
])("%j is refused by the name of the field", async (body, field) => {
  const { status, json } = await send("POST", hooks, body);
  expect([status, json["errors"]?.[0]?.field]).toEqual([422, field]);
});

test("an authority is taken and shown", async () => {
  const ca = await readFile((await readBed()).certificates.caFile, "utf8");
  const { json } = await send("POST", hooks, { url, ca_certificate: ca });
  expect(json["ca_certificate"]).toBe(ca);
  const without = await send("PATCH", `${hooks}/${json["id"]}`, { ca_certificate: null });
  expect(without.json["ca_certificate"]).toBeNull();
});

test("a new secret leaves the old one valid for a time, or ends it", async () => {
  const { json } = await send("POST", hooks, { url });
  const path = `${hooks}/${json["id"]}`;
  const soon = (hours: number) => {
    const ms = hours * 3_600_000;
    return (text: unknown) => Math.abs(Date.parse(String(text)) - Date.now() - ms) < 60_000;
  };
  const first = await send("PATCH", path, { secret: "another-secret-of-mine" });
  expect(first.json["previous_secret_until"]).toSatisfy(soon(24));
  const ended = await send("PATCH", path, { previous_secret_hours: 0 });
  expect(ended.json["previous_secret_until"]).toBeNull();
  const longer = await send("PATCH", path, { secret: "one-more-secret-of-mine", previous_secret_hours: 100 });
  expect(longer.json["previous_secret_until"]).toSatisfy(soon(100));
  const again = await send("PATCH", path, { secret: "one-more-secret-of-mine" });
  expect(again.json["previous_secret_until"]).toBe(longer.json["previous_secret_until"]);
  const alone = await send("PATCH", path, { previous_secret_hours: 5 });
  expect(alone.status).toBe(422);
});

test("webhooks of an organization are its owners'", async () => {
  const made = await send("POST", "/orgs/acme/webhooks", { url, events: ["member"] });
  expect(made.status).toBe(201);
  const path = `/orgs/acme/webhooks/${made.json["id"]}`;
  expect((await send("GET", path)).json).toMatchObject({ events: ["member"] });
  expect((await send("GET", path, undefined, ben)).status).toBe(404);
  await send("PUT", "/orgs/acme/members/ben", { role: "member" });
  expect((await send("GET", "/orgs/acme/webhooks", undefined, ben)).status).toBe(403);
});

test("a delivery belongs to its webhook, and a webhook that is off sends nothing", async () => {
  const [one, two] = await Promise.all([send("POST", hooks, { url }), send("POST", hooks, { url })]);
  const ping = await send("POST", `${hooks}/${one.json["id"]}/ping`);
  expect(ping.json).toMatchObject({
    event: "ping",
    number: 1,
    status: "pending",
    attempts_count: 0,
    test: true,
  });
  const delivery = `/deliveries/${ping.json["id"]}`;
  expect((await send("GET", `${hooks}/${one.json["id"]}${delivery}`)).status).toBe(200);
  expect((await send("GET", `${hooks}/${two.json["id"]}${delivery}`)).status).toBe(404);
  expect((await send("POST", `${hooks}/${two.json["id"]}${delivery}/redeliver`)).status).toBe(404);
  await send("PATCH", `${hooks}/${one.json["id"]}`, { active: false });
  for (const path of ["/ping", `${delivery}/redeliver`])
    expect((await send("POST", `${hooks}/${one.json["id"]}${path}`)).status).toBe(409);
});

test("at most fifty, also when many are added at once", async () => {
  const path = "/repos/ada/other/webhooks";
  const answers = await Promise.all(Array.from({ length: 60 }, () => send("POST", path, { url })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  expect(answers.find(({ status }) => status === 409)?.json["message"]).toContain("50");
});

test("a repository's webhooks are off after it got another owner", async () => {
  await send("POST", "/repos", { name: "moving" });
  const { json } = await send("POST", "/repos/ada/moving/webhooks", { url });
  await send("POST", "/repos/ada/moving/transfer", { new_owner: "acme" });
  const moved = await send("GET", `/repos/acme/moving/webhooks/${json["id"]}`);
  expect(moved.json).toMatchObject({ active: false, disabled_reason: "transferred" });
  const on = await send("PATCH", `/repos/acme/moving/webhooks/${json["id"]}`, { active: true });
  expect(on.json).toMatchObject({ active: true, disabled_reason: null });
});
